//! A parameter console: 26 parameters of a motor controller, read and set by the paths that a person types. It knows their
//! units, and refuses what is out of range.
//!
//! `cargo run --example console` reads lines such as `axis[0].pid[1].kp=1.5`, `axis[1].offset` and `list`. The same console
//! answers over the serial port of an emulated Cortex-M3 in `no_std-check/console`.

mod console;

use console::{Config, HELP, answer};

fn main() -> std::io::Result<()> {
    println!("{HELP}");
    let mut config = Config::default();
    for line in std::io::stdin().lines() {
        let (line, mut text) = (line?, String::new());
        if line == "quit" {
            break;
        }
        answer(&mut config, &line, &mut text).map_err(std::io::Error::other)?;
        print!("{text}");
    }
    Ok(())
}
