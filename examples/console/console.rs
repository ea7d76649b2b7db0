//! The console itself: without `std`, a heap or a reachable panic.

use core::fmt::{Display, Formatter, Result, Write};
use core::str::FromStr;

use treedef::tree::{find_leaf, find_leaf_mut, try_for_each_with_path};
use treedef::{Error, Tree, TreeDef, treedef_of};

/// A number in thousandths, as firmware without floats has it. Its text is `-1.25`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Milli(pub(crate) i32);

treedef::leaf!(Milli);

impl Display for Milli {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{}{}{}", size / 1000, size / 100 % 10, size / 10 % 10, size % 10)
    }
}

impl FromStr for Milli {
    type Err = ();

    fn from_str(text: &str) -> core::result::Result<Self, ()> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        if part.is_empty() || part.len() > 3 {
            return Err(());
        }
        let (mut value, mut unit) = (i32::from(whole.parse::<u16>().map_err(drop)?), 1000);
        for byte in part.bytes() {
            let digit = char::from(byte).to_digit(10).ok_or(())?;
            (value, unit) = (value * 10 + digit as i32, unit / 10);
        }
        Ok(Self(sign * value * unit))
    }
}

treedef::leaf_types! {
    /// The parameters.
    pub(crate) struct Parameter {
        owned Value,
        read ValueRef,
        write ValueMut,
        run ValueRun,
        Gain(Milli),
        Offset(i32),
        Period(u16),
        Enabled(bool),
    }
}

#[derive(Tree, Clone, Copy, Default)]
pub(crate) struct Pid {
    pub(crate) kp: Milli,
    pub(crate) ki: Milli,
    pub(crate) kd: Milli,
    pub(crate) limit: [Milli; 2],
}

#[derive(Tree, Clone, Copy, Default)]
pub(crate) struct Axis {
    pub(crate) pid: [Pid; 2],
    pub(crate) offset: i32,
    pub(crate) enabled: bool,
}

#[derive(Tree, Clone, Copy, Default)]
pub(crate) struct Config {
    pub(crate) axis: [Axis; 2],
    pub(crate) period_us: u16,
    pub(crate) supply: Milli,
}

/// The structure, in flash.
const CONFIG: TreeDef<'static> = treedef_of::<Config>();

/// Why a list ends early.
struct Stop;

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self
    }
}

/// Answers a line: `list`, `axis[0].pid[1].kp`, or `axis[0].pid[1].kp=1.5`.
pub(crate) fn answer(config: &mut Config, line: &str, out: &mut impl Write) -> Result {
    let (path, value) = match line.split_once('=') {
        Some((path, value)) => (path.trim(), Some(value.trim())),
        None => (line.trim(), None),
    };
    let done = match value {
        None if path == "list" => {
            let mut line = |path: treedef::KeyPath<'_, '_>, leaf: ValueRef<'_>| {
                writeln!(out, "{}={leaf}", path.keystr()).map_err(|_| Stop)
            };
            return try_for_each_with_path(config, CONFIG, &mut line)
                .map_err(|Stop| core::fmt::Error);
        }
        None => find_leaf(config, CONFIG, path).map(|leaf: ValueRef<'_>| writeln!(out, "{leaf}")),
        Some(value) => find_leaf_mut(config, CONFIG, path).map(|leaf: ValueMut<'_>| {
            match leaf.set_str(value) {
                true => writeln!(out, "ok"),
                false => writeln!(out, "{value} does not fit"),
            }
        }),
    };
    done.unwrap_or_else(|error| writeln!(out, "{}", error.explain_path(CONFIG, path)))
}
