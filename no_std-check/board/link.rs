//! The build script of every image: memory map and link flags of the target.
//!
//! Link flags stand here and not in `RUSTFLAGS`, so that one build of `core` serves every image and the link proof.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=../board/link.rs");
    let [target, os, out] = ["TARGET", "CARGO_CFG_TARGET_OS", "OUT_DIR"]
        .map(|name| env::var(name).expect("cargo sets it"));
    if os != "none" {
        // libc in a static program, as `std` would link it.
        for arg in ["-static", "-Wl,-Bstatic,--start-group,-lc,-lgcc,-lgcc_eh,--end-group"] {
            println!("cargo::rustc-link-arg={arg}");
        }
        return;
    }
    fs::write(Path::new(&out).join("memory.x"), memory(&target))
        .expect("the output folder can be written");
    println!("cargo::rustc-link-search={out}");
    if target.starts_with("riscv") {
        println!("cargo::rustc-link-arg=-Tmemory.x");
    }
    println!("cargo::rustc-link-arg=-Tlink.x");
    // An image that logs says so by the name of its feature.
    if env::var_os("CARGO_FEATURE_DEFMT").is_some() {
        println!("cargo::rustc-link-arg=-Tdefmt.x");
    }
}

/// Where flash and memory lie on the emulated board of a target.
fn memory(target: &str) -> &'static str {
    match target.split('-').next() {
        // microbit: nRF51, Cortex-M0.
        Some("thumbv6m") => {
            "MEMORY { FLASH : ORIGIN = 0, LENGTH = 256K  RAM : ORIGIN = 0x20000000, LENGTH = 16K }\n"
        }
        // lm3s6965evb: Cortex-M3.
        Some("thumbv7m") => {
            "MEMORY { FLASH : ORIGIN = 0, LENGTH = 256K  RAM : ORIGIN = 0x20000000, LENGTH = 64K }\n"
        }
        // mps2-an386: Cortex-M4F.
        Some("thumbv7em") => {
            "MEMORY { FLASH : ORIGIN = 0, LENGTH = 4M  RAM : ORIGIN = 0x20000000, LENGTH = 4M }\n"
        }
        // mps2-an505: Cortex-M33, secure state.
        Some("thumbv8m.main") => {
            "MEMORY { FLASH : ORIGIN = 0x10000000, LENGTH = 4M  RAM : ORIGIN = 0x38000000, LENGTH = 4M }\n"
        }
        // virt: RISC-V, all in memory.
        Some("riscv32imac" | "riscv32imc") => {
            "MEMORY { RAM : ORIGIN = 0x80000000, LENGTH = 4M }
REGION_ALIAS(\"REGION_TEXT\", RAM);
REGION_ALIAS(\"REGION_RODATA\", RAM);
REGION_ALIAS(\"REGION_DATA\", RAM);
REGION_ALIAS(\"REGION_BSS\", RAM);
REGION_ALIAS(\"REGION_HEAP\", RAM);
REGION_ALIAS(\"REGION_STACK\", RAM);
"
        }
        _ => panic!("no memory map for {target}"),
    }
}
