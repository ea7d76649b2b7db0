//! The fingerprint has one value everywhere, in every release.
//!
//! The function is compiled into this test, because it hashes any bytes and treedefs are only some.

#[path = "../../src/format/fingerprint.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test uses its part")]
mod fingerprint;

#[test]
fn golden_lengths_hold() {
    let text = include_str!("../golden/lengths.txt");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 69);
    for line in lines {
        let (len, golden) = line.split_once(" | ").unwrap();
        let byte = |i: usize| (13 + 167 * i) as u8;
        let bytes: Vec<u8> = (0..len.parse().unwrap()).map(byte).collect();
        assert_eq!(format!("{:016x}", fingerprint::of(&bytes)), golden, "{len} bytes");
    }
}

#[test]
fn golden_files_agree_with_python() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/fingerprint.py");
    match std::process::Command::new("python3").arg(script).status() {
        Ok(status) => assert!(status.success()),
        // A machine without Python still compares the files with the library.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
    }
}
