//! Files that are refused: one line that names what is wrong.

use std::fs;

use super::{data, file, safetensors, treedef, zip};

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
        ("cut", whole[..whole.len() - 10].to_vec(), "zip file is cut off or damaged: "),
        ("text", b"no zip file".to_vec(), "this is a text, not npz; "),
        ("other", vec![0; 100], "not a zip file: "),
        ("cut_header", zip(&[("a.npy", &good[..40])]), "\"a.npy\" ends inside its header"),
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
        ("first", b"// weights\n{\"a\": 1}", "comment (//) on line 1; JSON has no comments\n"),
        ("line", b"{\n  // weights\n  \"a\": 1}", "comment (//) on line 2; JSON has no comments\n"),
        ("after", b"{\"a\": 1, // weights\n\"b\": 2}", "comment (//) on line 1; "),
        ("block", b"[1, /* two */ 2]", "comment (/*) on line 1; "),
        ("hash", b"[1, # two\n 2]", "comment (#) on line 1; "),
        ("end_line", b"{\"a\": 1} // weights\n", "comment (//) on line 1; "),
        ("slash", b"{\"a//b\": 1, \"c\": /}", "not JSON: expected value"),
        ("bom", b"\xef\xbb\xbf{}", "byte order mark (BOM)"),
        ("utf16", b"\xff\xfe{\0}\0", "UTF-16"),
        ("lines", b"{\"a\": 1}\n{\"a\": 2}\n", "JSON lines: line 2 begins another value"),
        ("two", b"1 2", "not JSON: trailing characters at line 1 column 3"),
        ("twice", b"{\"a\": {\"b\": 1, \"b\": 2}}", "key \"b\" comes twice at line 1"),
        ("cut", b"{\"a\": [1, 2}", "not JSON: expected `,` or `]` at line 1 column 12"),
        ("spaces", b" \n", "file is empty"),
        ("end", b"{\"a\": [1, ", "file ends inside a value of JSON, on line 1"),
        ("end_text", b"{\"a\":\n \"b", "file ends inside a value of JSON, on line 2"),
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
            "header describes 2152 bytes of tensors, the file has 2151; --partial reads the header alone",
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
        ("short.key", b"\xe2\x05", ""),
        // A leaf that announces a child: these bytes crash JAX 0.10.
        ("childless.treedef.pb", b"\x0a\x04\x08\x01\x10\x01", ""),
        ("cut.jax_export", &exported[..3000], ""),
        ("photo.jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF", ": this is no format that treedef reads\n"),
        ("erased.bin", &[0xFF; 600], ": this is no format that treedef reads\n"),
        ("other.pb", b"\x08\x87\xde\xa6\xe8\xdb\xf0", "no treedef proto: "),
    ] {
        refused(&file("refused", name, bytes), why);
    }
    refused(&data("missing.json"), ": no such file\n");
    refused(&data(""), "is a directory with several files; name one: ");
    // The option is stronger than the name.
    let run = treedef(&["inspect", "--format", "treedef", &data("pid_cascade.json")]);
    assert_eq!(run.code, Some(1));
}

#[test]
fn empty_files_are_empty_whatever_their_name_says() {
    let endings =
        ["json", "safetensors", "npz", "npy", "msgpack", "pb", "jax_export", "treedef", "key", "x"];
    for ending in endings {
        refused_as(&file("refused_empty", &format!("a.{ending}"), b""), "file is empty");
    }
    assert_eq!(treedef(&["inspect", "-"]).err, "inspect: -: file is empty\n");
}

