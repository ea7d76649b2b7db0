//! The console itself: without `std`, a heap or a reachable panic.

use core::fmt::{Display, Formatter, Result, Write};
use core::str::FromStr;

use treedef::Tree;
use treedef::path::leaf_path_of;
use treedef::tree::mixed;

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

/// Answers a line: `list`, `axis[0].pid[1].kp`, or `axis[0].pid[1].kp=1.5`.
pub(crate) fn answer(config: &mut Config, line: &str, out: &mut impl Write) -> Result {
    let (path, value) = match line.split_once('=') {
        Some((path, value)) => (path.trim_ascii(), Some(value.trim_ascii())),
        None => (line.trim_ascii(), None),
    };
    let done = match value {
        None if path == "list" => return list(config, out),
        None => mixed::find_leaf::<Parameter>(config, path).map(|leaf| writeln!(out, "{leaf}")),
        Some(value) => {
            mixed::find_leaf_mut::<Parameter>(config, path).map(|leaf| match leaf.set_str(value) {
                true => writeln!(out, "ok"),
                false => writeln!(out, "{value} does not fit"),
            })
        }
    };
    done.unwrap_or_else(|error| writeln!(out, "{}", error.explain_path_of::<Config>(path)))
}

/// Writes each path as it can be typed, and the value.
fn list(config: &Config, out: &mut impl Write) -> Result {
    for (index, path) in (0..).map_while(leaf_path_of::<Config>).enumerate() {
        if let Ok(value) = mixed::leaf::<Parameter>(config, index) {
            writeln!(out, "{path}={value}")?;
        }
    }
    Ok(())
}
