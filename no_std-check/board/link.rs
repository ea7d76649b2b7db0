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
fn memory(target: &str) -> String {
    // Origin and size in kB of flash, of the stack, and of the memory behind it.
    let (flash, stack, ram) = match target.split('-').next() {
        // microbit: nRF51, Cortex-M0.
        Some("thumbv6m") => ((0, 256), (0x2000_0000, 15), (0x2000_3C00, 1)),
        // lm3s6965evb: Cortex-M3.
        Some("thumbv7m") => ((0, 256), (0x2000_0000, 30), (0x2000_7800, 34)),
        // mps2-an386: Cortex-M4F.
        Some("thumbv7em") => ((0, 4096), (0x2000_0000, 2048), (0x2020_0000, 2048)),
        // mps2-an505: Cortex-M33, secure state.
        Some("thumbv8m.main") => ((0x1000_0000, 4096), (0x3800_0000, 2048), (0x3820_0000, 2048)),
        // virt: RISC-V, all in memory.
        Some("riscv32imac" | "riscv32imc") => return RISCV.into(),
        _ => panic!("no memory map for {target}"),
    };
    let region = |name, (origin, size): (u32, u32)| {
        format!("{name} : ORIGIN = {origin:#x}, LENGTH = {size}K\n")
    };
    // The stack is at the bottom: below it there is no memory, so that an overflow faults and changes no data.
    format!(
        "MEMORY {{\n{}{}{}}}\n_stack_start = ORIGIN(STACK) + LENGTH(STACK);\n_stack_end = ORIGIN(STACK);\n",
        region("FLASH", flash),
        region("STACK", stack),
        region("RAM", ram),
    )
}

/// The memory of the RISC-V board, with what `riscv-rt` wants to have a place.
const RISCV: &str = "MEMORY { RAM : ORIGIN = 0x80000000, LENGTH = 4M }
REGION_ALIAS(\"REGION_TEXT\", RAM);
REGION_ALIAS(\"REGION_RODATA\", RAM);
REGION_ALIAS(\"REGION_DATA\", RAM);
REGION_ALIAS(\"REGION_BSS\", RAM);
REGION_ALIAS(\"REGION_HEAP\", RAM);
REGION_ALIAS(\"REGION_STACK\", RAM);
";
