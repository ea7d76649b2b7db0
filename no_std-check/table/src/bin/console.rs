//! A console that sets parameters by their paths and lists the paths.
#![no_std]
#![no_main]

use core::fmt::{self, Write};
use core::hint::black_box;

use table::console::{KP, Sum};
use table::measured;
use treedef::tree::mixed;
use treedef::{TreeDef, treedef_of};

board::bare_image!(run);

table::parameters!(#[derive(Clone, Copy, treedef::Tree)]);

treedef::leaf_types! {
    /// What a parameter can be.
    pub struct Parameter {
        owned Value,
        read ValueRef,
        write ValueMut,
        run ValueRun,
        Float(f32),
        Int(i32),
        Word(u16),
        Flag(bool),
    }
}

const DEF: TreeDef<'static> = treedef_of::<Config>();

/// The number that a decimal text is: `core` reads floats with 10 kB of code and a panic.
fn float(text: &str) -> Option<f32> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    let (mut mantissa, mut scale, mut has_point) = (0u32, 1u32, false);
    for byte in digits.bytes() {
        if byte == b'.' && !has_point {
            has_point = true;
            continue;
        }
        let digit = char::from(byte).to_digit(10)?;
        mantissa = mantissa.checked_mul(10)?.checked_add(digit)?;
        if has_point {
            scale = scale.checked_mul(10)?;
        }
    }
    Some(sign * mantissa as f32 / scale as f32)
}

/// Sets what a line `path=value` says.
#[inline(never)]
fn set(config: &mut Config, line: &str) -> bool {
    let Some((path, text)) = line.split_once('=') else { return false };
    match mixed::find_leaf_mut::<Parameter>(config, DEF, path) {
        Ok(ValueMut::Float(leaf)) => float(text).map(|value| *leaf = value).is_some(),
        Ok(ValueMut::Int(leaf)) => text.parse().map(|value| *leaf = value).is_ok(),
        Ok(ValueMut::Word(leaf)) => text.parse().map(|value| *leaf = value).is_ok(),
        Ok(ValueMut::Flag(leaf)) => text.parse().map(|value| *leaf = value).is_ok(),
        Err(_) => false,
    }
}

/// Prints all paths.
#[inline(never)]
fn list(out: &mut Sum) -> fmt::Result {
    let mut paths = (0..DEF.num_leaves()).filter_map(|leaf| DEF.path(leaf));
    paths.try_for_each(|path| writeln!(out, "{}", path.typed()))
}

fn run() -> u32 {
    let (mut config, mut sum) = (black_box(Config::START), Sum(0));
    let is_set = measured!("set a parameter", set(&mut config, black_box("axis[0].pid[1].kp=3.5")));
    let is_listed = measured!("list the paths", list(&mut sum)).is_ok();
    let is_int_set = set(&mut config, black_box("axis[1].offset=-12"));
    let is_refused = !set(&mut config, black_box("axis[1].nothing=1"));
    let is_right = black_box(&config).axis[0].pid[1].kp == KP && config.axis[1].offset == -12;
    u32::from(
        !(is_set && is_listed && is_int_set && is_refused && is_right && black_box(sum.0) > 0),
    )
}
