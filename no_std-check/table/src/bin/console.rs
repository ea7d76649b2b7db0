//! A console that sets parameters by their paths and lists the paths.
#![no_std]
#![no_main]

use core::fmt::{self, Write};
use core::hint::black_box;

use table::console::{KP, Sum};
use table::measured;
use treedef::path::leaf_path_of;
use treedef::tree::mixed;

board::bare_image!(run);

table::parameters!(#[derive(Clone, Copy, treedef::Tree)]);

treedef::leaf_types! {
    /// What a parameter can be.
    pub struct Parameter {
        owned Value,
        read ValueRef,
        write ValueMut,
        Float(f32),
        Int(i32),
        Word(u16),
        Flag(bool),
    }
}

/// Sets what a line `path=value` says.
#[inline(never)]
fn set(config: &mut Config, line: &str) -> bool {
    let Some((path, text)) = line.split_once('=') else { return false };
    mixed::find_leaf_mut::<Parameter>(config, path).is_ok_and(|leaf| leaf.set_str(text))
}

/// Prints all paths.
#[inline(never)]
fn list(out: &mut Sum) -> fmt::Result {
    let mut paths = (0..).map_while(leaf_path_of::<Config>);
    paths.try_for_each(|path| writeln!(out, "{path}"))
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
