//! The console itself: without `std`, a heap or a reachable panic.

use core::fmt::{Result, Write};

use treedef::Tree;
use treedef::path::{leaf_index_of, leaf_path_of};
use treedef::tree::mixed;

treedef::leaf_types! {
    /// The parameters.
    pub(crate) struct Parameter {
        owned Value,
        read ValueRef,
        write ValueMut,
        Float(f32),
        Offset(i32),
        Period(u16),
        Enabled(bool),
    }
}

#[derive(Tree, Clone, Copy, Default)]
pub(crate) struct Pid {
    pub(crate) kp: f32,
    pub(crate) ki: f32,
    pub(crate) kd: f32,
    pub(crate) limit: [f32; 2],
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
    pub(crate) supply: f32,
}

/// The first line: what a person can type.
pub(crate) const HELP: &str =
    "`list` shows all, `axis[0].pid[1].kp` one, `axis[0].pid[1].kp=1.5` sets it, `quit` ends";

/// What a parameter may be, by the name of its field: the smallest and the largest value, and the unit.
const FACTS: [(&str, [f32; 2], &str); 6] = [
    ("kp", [0.0, 100.0], ""),
    ("ki", [0.0, 50.0], " 1/s"),
    ("kd", [0.0, 10.0], " s"),
    ("offset", [-500.0, 500.0], " steps"),
    ("period_us", [50.0, 20000.0], " us"),
    ("supply", [0.0, 60.0], " V"),
];

/// A writer that finds out whether one of the pieces of a text is this name.
struct HasName<'n>(&'n str, bool);

impl Write for HasName<'_> {
    fn write_str(&mut self, text: &str) -> Result {
        self.1 |= text == self.0;
        Ok(())
    }
}

/// The range and the unit of a parameter.
fn facts(index: usize) -> ([f32; 2], &'static str) {
    let of_this = |(name, ..): &&(&str, _, _)| {
        let mut found = HasName(name, false);
        let written = leaf_path_of::<Config>(index).map(|path| write!(found, "{path}"));
        written.is_some() && found.1
    };
    FACTS.iter().find(of_this).map_or(([f32::MIN, f32::MAX], ""), |(_, range, unit)| (*range, unit))
}

/// A parameter as a number; `None` if it is none.
fn number(leaf: ValueRef<'_>) -> Option<f32> {
    match leaf {
        ValueRef::Float(number) => Some(*number),
        ValueRef::Offset(number) => Some(*number as f32),
        ValueRef::Period(number) => Some((*number).into()),
        ValueRef::Enabled(_) => None,
    }
}

/// Answers a line: `list`, `axis[0].pid[1].kp`, or `axis[0].pid[1].kp=1.5`.
pub(crate) fn answer(config: &mut Config, line: &str, out: &mut impl Write) -> Result {
    let (path, value) = match line.split_once('=') {
        Some((path, value)) => (path.trim_ascii(), Some(value.trim_ascii())),
        None => (line.trim_ascii(), None),
    };
    if let (None, "list") = (value, path) {
        return list(config, out);
    }
    let index = match leaf_index_of::<Config>(path) {
        Ok(index) => index,
        Err(error) => return writeln!(out, "{}", error.explain_path_of::<Config>(path)),
    };
    match value {
        Some(value) => set(config, index, value, out),
        None => write_value(config, index, out),
    }
}

/// Sets a parameter, unless the value is out of range.
fn set(config: &mut Config, index: usize, value: &str, out: &mut impl Write) -> Result {
    let mut next = *config;
    if !mixed::leaf_mut::<Parameter>(&mut next, index).is_ok_and(|leaf| leaf.set_str(value)) {
        return writeln!(out, "{value} does not fit");
    }
    let ([low, high], unit) = facts(index);
    match mixed::leaf::<Parameter>(&next, index).ok().and_then(number) {
        Some(number) if !(low..=high).contains(&number) => {
            let (low, high) = (ValueRef::Float(&low), ValueRef::Float(&high));
            writeln!(out, "{value} is not in {low} to {high}{unit}")
        }
        _ => {
            *config = next;
            writeln!(out, "ok")
        }
    }
}

/// Writes a parameter and its unit.
fn write_value(config: &Config, index: usize, out: &mut impl Write) -> Result {
    match mixed::leaf::<Parameter>(config, index) {
        Ok(leaf) => writeln!(out, "{leaf}{}", facts(index).1),
        Err(_) => Ok(()),
    }
}

/// Writes each path as it can be typed, and the value.
fn list(config: &Config, out: &mut impl Write) -> Result {
    for (index, path) in (0..).map_while(leaf_path_of::<Config>).enumerate() {
        write!(out, "{path}=")?;
        write_value(config, index, out)?;
    }
    Ok(())
}
