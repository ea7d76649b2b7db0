//! What cases are made of: facts they print, comparisons that end them, and the place where they ended.

use core::fmt::{self, Debug, Display, Write};
use core::panic::Location;

use board::Console;
use treedef::TreeDef;

/// A case with what it shows.
pub type Case = (&'static str, fn(&mut Report<'_>) -> Outcome);

/// What a case answers. It ends with `?` where something is not as it has to be.
pub type Outcome<T = ()> = Result<T, Failed>;

/// The place where a case ended; what was wrong is printed by then.
pub struct Failed(());

/// Where a case prints.
pub struct Report<'c> {
    console: &'c mut Console,
}

impl<'c> Report<'c> {
    pub fn new(console: &'c mut Console) -> Self {
        Self { console }
    }

    /// Runs the case and says what came of it.
    pub fn run(&mut self, subject: &str, (name, case): &Case) -> bool {
        self.line(format_args!("{subject}: {name}"));
        let (answer, used) = board::stack_used(|| case(self));
        board::note(format_args!("{used:6} {subject}: {name}\n"));
        let passed = answer.is_ok();
        if !passed {
            self.line(format_args!("FAILED {subject}: {name}"));
        }
        passed
    }

    /// Prints a line.
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        // The console drops what cannot be written.
        let _ = self.console.write_fmt(text).and_then(|()| self.console.write_char('\n'));
    }

    /// Prints a fact, which has to be the same on every target.
    pub fn fact(&mut self, name: &str, value: impl Display) {
        self.line(format_args!("  {name}: {value}"));
    }

    /// Prints all there is to know of a treedef.
    pub fn treedef(&mut self, name: &str, def: TreeDef<'_>) {
        let (leaves, nodes, mark) = (def.num_leaves(), def.num_nodes(), def.fingerprint());
        self.fact(name, format_args!("{def}"));
        self.line(format_args!(
            "    {leaves} leaves, {nodes} nodes, {mark:016x}, {}",
            Hex(def.as_bytes())
        ));
    }

    /// Prints the bits of leaves.
    pub fn leaves(&mut self, name: &str, leaves: &[f32]) {
        let bits = |leaf: &f32| leaf.to_bits().to_be_bytes();
        let mut digest = Digest::default();
        leaves.iter().for_each(|leaf| digest.bytes(&bits(leaf)));
        self.line(format_args!("  {name}: {leaves:?} {digest}"));
    }

    /// Ends the case if the two are not equal.
    #[track_caller]
    pub fn same<A: PartialEq<B> + Debug, B: Debug>(&mut self, found: A, expected: B) -> Outcome {
        if found == expected { Ok(()) } else { Err(self.differs(&found, &expected)) }
    }

    #[track_caller]
    #[inline(never)]
    fn differs(&mut self, found: &dyn Debug, expected: &dyn Debug) -> Failed {
        self.line(format_args!("  {}: found {found:?}, expected {expected:?}", Location::caller()));
        Failed(())
    }

    /// Ends the case if the value does not print the text.
    #[track_caller]
    pub fn prints(&mut self, value: impl Display, expected: &str) -> Outcome {
        let mut left = Expected(Some(expected));
        let _ = write!(left, "{value}");
        if left.0 == Some("") {
            return Ok(());
        }
        self.line(format_args!("  {}: prints {value}, expected {expected}", Location::caller()));
        Err(Failed(()))
    }
}

/// What is still to be printed; `None` after another text.
struct Expected<'t>(Option<&'t str>);

impl Write for Expected<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.0 = self.0.and_then(|left| left.strip_prefix(piece));
        Ok(())
    }
}

/// Ends the case with what the library says; for a missing value, see [`Missing`].
impl<E: Debug> From<E> for Failed {
    #[track_caller]
    fn from(error: E) -> Self {
        Report::new(&mut Console).line(format_args!("  {}: {error:?}", Location::caller()));
        Failed(())
    }
}

/// There is no value where one has to be: `option.ok_or(Missing)?`.
#[derive(Debug)]
pub struct Missing;

/// A number that stands for bytes and texts: 64-bit FNV-1a.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    /// The digest of what a value prints.
    pub fn of(value: impl Display) -> Self {
        let mut digest = Self::default();
        // A digest takes any text.
        let _ = write!(digest, "{value}");
        digest
    }

    /// Goes on with bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

impl Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Bytes as hexadecimal digits.
pub struct Hex<'b>(pub &'b [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
