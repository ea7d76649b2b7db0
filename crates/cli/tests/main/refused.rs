//! Files that are refused: one line that names what is wrong.

use std::fs;
use std::io::Write as _;

use super::{data, file, safetensors, treedef};

/// A zip file of these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, data) in files {
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(data).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

#[test]
fn npz_files_that_are_none_have_a_name() {
    let npy = |header: &str, data: usize| {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.resize(bytes.len() + data, 0);
        bytes
    };
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
    let good = npy(header, 8);
    assert_eq!(
        treedef(&["inspect", &file("refused", "good.npz", &zip(&[("a.npy", &good)]))]).code,
        Some(0)
    );
    let whole = zip(&[("a.npy", &good)]);
    let long = b"\x93NUMPY\x02\x00\xff\xff\xff\xff";
    for (name, bytes, why) in [
        ("empty", Vec::new(), "not a zip file: "),
        ("cut", whole[..whole.len() - 10].to_vec(), "not a zip file: "),
        (
            "pickle",
            zip(&[("archive/data.pkl", b"\x80\x02}q\0.")]),
            "this is a PyTorch checkpoint (pickle), which treedef does not read; ",
        ),
        ("tiny", zip(&[("a.npy", b"\x93NUM")]), "\"a.npy\" is no NumPy array"),
        ("twice", zip(&[("a.npy", &good), ("a", &good)]), "\"a\" comes twice"),
        ("short", zip(&[("a.npy", &npy(header, 7))]), "\"a.npy\" has 7 bytes for f32[2]"),
        ("long", zip(&[("a.npy", long)]), "\"a.npy\" has a header of 4294967295 bytes"),
        (
            "no_shape",
            zip(&[("a.npy", &npy("{'descr': '<f4'}", 8))]),
            "\"a.npy\" has an unknown header: {'descr'",
        ),
        (
            "no_size",
            zip(&[("a.npy", &npy("{'descr': '<f4', 'shape': (-1,)}", 8))]),
            "an unknown header",
        ),
    ] {
        refused(&file("refused", &format!("{name}.npz"), &bytes), why);
    }
}