#[test]
fn files_of_other_programs_are_named() {
    let torch = "this is a PyTorch checkpoint (pickle), which treedef does not read; \
         safetensors.torch.save_file(torch.load(..), ..) writes one that it reads";
    let pickle = "this is a pickle of Python, which treedef does not read; \
         numpy.savez(.., **arrays) writes an .npz file, which it reads";
    let absent =
        "this is the answer of a server that has no such file; download it again".to_owned();
    let denied =
        "this is the answer of a server that refuses access; log in, and download it again";
    let page = "this is an HTML page, not the file itself; \
         download the file (of Hugging Face: /resolve/ for /blob/)";
    let xml = "this is XML, such as the answer of a server, not the file itself; download it again";
    let [toml, yaml] = ["TOML", "YAML"]
        .map(|name| format!("this is a {name} file, which treedef does not read; it reads JSON"));
    let onnx = "this is an ONNX file, which treedef does not read";
    let ocdbt = "this is part of an OCDBT database, as Orbax writes it, which treedef does not read; it reads the file _METADATA of the checkpoint";
    let printed = "this is a dict as Python prints it, which treedef does not read; \
         json.dumps(jax.tree.map(lambda x: str(jax.typeof(x)), ..)) writes JSON, which it reads";
    let own = "this is a treedef as JAX prints or pickles it, which treedef does not read; \
         PyTreeDef.serialize_using_proto() writes a .pb file, which it reads";
    let tensorflow = "this is a model of TensorFlow, which treedef does not read; \
         numpy.savez(.., **arrays) writes an .npz file, which it reads";
    let shards = "this is a checkpoint of torch.distributed, which treedef does not read; \
         torch.distributed.checkpoint.format_utils.dcp_to_torch_save(..) and safetensors.torch.save_file(torch.load(..), ..) write one that it reads";
    let packed = |name: &str, unpack: &str| {
        format!("this is {name}; `{unpack}` writes a file that treedef may read")
    };
    let mut tar = b"model.safetensors".to_vec();
    tar.resize(257, 0);
    tar.extend(b"ustar\x0000");
    for (name, bytes, why) in [
        ("root.ocdbt", &b"\x0c\xdb\x20\xde\x47\x04\0\0\0\0\0\0\0\x01"[..], ocdbt),
        ("versions.ocdbt", b"\x0c\xdb\x12\x34\x47\x04\0\0\0\0\0\0\0\x01", ocdbt),
        ("printed.json", b"{'w': ShapeDtypeStruct(shape=(3,), dtype=float32)}", printed),
        ("text.json", b"PyTreeDef({'w': *})", own),
        ("treedef.pkl", b"\x80\x04\x95\x12\0\0\0\0\0\0\0\x8c\x12jaxlib._jax.pytree\x94\x8c\x09PyTreeDef\x94\x93\x94", own),
        ("saved_model.pb", b"\x08\x01\x12\xd9\xaa\x01\x0a\xd6\x0e\x12\xa6\x0e\x0a\x5e", tensorflow),
        ("variables.index", b"\0\0\x06\x08\x01\x1a\x02\x08\x01\0\x1c\x0e_CHECKPOINTABLE_OBJECT", tensorflow),
        ("dcp.metadata", b"\x80\x02ctorch.distributed.checkpoint.metadata\nMetadata\nq\0", shards),
        ("cut.pt", b"PK\x03\x04\0\0\x08\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\x12\0archive/data.pklFB", torch),
        ("weights.mat", b"MATLAB 5.0 MAT-file, Platform: posix", "this is a MATLAB file, which treedef does not read; \
         numpy.savez(.., **arrays) writes an .npz file, which it reads"),
        ("a.json.gz", b"\x1f\x8b\x08\0", &packed("compressed by gzip", "gunzip")),
        ("a.json.zst", b"\x28\xb5\x2f\xfd\x04\x02", &packed("compressed by zstd", "unzstd")),
        ("a.json.xz", b"\xfd7zXZ\0\0\x04", &packed("compressed by xz", "unxz")),
        ("a.json.bz2", b"BZh91AY&SY", &packed("compressed by bzip2", "bunzip2")),
        ("a.tar", &tar, &packed("a tar archive", "tar -xf")),
    ] {
        refused_as(&file("refused_others", name, bytes), why);
    }
    // A folder of such files is named by one of them.
    for (folder, name, bytes, why) in [
        (
            "dcp",
            ".metadata",
            &b"\x80\x02ctorch.distributed.checkpoint.metadata\nM\nq\0"[..],
            shards,
        ),
        ("saved", "saved_model.pb", b"\x08\x01\x12\xd9\xaa\x01\x0a\xd6\x0e", tensorflow),
    ] {
        let folder = format!("refused_folder/{folder}");
        file(&folder, name, bytes);
        refused_as(&super::path(&folder, ""), why);
    }
    for (name, bytes, why) in [
        ("404.safetensors", &b"404: Not Found"[..], &*absent),
        ("denied.safetensors", b"Invalid username or password.", denied),
        ("page.xhtml", b"<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n", page),
        ("answer.npz", b"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", xml),
        ("bom.json", b"\xef\xbb\xbf<!DOCTYPE html>\n", page),
        ("comment.json", b"<!-- c --><html></html>", page),
        ("graph.onnx", b"\x08\x0a\x3a\x06\x12\x04main", onnx),
        ("key.yaml", b"a: 1", &yaml),
        ("quoted.yaml", b"\"a b\": 1\n", &yaml),
        ("flow.yaml", b"{a: 1}\n", &yaml),
        ("version.yaml", b"%YAML 1.2\n", &yaml),
        ("line.toml", b"x=1", &toml),
        (
            "big.gguf",
            b"FUGG\0\0\0\x03",
            "this is a GGUF file, which treedef does not read; it reads the safetensors files from which such files are made",
        ),
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
        ("rebuilt.bin", b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\nq\0", torch),
        ("list.pkl", b"\x80\x04]\x94.", pickle),
        ("dict.pkl", b"(dp0\nS'a'\np1\nI1\ns.", pickle),
        ("binary.pkl", b"}q\0U\x01aq\x01K\x01s.", pickle),
        ("array.pkl", b"cnumpy.core.multiarray\n_reconstruct\np0\n", pickle),
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
    let why = "header describes 2152 bytes of tensors, the file has 2151; --partial reads the header alone";
    assert_eq!(treedef(&["inspect", &cut]).err, format!("inspect: {cut}: {why}\n"));
    // What is valid is read, whatever it looks like: a header of 640 bytes.
    let mut header = br#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.to_vec();
    header.resize(0x280, b' ');
    let bytes = [&0x280u64.to_le_bytes()[..], &header, b"x"].concat();
    let file = file("refused_others", "valid.safetensors", &bytes);
    assert_eq!(treedef(&["inspect", &file]).code, Some(0));
}

/// Checks that `inspect` refuses a file with exactly this reason.
fn refused_as(file: &str, why: &str) {
    let run = treedef(&["inspect", file]);
    assert_eq!((run.code, run.err), (Some(1), format!("inspect: {file}: {why}\n")));
}

#[test]
fn a_text_is_shown_where_other_bytes_are_expected() {
    let text = b"Please log in first.\nThen try again.\n";
    for (name, not) in
        [("a.safetensors", ", not safetensors"), ("a.treedef", ", not treedef"), ("a.txt", "")]
    {
        let why = format!("this is a text{not}; it begins with \"Please log in first.\"");
        refused_as(&file("refused_text", name, text), &why);
    }
    // A letter of another alphabet at the end of what is looked at.
    let long = "\u{e9}".repeat(600);
    let start = "\u{e9}".repeat(60);
    let why = format!("this is a text, not safetensors; it begins with \"{start}\"");
    refused_as(&file("refused_text", "b.safetensors", long.as_bytes()), &why);
}

#[test]
fn a_zip_file_is_what_its_directory_says() {
    let torch = "this is a PyTorch checkpoint (pickle), which treedef does not read; \
         safetensors.torch.save_file(torch.load(..), ..) writes one that it reads";
    let keras = "this is a Keras file, which treedef does not read; \
         numpy.savez(.., *model.get_weights()) writes an .npz file, which it reads";
    let program = "this is a program of torch.export, which treedef does not read; \
         safetensors.torch.save_file(torch.export.load(..).state_dict, ..) writes a file that it reads";
    for (name, files, why) in [
        ("late.pt", &[("a/version", &[b'3'; 600][..]), ("a/data.pkl", b"\x80\x02}.")][..], torch),
        ("bare.npz", &[("data.pkl", b"\x80\x02}.")], torch),
        (
            "program.pt2",
            &[("a/data/weights/weight_0", b"w"), ("a/archive_format", b"pt2")],
            program,
        ),
        ("model.keras", &[("config.json", b"{}"), ("model.weights.h5", b"\x89HDF")], keras),
        ("empty.npz", &[], "this is an empty zip file"),
        ("empty.zip", &[], "this is an empty zip file"),
        (
            "texts.zip",
            &[("a.txt", b"a"), ("b.txt", b"b")],
            "this is a zip file without NumPy arrays: it has \"a.txt\" and 1 more",
        ),
    ] {
        refused_as(&file("refused_zip", name, &zip(files)), why);
    }
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
    let npy =
        [b"\x93NUMPY\x01\0", &[header.len() as u8, 0][..], header.as_bytes(), &[0; 8]].concat();
    let with = |others: &[(&str, &[u8])]| {
        let files = [others, &[("a.npy", &npy)]].concat();
        super::output(&["inspect", &file("refused_zip", "with.npz", &zip(&files))])
    };
    let folder = with(&[("dir/", b"")]);
    assert!(!folder.contains("not read"), "{folder}");
    let one = "\nnot read     a file that is no NumPy array: \"readme.txt\"\n";
    assert!(with(&[("readme.txt", b"text")]).ends_with(one));
    let two = "\nnot read     2 files that are no NumPy arrays, such as \"readme.txt\"\n";
    assert!(with(&[("readme.txt", b"text"), ("b", b"")]).ends_with(two));
}

#[test]
fn a_format_on_request_is_compared_with_the_first_bytes() {
    let empty = zip(&[("a.txt", b"a")]);
    let path = file("refused_zip", "asked.zip", &empty);
    let why = "this is a zip file without NumPy arrays: it has \"a.txt\"";
    let args = ["inspect", "--format", "safetensors"];
    let run = treedef(&[&args[..], &[&path]].concat());
    assert_eq!(run.err, format!("inspect: {path}: {why}\n"));
    let piped = super::run(&[&args[..], &["-"]].concat(), &[], &empty);
    assert_eq!(piped.err, "inspect: -: this is a file of the format npz, not safetensors\n");
}

#[test]
fn the_first_bytes_of_a_shard_decide_what_it_is() {
    let torch = "this is a PyTorch checkpoint (pickle), which treedef does not read; \
         safetensors.torch.save_file(torch.load(..), ..) writes one that it reads";
    for (name, bytes, why) in [
        (
            "lfs.safetensors",
            &b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"[..],
            "this is a git-lfs pointer, not the file itself; `git lfs pull` fetches the file",
        ),
        ("torch.bin", &zip(&[("archive/data.pkl", b"\x80\x02}q\0.")]), torch),
        (
            "json.bin",
            b"{\"a\": 1}",
            "this is a text, not safetensors; it begins with \"{\\\"a\\\": 1}\"",
        ),
        ("array.npy", b"\x93NUMPY\x01\0", "this is a file of the format npy, not safetensors"),
    ] {
        file("refused_shard", name, bytes);
        let index = format!(r#"{{"weight_map": {{"a": "{name}"}}}}"#);
        let why = format!("\"{name}\", which the index names, cannot be read: {why}");
        refused_as(&file("refused_shard", "index.json", index.as_bytes()), &why);
    }
}

#[test]
fn every_missing_shard_is_named() {
    file("refused_absent", "a.safetensors", &safetensors(&[("a", "U8", &[1], 1)]));
    let index = br#"{"weight_map": {"a": "a.safetensors", "b": "b.safetensors", "c": "c.safetensors", "d": "b.safetensors"}}"#;
    let index = file("refused_absent", "index.json", index);
    let why = "\"b.safetensors\", \"c.safetensors\", which the index names, are absent; --partial reads the others";
    refused_as(&index, why);
    let out = super::output(&["inspect", "--partial", &index]);
    assert!(out.contains("\nfiles        3, without b.safetensors, c.safetensors\n"), "{out}");
}

#[test]
fn an_index_is_known_by_the_files_that_it_names() {
    file("refused_map", "a.safetensors", &safetensors(&[("a", "U8", &[1], 1)]));
    let map = r#""weight_map": {"a": "a.safetensors"}"#;
    let other = file("refused_map", "other.json", format!(r#"{{{map}, "x": 1}}"#).as_bytes());
    let out = super::output(&["inspect", &other]);
    assert!(out.ends_with("\nnot read     a key beside the weight_map: \"x\"\n"), "{out}");
    let number = br#"{"weight_map": {"a": "a.safetensors", "b": 1}}"#;
    let why = "weight_map of the index: the file of \"b\" is no text";
    refused_as(&file("refused_map", "number.json", number), why);
    // Weights of another kind.
    let json = file("refused_map", "json.json", br#"{"weight_map": {"a": 1}}"#);
    assert!(
        super::output(&["inspect", "--treedef", &json])
            .contains("PyTreeDef({'weight_map': {'a': *}})")
    );
}

#[test]
fn metadata_that_come_twice_are_refused() {
    let header = |header: &str| [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    for (header, why) in [
        (
            header(r#"{"__metadata__":{"a":"1"},"__metadata__":{"a":"2"}}"#),
            "header: metadata: comes twice at line 1 column 51",
        ),
        (
            header(r#"{"__metadata__":{"a":"1","a":"2"}}"#),
            "header: metadata: key \"a\" comes twice at line 1 column 33",
        ),
    ] {
        refused_as(&file("refused", "metadata.safetensors", &header), why);
    }
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
