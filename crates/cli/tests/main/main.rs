//! Runs the program on the files of `examples/data`, on files that the tests write, and on broken files.

mod commands;
mod completions;
mod diff;
mod facts;
mod folder;
mod foreign;
mod inspect;
mod memory;
mod msgpack;
mod named;
mod picture;
mod record;
mod refused;
mod rename;
mod types;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The output of a run, and its exit code.
struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

/// Runs the program, with what a terminal would say left out of its environment.
fn treedef(args: &[&str]) -> Run {
    run(args, &[], b"")
}

fn run(args: &[&str], variables: &[(&str, &str)], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_treedef"))
        .args(args)
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may refuse its input before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// Runs the program and returns its output. It must succeed.
fn output(args: &[&str]) -> String {
    let run = treedef(args);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    run.out
}

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    folder.join(name).to_str().unwrap().into()
}

/// Returns the path of a file that a test writes, in a folder of its own.
fn path(folder: &str, name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join(name).to_str().unwrap().into()
}

/// Writes a file for a test.
fn file(folder: &str, name: &str, bytes: &[u8]) -> String {
    let path = path(folder, name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The bytes of a safetensors file with these tensors, all zeros: name, dtype, shape and bytes of an element.
fn safetensors(tensors: &[(&str, &str, &[usize], usize)]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    let mut end = 0;
    for (name, dtype, shape, size) in tensors {
        let start = end;
        end += shape.iter().product::<usize>() * size;
        let tensor = serde_json::json!({
            "dtype": dtype, "shape": shape, "data_offsets": [start, end],
        });
        header.insert((*name).into(), tensor);
    }
    let header = serde_json::to_vec(&header).unwrap();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.resize(bytes.len() + end, 0);
    bytes
}

/// A zip file of these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, data) in files {
        if name.ends_with('/') {
            archive.new_dir(name).create().unwrap();
            continue;
        }
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(data).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}
