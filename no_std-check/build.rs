//! The link flags of the proof: no start files, no libc, no allocator.
//!
//! They stand here and not in `RUSTFLAGS`, so that one build of `core` serves the proof and every image.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let args: &[&str] = if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        &["--gc-sections", "-e_start"]
    } else {
        // On the host the memory functions are libc's. The program never runs, so that an address is enough.
        &[
            "-nostartfiles",
            "-nostdlib",
            "-Wl,--gc-sections",
            "-Wl,--defsym=memcpy=0,--defsym=memmove=0,--defsym=memset=0,--defsym=memcmp=0,--defsym=bcmp=0",
        ]
    };
    for arg in args {
        println!("cargo::rustc-link-arg={arg}");
    }
}
