//! Checkpoints in folders, and in several files.

use std::fs;

use super::{file, output, path, safetensors, treedef};

/// A safetensors file with these tensors of four bytes.
fn tensors(names: &[&str]) -> Vec<u8> {
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (*name, "F32", &[1][..], 4)).collect();
    safetensors(&tensors)
}

/// An empty folder.
fn folder(name: &str) -> String {
    let folder = path(name, "");
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Checks that a folder is refused with exactly this reason.
fn refused_as(folder: &str, why: &str) {
    let run = treedef(&["inspect", folder]);
    assert_eq!((run.code, run.err), (Some(1), format!("inspect: {folder}: {why}\n")));
}

#[test]
fn the_only_model_of_a_folder_is_read() {
    let root = folder("folder_one");
    file("folder_one", "config.json", b"{}");
    refused_as(&root, "is a directory without files that are read");
    // Of all that a program of PyTorch writes.
    file("folder_one", "training_args.bin", b"PK");
    file("folder_one", "model.safetensors", &tensors(&["w"]));
    let out = output(&["inspect", &root]);
    assert!(out.starts_with("folder_one  1 parameter · 4 B · f32\n"), "{out}");
    assert!(out.ends_with("\nfile         model.safetensors\n"), "{out}");
    assert_eq!(treedef(&["diff", &root, &format!("{root}model.safetensors")]).code, Some(0));
    file("folder_one", "other.safetensors", &tensors(&["w"]));
    let all = "model.safetensors, other.safetensors, training_args.bin";
    refused_as(&root, &format!("is a directory with several files; name one: {all}"));
    // An index names the others.
    let index = br#"{"weight_map": {"w": "other.safetensors"}}"#;
    file("folder_one", "model.safetensors.index.json", index);
    let out = output(&["inspect", &root]);
    assert!(
        out.ends_with("\nfiles        1\nfile         model.safetensors.index.json\n"),
        "{out}"
    );
    // What is in it has its own reason.
    file("folder_one", "model.safetensors.index.json", b"{\"weight_map\": 1");
    refused_as(&root, "model.safetensors.index.json: file ends inside a value of JSON, on line 1");
    // Files of other programs are said to be so.
    let root = folder("folder_other");
    file("folder_other", "model.gguf", b"GGUF\x03\0\0\0");
    let why = "model.gguf: this is a GGUF file, which treedef does not read; it reads the safetensors files from which such files are made";
    refused_as(&root, why);
    // Folders in it are named if it has nothing itself.
    let root = folder("folder_deep");
    fs::create_dir_all(format!("{root}unet")).unwrap();
    file("folder_deep/unet", "model.npz", b"PK");
    file("folder_deep/snapshots/1f2e", "model.npz", b"PK");
    let below = "below it are: snapshots/1f2e/model.npz, unet/model.npz";
    refused_as(&root, &format!("is a directory without files that are read; {below}"));
}

#[test]
fn shards_of_a_name_are_one_checkpoint() {
    let root = folder("folder_shards");
    let add = |at: usize, names: &[&str]| {
        file("folder_shards", &format!("model-0000{at}-of-00003.safetensors"), &tensors(names))
    };
    let [one, two] = [add(1, &["h.0.w", "h.1.w"]), add(2, &["h.2.w"])];
    let absent = "\"model-00003-of-00003.safetensors\", which the names of the others announce, is absent; --partial reads the others";
    refused_as(&root, absent);
    let part = output(&["inspect", "--partial", &root]);
    assert!(
        part.ends_with("\nfiles        2, without model-00003-of-00003.safetensors\n"),
        "{part}"
    );
    let three = add(3, &["head"]);
    let whole = output(&["inspect", &root]);
    assert!(whole.starts_with("folder_shards  4 parameters · 16 B · f32\n"), "{whole}");
    assert!(whole.contains("└─ 0-2   × 3 "), "{whole}");
    assert!(whole.ends_with("\nfiles        3\n"), "{whole}");
    // So are the files that a command line names.
    let named = output(&["inspect", &one, &two, &three]);
    let name = "model-00001-of-00003.safetensors and 2 more  4 parameters · 16 B · f32\n";
    assert_eq!(named.split_once('\n').unwrap().0, name.trim_end());
    assert_eq!(named.split_once('\n').unwrap().1, whole.split_once('\n').unwrap().1);
    let two_of_three = output(&["inspect", &one, &three]);
    let fact = "\nfiles        2, without model-00002-of-00003.safetensors\n";
    assert!(two_of_three.ends_with(fact), "{two_of_three}");
    // Any names will do, but no tensor twice, and no other format.
    let other = file("folder_shards", "other.safetensors", &tensors(&["x"]));
    assert!(output(&["inspect", &one, &other]).ends_with("\nfiles        2\n"));
    let run = treedef(&["inspect", &one, &one]);
    let why = "\"h.0.w\" is in an earlier file, too; several files are read as one checkpoint, and `treedef diff` compares two";
    assert_eq!((run.code, run.err), (Some(1), format!("inspect: {one}: {why}\n")));
    let json = file("folder_shards", "other.json", b"{}");
    let run = treedef(&["inspect", &one, &json]);
    let why = "; several files have to be safetensors files\n";
    assert!(run.code == Some(1) && run.err.ends_with(why), "{}", run.err);
    assert!(run.err.starts_with(&format!("inspect: {json}: ")), "{}", run.err);
    let run = treedef(&["inspect", &one, &format!("{root}missing.safetensors")]);
    assert_eq!(run.err, format!("inspect: {root}missing.safetensors: no such file\n"));
}

#[test]
fn an_unfinished_checkpoint_and_a_group_of_zarr_have_a_name() {
    let unfinished =
        "is an unfinished checkpoint of Orbax, which renames the folder when all is written";
    let root = folder("folder_tmp");
    let inside = format!("{root}7.orbax-checkpoint-tmp-12");
    fs::create_dir_all(format!("{inside}/state")).unwrap();
    refused_as(&root, &format!("\"7.orbax-checkpoint-tmp-12\" in it {unfinished}"));
    refused_as(&inside, unfinished);
    // A finished one beside it is read.
    let metadata = br#"{"tree_metadata": {}, "use_zarr3": true}"#;
    file("folder_tmp/6/state", "_METADATA", metadata);
    file("folder_tmp/7.orbax-checkpoint-tmp-12/state", "_METADATA", metadata);
    assert!(output(&["inspect", &root]).ends_with("\nfile         6/state/_METADATA\n"));
    refused_as(&inside, unfinished);
    let root = folder("folder_zarr");
    let group = "is a group of zarr without the file _METADATA of Orbax, which treedef does not read; \
         numpy.savez(.., **arrays) writes an .npz file, which it reads";
    file("folder_zarr/w", ".zarray", br#"{"dtype": "<f4", "shape": [2]}"#);
    refused_as(&root, group);
    let array = "is an array of zarr, of which treedef reads the folders of Orbax checkpoints";
    refused_as(&format!("{root}w"), array);
    fs::remove_dir_all(&root).unwrap();
    file("folder_zarr", ".zgroup", b"{\"zarr_format\": 2}");
    refused_as(&root, group);
}

/// What `head -c` and `curl -r` leave of a file.
#[test]
fn a_header_without_its_tensors_is_read_in_part() {
    let whole = safetensors(&[("h.w", "F32", &[100, 10], 4), ("x", "F32", &[2], 4)]);
    let header = whole.len() - 4008;
    let remark = |found: usize| {
        let found = if found > 1000 { "4,007".to_owned() } else { found.to_string() };
        format!("\nremark       the file has {found} of 4,008 bytes of tensors\n")
    };
    let shown = |out: &str| out.split_once("\nremark").unwrap().0.to_owned();
    let of_whole = output(&["inspect", &file("folder_cut", "cut.safetensors", &whole)]);
    for found in [0, 1, 4007] {
        let cut = &whole[..header + found];
        let name = file("folder_cut", "cut.safetensors", cut);
        let why = format!(
            "header describes 4008 bytes of tensors, the file has {found}; --partial reads the header alone"
        );
        refused_as(&name, &why);
        let out = output(&["inspect", "--partial", &name]);
        assert!(out.ends_with(&remark(found)), "{out}");
        assert_eq!(shown(&out) + "\n", of_whole);
        let piped = super::run(&["inspect", "--partial", "-"], &[], cut);
        assert!(piped.out.ends_with(&remark(found)), "{} {}", piped.out, piped.err);
    }
    let name = file("folder_cut", "cut.safetensors", &whole[..header - 1]);
    let run = treedef(&["inspect", "--partial", &name]);
    let why = format!(
        "file ends inside its header of {} bytes; of the first {header} bytes --partial shows the tree\n",
        header - 8
    );
    assert!(run.err.ends_with(&why), "{}", run.err);
    // Bytes after the tensors are no beginning.
    let longer = file("folder_cut", "longer.safetensors", &[&whole[..], b"x"].concat());
    assert_eq!(treedef(&["inspect", "--partial", &longer]).code, Some(1));
    // So is a file that an index names.
    file("folder_cut", "shard.safetensors", &whole[..header]);
    let index = br#"{"weight_map": {"h.w": "shard.safetensors"}}"#;
    let index = file("folder_cut", "index.json", index);
    assert_eq!(treedef(&["inspect", &index]).code, Some(1));
    assert!(output(&["inspect", "--partial", &index]).contains("f32[100,10]"));
    // And an array of NumPy.
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }\n";
    let bytes = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()];
    let npy = file("folder_cut", "cut.npy", &[&bytes.concat()[..], &[0; 10]].concat());
    refused_as(&npy, "file has 10 bytes for f32[1000]; --partial reads the header alone");
    let out = output(&["inspect", "--partial", &npy]);
    assert!(out.starts_with("cut.npy  1,000 parameters · 4.0 kB · f32\n"), "{out}");
}
