//! The console of `miniconf`, which reads values as JSON. A panic is reachable, so this image has a handler of its own.
#![no_std]
#![no_main]

use core::fmt::{self, Write};
use core::hint::black_box;

use heapless::String;
use miniconf::{ConstPath, TreeSchema, json_core};
use table::console::{KP, Sum};
use table::measured;

board::entry!(board::exit(run()));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::exit(101)
}

table::parameters!(#[derive(Clone, Copy, miniconf::Tree)]);

const DEPTH: usize = Config::SCHEMA.max_depth();
const LENGTH: usize = Config::SCHEMA.max_length("/");

/// Sets what a line `path=value` says.
#[inline(never)]
fn set(config: &mut Config, line: &str) -> bool {
    let Some((path, text)) = line.split_once('=') else { return false };
    json_core::set(config, path, text.as_bytes()).is_ok()
}

/// Prints all paths.
#[inline(never)]
fn list(out: &mut Sum) -> fmt::Result {
    let mut paths = Config::SCHEMA.nodes::<ConstPath<String<LENGTH>, '/'>, DEPTH>();
    paths.try_for_each(|path| path.map_or(Err(fmt::Error), |path| writeln!(out, "{}", path.0)))
}

fn run() -> u32 {
    let (mut config, mut sum) = (black_box(Config::START), Sum(0));
    let is_set = measured!("set a parameter", set(&mut config, black_box("/axis/0/pid/1/kp=3.5")));
    let is_listed = measured!("list the paths", list(&mut sum)).is_ok();
    let is_int_set = set(&mut config, black_box("/axis/1/offset=-12"));
    let is_refused = !set(&mut config, black_box("/axis/1/nothing=1"));
    let is_right = black_box(&config).axis[0].pid[1].kp == KP && config.axis[1].offset == -12;
    u32::from(
        !(is_set && is_listed && is_int_set && is_refused && is_right && black_box(sum.0) > 0),
    )
}