/// Checks that `inspect` and `diff` refuse a file in one line with this text.
fn refused(file: &str, why: &str) {
    let run = treedef(&["inspect", file]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{file}");
    assert!(run.err.starts_with(&format!("inspect: {file}: ")), "{}", run.err);
    assert!(run.err.contains(why), "{why}: {}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    let run = treedef(&["diff", file, &data("pid_cascade.json")]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{file}");
    assert!(run.err.starts_with(&format!("diff: {file}: ")), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn json_that_is_none_has_a_name() {
    for (name, bytes, why) in [
        (
            "nan",
            &b"{\"a\": [1,\n NaN]}"[..],
            "NaN on line 2, as Python writes it; JSON has no such number",
        ),
        ("infinity", b"[Infinity]", "Infinity on line 1, as Python writes it"),
        ("minus", b"{\"a\": -Infinity}", "-Infinity on line 1, as Python writes it"),
        ("bom", b"\xef\xbb\xbf{}", "byte order mark (BOM)"),
        ("utf16", b"\xff\xfe{\0}\0", "UTF-16"),
        ("lines", b"{\"a\": 1}\n{\"a\": 2}\n", "JSON lines: line 2 begins another value"),
        ("two", b"1 2", "not JSON: trailing characters at line 1 column 3"),
        ("twice", b"{\"a\": {\"b\": 1, \"b\": 2}}", "key \"b\" comes twice at line 1"),
        ("cut", b"{\"a\": [1, 2}", "not JSON: expected `,` or `]` at line 1 column 12"),
        ("empty", b"", "file is empty"),
        ("spaces", b" \n", "file is empty"),
        ("large", b"[1e999]", "number out of range"),
        ("not_utf8", b"[\"\xff\"]", "not JSON: "),
    ] {
        refused(&file("refused", &format!("{name}.json"), bytes), why);
    }
    let deep = [b"[".repeat(10_000), b"]".repeat(10_000)].concat();
    refused(&file("refused", "deep.json", &deep), "recursion limit exceeded");
}

#[test]
fn safetensors_that_are_none_have_a_name() {
    let tensors = fs::read(data("tiny_gpt.safetensors")).unwrap();
    let longer = [&tensors[..], b"x"].concat();
    let header = |header: &str| [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    for (name, bytes, why) in [
        ("cut_length", &tensors[..4], "file ends before the length of its header"),
        ("cut_header", &tensors[..100], "file ends inside its header of "),
        (
            "cut",
            &tensors[..tensors.len() - 1],
            "header describes 2152 bytes of tensors, the file has 2151",
        ),
        ("longer", &longer, "header describes 2152 bytes of tensors, the file has 2153"),
        (
            "long",
            b"\xff\xff\xff\xff\xff\xff\xff\xff{}",
            "header of 18446744073709551615 bytes is longer than",
        ),
        ("no_tensor", &header("{\"a\": null}"), "header: "),
        ("no_json", &header("{nonsense}"), "header: "),
        (
            "overlap",
            &header(r#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}"#),
            "header: ",
        ),
        (
            "group",
            &safetensors(&[
                ("a", "U8", &[1], 1),
                ("a.b", "U8", &[1], 1),
                ("b.", "U8", &[1], 1),
                ("b", "U8", &[1], 1),
            ]),
            "",
        ),
    ] {
        let file = file("refused", &format!("{name}.safetensors"), bytes);
        if name == "group" {
            assert_eq!(treedef(&["inspect", &file]).code, Some(0));
        } else {
            refused(&file, why);
        }
    }
    // The length of a pipe is known at its end.
    let run = super::run(&["inspect", "-"], &[], &longer);
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("inspect: -: header describes 2152 bytes"), "{}", run.err);
}

#[test]
fn an_index_is_checked_with_its_shards() {
    file("refused_index", "a.safetensors", &safetensors(&[("a", "U8", &[1], 1)]));
    file("refused_index", "b.safetensors", b"short");
    let tensor =
        |at: u8| format!(r#""a":{{"dtype":"U8","shape":[1],"data_offsets":[{at},{}]}}"#, at + 1);
    let header = format!("{{{},{}}}", tensor(0), tensor(1));
    let twice = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), b"xy"].concat();
    file("refused_index", "c.safetensors", &twice);
    for (name, json, why) in [
        (
            "other",
            r#"{"weight_map": {"b": "a.safetensors"}}"#,
            "tensor \"b\" is not in \"a.safetensors\", which the index names",
        ),
        (
            "up",
            r#"{"weight_map": {"a": "../a.safetensors"}}"#,
            "\"../a.safetensors\", which the index names, is no file beside it",
        ),
        (
            "broken",
            r#"{"weight_map": {"a": "b.safetensors"}}"#,
            "\"b.safetensors\", which the index names, cannot be read: file ends before",
        ),
        (
            "twice",
            r#"{"weight_map": {"a": "c.safetensors"}}"#,
            "\"c.safetensors\", which the index names, has \"a\" twice",
        ),
    ] {
        refused(&file("refused_index", &format!("{name}.json"), json.as_bytes()), why);
    }
}

#[test]
fn other_files_that_are_refused_have_a_reason() {
    let exported = fs::read(data("pid_step.jax_export")).unwrap();
    for (name, bytes, why) in [
        // Erased flash, a repeat without a node before it, and a tuple without its second child.
        ("erased.treedef", &b"\xff\xff\xff\xff"[..], ""),
        ("same.treedef", b"\xa0\x01", ""),
        ("short.treedef", b"\x22\x00", ""),
        ("empty.treedef", b"", ""),
        ("short.key", b"\xe2\x05", ""),
        // A leaf that announces a child: these bytes crash JAX 0.10.
        ("childless.treedef.pb", b"\x0a\x04\x08\x01\x10\x01", ""),
        ("cut.jax_export", &exported[..3000], ""),
        ("empty.bin", b"", ""),
        ("photo.jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF", ": unknown format\n"),
        ("empty", b"", ": file is empty\n"),
    ] {
        refused(&file("refused", name, bytes), why);
    }
    refused(&data("missing.json"), ": no such file\n");
    refused(&data(""), "is a directory; name a file in it");
    // The option is stronger than the name.
    let run = treedef(&["inspect", "--format", "treedef", &data("pid_cascade.json")]);
    assert_eq!(run.code, Some(1));
}

#[test]
fn files_of_other_programs_are_named() {
    let torch = "this is a PyTorch checkpoint (pickle), which treedef does not read; \
         safetensors.torch.save_file(torch.load(..), ..) writes one that it reads";
    for (name, bytes, why) in [
        (
            "pointer.safetensors",
            &b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"[..],
            "this is a git-lfs pointer, not the file itself; `git lfs pull` fetches the file",
        ),
        (
            "page.safetensors",
            b"<!DOCTYPE html>\n<html><head></head></html>\n",
            "this is an HTML page, not the file itself; download the file (of Hugging Face: /resolve/ for /blob/)",
        ),
        (
            "absent",
            b"Entry not found",
            "this is the answer of a server that has no such file; download it again",
        ),
        (
            "model.gguf",
            b"GGUF\x03\0\0\0\x10\0\0\0\0\0\0\0",
            "this is a GGUF file, which treedef does not read; it reads the safetensors files from which such files are made",
        ),
        (
            "weights.h5",
            b"\x89HDF\r\n\x1a\n\0\0",
            "this is an HDF5 file, which treedef does not read; numpy.savez(.., **arrays) writes an .npz file, which it reads",
        ),
        ("model.pt", &zip(&[("archive/data.pkl", b"\x80\x02}q\0.")]), torch),
        ("pytorch_model.bin", &zip(&[("archive/data.pkl", b"\x80\x02}q\0.")]), torch),
        ("old.bin", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.", torch),
        (
            "params.msgpack",
            b"\x81\xa6params\x81\xa1w\xc0",
            "this is a msgpack file, as Flax writes it, which treedef does not read; safetensors.flax.save_file writes one that it reads",
        ),
        (
            "model.onnx",
            b"\x08\x08\x12\x07pytorch\x1a\x05",
            "this is an ONNX file, which treedef does not read",
        ),
        (
            "model.tflite",
            b"\x1c\0\0\0TFL3\x14\0",
            "this is a TFLite file, which treedef does not read",
        ),
        (
            "manifest.ocdbt",
            b"\x0c\xdb\x3a\x2a\0\0",
            "this is part of an OCDBT database, as Orbax writes it, which treedef does not read; it reads the file _METADATA of the checkpoint",
        ),
        (
            "config.toml",
            b"# a comment\n[package]\nname = \"x\"\n",
            "this is a TOML file, which treedef does not read; it reads JSON",
        ),
        (
            "config.yaml",
            b"model:\n  layers: 3\n",
            "this is a YAML file, which treedef does not read; it reads JSON",
        ),
    ] {
        let file = file("refused_others", name, bytes);
        let run = treedef(&["inspect", &file]);
        assert_eq!((run.code, run.err), (Some(1), format!("inspect: {file}: {why}\n")));
        let piped = super::run(&["inspect", "-"], &[], bytes);
        assert_eq!((piped.code, piped.err), (Some(1), format!("inspect: -: {why}\n")));
        // None begins with a treedef.
        let named = super::file("refused_others", &format!("{name}.treedef"), bytes);
        assert_eq!(treedef(&["inspect", &named]).err, format!("inspect: {named}: {why}\n"));
    }
    // An extension of another format is no reason to refuse a file.
    let tensors = fs::read(data("tiny_gpt.safetensors")).unwrap();
    for name in ["model.bin", "model.json", "model.treedef"] {
        let run = treedef(&["inspect", &file("refused_others", name, &tensors)]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{name}");
    }
    // Nor if the length of the header begins with the byte of a leaf.
    let mut header = br#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.to_vec();
    header.resize(0x300, b' ');
    let bytes = [&0x300u64.to_le_bytes()[..], &header, b"x"].concat();
    let out = super::output(&["inspect", &file("refused_others", "leaf.treedef", &bytes)]);
    assert!(out.contains("u8[1]"), "{out}");
    let cut = file("refused_others", "cut.bin", &tensors[..tensors.len() - 1]);
    let why = "header describes 2152 bytes of tensors, the file has 2151";
    assert_eq!(treedef(&["inspect", &cut]).err, format!("inspect: {cut}: {why}\n"));
    // What is valid is read, whatever it looks like: a header of 640 bytes.
    let mut header = br#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.to_vec();
    header.resize(0x280, b' ');
    let bytes = [&0x280u64.to_le_bytes()[..], &header, b"x"].concat();
    let file = file("refused_others", "valid.safetensors", &bytes);
    assert_eq!(treedef(&["inspect", &file]).code, Some(0));
}

#[cfg(unix)]
#[test]
fn a_pipe_beside_an_index_is_not_read() {
    let pipe = super::path("refused_pipe", "a.safetensors");
    let _ = fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let index = br#"{"weight_map": {"a": "a.safetensors"}}"#;
    refused(
        &file("refused_pipe", "index.json", index),
        "\"a.safetensors\", which the index names, is no file\n",
    );
}
