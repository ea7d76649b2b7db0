#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| treedef_fuzz::verdicts(data));
