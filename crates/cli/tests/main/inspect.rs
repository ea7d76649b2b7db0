//! What `treedef inspect` shows.

use std::fs;

use treedef::cache::{Dtype, KeyBox, ShapeDtype};
use treedef::{TreeDef, structure};

use super::{data, file, output, run, safetensors};

#[test]
fn every_file_of_the_data_is_read() {
    let mut count = 0;
    for file in fs::read_dir(data("")).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "md" || ending == "py") {
            continue;
        }
        let out = output(&["inspect", "--treedef", file.to_str().unwrap()]);
        assert!(out.contains("JAX          PyTreeDef("), "{out}");
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{}: {line}", file.display());
        }
        // Standard input has no name: the bytes decide.
        let bytes = fs::read(&file).unwrap();
        let piped = run(&["inspect", "--treedef", "-"], &[], &bytes);
        assert_eq!(piped.err, "", "{}", file.display());
        let facts = |out: &str| out[out.find("fingerprint").unwrap()..].to_owned();
        assert_eq!(facts(&piped.out), facts(&out));
        count += 1;
    }
    assert_eq!(count, 14);
}

/// What a reader of a table reads, without the spaces that align it.
fn words(out: &str) -> Vec<String> {
    out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn parameters_bytes_and_shapes_add_up() {
    let out = output(&["inspect", "--treedef", &data("gpt2_small.json")]);
    let lines = words(&out);
    assert_eq!(lines[0], "gpt2_small.json 124,439,808 parameters · 497.8 MB · f32");
    for line in [
        "dict params bytes share",
        "└─ params.transformer 124.4 M 497.8 MB 100% ██████",
        "│ └─ 0-11 × 12 85.1 M 340.2 MB 68% ████▏",
        "│ │ │ └─ kernel 12 × f32[768,2304] 21.2 M 84.9 MB 17% █",
        "│ ├─ ln_1, ln_2 × 2 36.9 K 147.5 kB <1% ▏",
        "│ │ └─ bias, scale 48 × f32[768] 36.9 K 147.5 kB <1% ▏",
        "└─ wte.embedding f32[50257,768] 38.6 M 154.4 MB 31% █▉",
        "leaves 148 of 263 nodes, 7 levels deep",
        "treedef 200 bytes, 1,849 with repeats written out",
        "fingerprint 23a3336534b5b5cb of the structure",
    ] {
        assert!(
            lines
                .iter()
                .any(|found| found.trim_start_matches("│ ") == line.trim_start_matches("│ ")),
            "{line}\n{out}"
        );
    }
    // A wide terminal has room for exact numbers.
    let wide = run(&["inspect", &data("gpt2_small.json")], &[("COLUMNS", "120")], b"").out;
    let kernel = "12 × f32[768,2304] 21,233,664 84.9 MB 17% ███▍";
    assert!(words(&wide).iter().any(|line| line.ends_with(kernel)), "{wide}");
    assert!(wide.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn columns_are_aligned() {
    for columns in ["60", "80", "120"] {
        let out = run(&["inspect", &data("gpt2_small.json")], &[("COLUMNS", columns)], b"").out;
        let table = out.lines().skip(2).take_while(|line| !line.is_empty());
        let ends: Vec<_> = table
            .map(|line| {
                let at =
                    if line.ends_with("share") { line.len() } else { line.find('%').unwrap() + 1 };
                line[..at].chars().count()
            })
            .collect();
        assert!(ends.len() > 20 && ends.iter().all(|end| *end == ends[0]), "{ends:?}\n{out}");
        assert!(
            out.lines().all(|line| line.chars().count() <= columns.parse::<usize>().unwrap()),
            "{out}"
        );
        // Without room for all, the bytes go, and labels and types stay.
        assert_eq!(out.contains("  bytes  share"), columns != "60", "{out}");
        assert!(out.contains("─ kernel ") && out.contains("  12 × f32[3072,768]  "), "{out}");
    }
}

#[test]
fn long_values_lose_their_end_before_labels_lose_letters() {
    let json = format!(r#"{{"item_handlers": "{}", "metrics": 1}}"#, "long".repeat(20));
    let out = output(&["inspect", &file("long", "value.json", json.as_bytes())]);
    let rows = "
├─ item_handlers  \"longlonglonglonglonglonglonglonglonglo…       1    50%  ██▌
└─ metrics        1                                              1    50%  ██▌
";
    assert!(out.contains(rows), "{out}");
}

#[test]
fn long_labels_lose_letters_in_the_middle() {
    let norm = "layers.0.a_name_that_is_very_long_for_a_layer_of_any_model.weight";
    let tensors = safetensors(&[
        ("layers.0.projection.weight", "BF16", &[6144, 16], 2),
        (norm, "BF16", &[64], 2),
        ("x", "BF16", &[6144, 16], 2),
    ]);
    let out = output(&["inspect", &file("long", "long.safetensors", &tensors)]);
    let lines: Vec<_> = out.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{out}");
    // Other types keep their column, and none is cut.
    let rows = lines.iter().filter(|line| line.contains("─ "));
    let types = rows.filter_map(|line| line.split_once("bf16[6144,16] "));
    let columns: Vec<_> = types.map(|(before, _)| before.chars().count()).collect();
    assert_eq!(columns.len(), 2, "{out}");
    assert_eq!(columns[0], columns[1], "{out}");
    assert!(out.contains("─ a_name_that") && out.contains("…any_model.weight  bf16[64] "), "{out}");
    let full = output(&["inspect", "--full", &file("long", "long.safetensors", &tensors)]);
    assert!(!full.contains('…'), "{full}");
    // Before that the bytes go: a name is copied.
    let name = "layers.0.post_attention_layernorm_of_it.weight";
    let tensors = safetensors(&[(name, "F32", &[64, 4], 4), ("x", "F32", &[6144, 16], 4)]);
    let out = output(&["inspect", &file("long", "name.safetensors", &tensors)]);
    assert!(out.contains(&format!("─ {name}  f32[64,4] ")), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[test]
fn equal_neighbours_share_a_row() {
    // Without leaves, too; keys with numbers in the order of the numbers; runs that differ in a dtype are apart.
    let json = br#"{
        "nones": [null, null, {}, {}, []],
        "layers": {"10": "f32[2]", "9": "f32[2]", "8": "f32[2]", "7": "f16[2]"},
        "block_1": ["i8[3]", "i8[3]"], "block_2": ["i8[3]", "i8[3]"], "block_3": ["i8[3]", "i8[3]"]
    }"#;
    let folded = file("fold", "fold.json", json);
    let lines = words(&output(&["inspect", &folded]));
    let table = lines[3..].iter().take_while(|line| !line.is_empty());
    let rows: Vec<_> = table.map(|line| line.split(" █").next().unwrap()).collect();
    let expected = [
        "├─ block_{1-3} list × 3 18 18 B 39%",
        "│ └─ 0, 1 6 × i8[3] 18 18 B 39%",
        "├─ layers 8 28 B 61%",
        "│ ├─ 7 f16[2] 2 4 B 9%",
        "│ └─ 8-10 3 × f32[2] 6 24 B 52%",
        "└─ nones list",
        "├─ 0, 1 None × 2",
        "├─ 2, 3 {} × 2",
        "└─ 4 []",
    ];
    assert_eq!(rows, expected);
    // What has the same size is not the same.
    let json = br#"["f32[2,3]", "f32[3,2]", "i32[3,2]", "i32[3,2]"]"#;
    let sizes = output(&["inspect", &file("fold", "sizes.json", json)]);
    assert_eq!(sizes.matches("─ ").count(), 3, "{sizes}");
    let kinds = treedef::treedef!([[*, *], (*, *), (*, *)]);
    let kinds = output(&["inspect", &file("fold", "kinds.treedef", kinds.as_bytes())]);
    assert!(kinds.contains("├─ 0 ") && kinds.contains("└─ 1, 2 "), "{kinds}");
    // --full writes each by itself.
    let long = br#"{"long_name_1": [1], "long_name_2": [1], "long_name_4": [1, 2]}"#;
    let long = output(&["inspect", &file("fold", "long.json", long)]);
    assert!(long.contains("├─ long_name_{1,2}  list × 2"), "{long}");
    let full = words(&output(&["inspect", "--full", &folded]));
    assert!(full.iter().any(|line| line.starts_with("├─ 1 None")), "{full:?}");
    assert!(full.iter().any(|line| line.starts_with("├─ block_2 list")), "{full:?}");
}

#[test]
fn deep_trees_show_their_upper_levels() {
    let out = output(&["inspect", &data("resnet50.json")]);
    assert!(out.lines().count() < 70, "{out}");
    assert!(out.contains(" …  "), "{out}");
    assert!(out.contains("\n… --depth N shows more levels, --full everything\n"), "{out}");
    let one = output(&["inspect", "--depth", "1", &data("resnet50.json")]);
    assert_eq!(one.lines().filter(|line| line.contains("─ ")).count(), 2, "{one}");
    let full = output(&["inspect", "--full", &data("resnet50.json")]);
    // Every node but the root. 53 kernels are the only child of their layer and share its row.
    assert_eq!(full.matches("─ ").count(), 462 - 1 - 53, "{full}");
    assert!(!full.contains('…'), "{full}");
    assert!(!one.contains("--depth"), "{one}");
    // A level that is too wide ends early.
    let items: Vec<_> = (0..200).map(|size| format!("\"f32[{size}]\"")).collect();
    let wide = file("wide", "wide.json", format!("[{}]", items.join(",")).as_bytes());
    let wide = output(&["inspect", &wide]);
    assert!(wide.contains("\n… and 140 more\n"), "{wide}");
    assert_eq!(wide.matches("─ ").count(), 60, "{wide}");
}

#[test]
fn colours_are_for_terminals() {
    let args = ["inspect", &data("gpt2_small.json")];
    assert!(!output(&args).contains('\x1b'));
    let always = run(&["inspect", "--color", "always", &data("gpt2_small.json")], &[], b"").out;
    assert!(always.contains("\x1b[1mgpt2_small.json\x1b[0m"), "{always}");
    assert!(always.contains("\x1b[36m████▏\x1b[0m"), "{always}");
    // Colours take no columns.
    let mut plain = String::new();
    for part in always.split('\x1b') {
        plain += part
            .strip_prefix('[')
            .and_then(|part| part.split_once('m'))
            .map_or(part, |(_, rest)| rest);
    }
    assert_eq!(plain, output(&args));
}

#[test]
fn json_has_every_leaf() {
    let out = output(&["inspect", "--json", &data("tiny_gpt.safetensors")]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["format"], "safetensors");
    assert_eq!(report["facts"][0][1], "format=pt, model=gpt2, two layers of width four");
    let tree = &report["trees"][0];
    assert_eq!((&tree["parameters"], &tree["bytes"]), (&559.into(), &2152.into()));
    assert_eq!(tree["dtypes"]["f16"]["bytes"], 112);
    let leaves = tree["leaves"].as_array().unwrap();
    assert_eq!(leaves.len(), 30);
    let sum: u64 = leaves.iter().map(|leaf| leaf["bytes"].as_u64().unwrap()).sum();
    assert_eq!(sum, 2152);
    assert_eq!(leaves[3]["path"], "['transformer']['h']['0']['attn']['c_attn']['weight']");
    assert_eq!(leaves[3]["shape"], serde_json::json!([4, 12]));
    assert_eq!(tree["treedef"]["fingerprint"], "12d1cc4691eb5c88");
}

#[test]
fn an_index_shows_its_shards() {
    let one = safetensors(&[("h.0.w", "F32", &[2, 3], 4), ("h.1.w", "F32", &[2, 3], 4)]);
    let two = safetensors(&[("head", "BF16", &[5], 2)]);
    file("index", "model-1.safetensors", &one);
    file("index", "model-2.safetensors", &two);
    let index = br#"{"metadata": {"total_size": 58}, "weight_map": {
        "h.0.w": "model-1.safetensors", "h.1.w": "model-1.safetensors", "head": "model-2.safetensors"}}"#;
    let index_file = file("index", "model.safetensors.index.json", index);
    let out = output(&["inspect", &index_file]);
    assert!(out.contains("17 parameters · 58 B · f32 83%, bf16 17%"), "{out}");
    assert!(out.contains("\nfiles        2\n"), "{out}");
    // Of an absent file the names are known.
    let part =
        br#"{"weight_map": {"h.0.w": "model-1.safetensors", "other": "model-3.safetensors"}}"#;
    let out = output(&["inspect", "--partial", &file("index", "part.json", part)]);
    assert!(out.contains("≥ 6 parameters · ≥ 24 B"), "{out}");
    assert!(out.contains("\nfiles        2, without model-3.safetensors\n"), "{out}");
    let alone = file("index_alone", "model.safetensors.index.json", index);
    let run = super::treedef(&["inspect", &alone]);
    assert_eq!(
        (run.code, run.err),
        (
            Some(1),
            format!(
                "inspect: {alone}: \"model-1.safetensors\", \"model-2.safetensors\", which the index names, are absent; --partial reads the others\n"
            )
        )
    );
    let alone = output(&["inspect", "--partial", &alone]);
    assert!(alone.contains("model.safetensors.index.json  3 leaves\n"), "{alone}");
}

#[test]
fn a_call_key_has_the_types_of_its_leaves() {
    let def = treedef::treedef!({"b": *, "w": *});
    let key = KeyBox::build(|key| {
        key.treedef(def)
            .leaves([
                ShapeDtype::new(Dtype::Float32, &[8]),
                ShapeDtype::new(Dtype::Bfloat16, &[8, 4]),
            ])
            .treedef(TreeDef::LEAF)
            .leaves([ShapeDtype::new(Dtype::Float32, &[]).with_weak(true)])
            .treedef(TreeDef::LEAF)
            .meta(&true);
    });
    let key = key.unwrap();
    let out = output(&["inspect", &file("key", "call.key", key.as_key().as_bytes())]);
    assert!(out.contains("call.key, tree 0  40 parameters · 96 B · bf16 67%, f32 33%"), "{out}");
    assert!(out.contains("\nweak f32[] "), "{out}");
    assert!(out.contains("\ntree 2  1 leaf\n"), "{out}");
    let print = format!("\nfingerprint  {:016x} of the whole key\n", key.as_key().fingerprint());
    assert!(out.contains(&print), "{out}");
    let json: serde_json::Value = serde_json::from_str(&output(&[
        "inspect",
        "--json",
        &file("key", "call.key", key.as_key().as_bytes()),
    ]))
    .unwrap();
    assert_eq!(json["trees"][1]["leaves"][0]["weak_type"], true);
    assert!(json["trees"][0]["leaves"][0].get("weak_type").is_none());
    assert!(out.contains("\nstatic       True\n"), "{out}");
    // Bytes that are no treedef are tried as a key.
    let out = output(&["inspect", &file("key", "unknown", key.as_key().as_bytes())]);
    assert!(out.contains("40 parameters"), "{out}");
}

#[test]
fn sizes_that_a_call_decides_are_not_counted() {
    let out = output(&["inspect", &data("pid_step.jax_export")]);
    assert!(out.contains("pid_step.jax_export, inputs  ≥ 6 parameters · ≥ 24 B · f32"), "{out}");
    assert!(out.contains("f32[b,3]\n"), "{out}");
    assert!(out.contains("\nfunction     pid\n"), "{out}");
}

#[test]
fn a_treedef_of_billions_of_nodes_is_answered_at_once() {
    // Lists of two lists of two …, by doubling the number of levels.
    let twice = |def: TreeDef<'_>| structure(&def.compose(def)).unwrap();
    let two = twice(treedef::treedef!([*, *]));
    let (four, eight) = (twice(two.as_treedef()), twice(twice(two.as_treedef()).as_treedef()));
    let sixteen = twice(eight.as_treedef());
    let smaller = structure(&sixteen.as_treedef().compose(four.as_treedef())).unwrap();
    let bomb = structure(&smaller.as_treedef().compose(eight.as_treedef())).unwrap();
    let out = output(&["inspect", &file("bomb", "bomb.treedef", bomb.as_ref())]);
    assert!(
        out.contains("\nleaves       268,435,456 of 536,870,911 nodes, 28 levels deep\n"),
        "{out}"
    );
    let out = output(&["inspect", &file("bomb", "smaller.treedef", smaller.as_ref())]);
    assert!(out.contains("1,048,576 leaves"), "{out}");
}

#[test]
fn characters_that_are_not_seen_are_escaped() {
    let name = "a\u{202e}b\u{200b}c\u{3164}d";
    let json =
        file("hidden", &format!("{name}.json"), format!("{{\"{name}\": \"{name}\"}}").as_bytes());
    let broken = file("hidden", "x\u{202e}y\nz.json", b"{");
    let tensors = file("hidden", "hidden.safetensors", &safetensors(&[(name, "U8", &[1], 1)]));
    let hidden = ['\u{202e}', '\u{200b}', '\u{3164}'];
    for args in [
        &["inspect", &json][..],
        &["inspect", "--json", &json],
        &["inspect", "--html", &json],
        &["inspect", "--svg", &json],
        &["inspect", "--full", &tensors],
        &["diff", &json, &tensors],
        &["inspect", &broken],
    ] {
        let run = super::treedef(args);
        assert!(
            !run.out.contains(hidden) && !run.err.contains(hidden),
            "{args:?}: {}{}",
            run.out,
            run.err
        );
    }
    let error = super::treedef(&["inspect", &broken]).err;
    assert!(error.contains("/x\\u{202e}y\\nz.json: file ends inside "), "{error}");
    // JSON means the same characters.
    let report: serde_json::Value =
        serde_json::from_str(&output(&["inspect", "--json", &json])).unwrap();
    assert_eq!(report["trees"][0]["leaves"][0]["value"], name);
    let out = output(&["inspect", &tensors]);
    assert!(out.contains("─ a\\u{202e}b\\u{200b}c\\u{3164}d  u8[1]"), "{out}");
}

#[test]
fn an_output_that_is_closed_early_is_no_failure() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_treedef"))
        .args(["inspect", "--full", &data("resnet50.json")])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn texts_in_the_form_of_types_are_leaves_of_these_types() {
    let json = br#"{"a": "~float32[]", "b": "bfloat16[2]", "c": "float8_e4m3fn[3]", "d": "i32[2, 2]", "e": "u8[0]",
        "f": "f32[2", "g": "foo[2]", "h": "f32[-1]", "i": "f32[9999999999,9999999999,9999999999]"}"#;
    let out = output(&["inspect", "--json", &file("types", "types.json", json)]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    let found: Vec<_> = leaves
        .iter()
        .map(|leaf| (leaf["dtype"].as_str().unwrap(), leaf["bytes"].as_u64()))
        .collect();
    let expected = [
        ("f32", Some(4)),
        ("bf16", Some(4)),
        ("f8_e4m3fn", Some(3)),
        ("i32", Some(16)),
        ("u8", Some(0)),
        ("str", None),
        ("str", None),
        ("str", None),
        ("f32", None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn arrays_of_numpy_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let out = output(&["inspect", "--json", &format!("{folder}/arrays.npz")]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    let found: Vec<_> = leaves
        .iter()
        .map(|leaf| {
            let text = |name: &str| leaf[name].as_str().unwrap();
            (text("path"), text("dtype"), leaf["shape"].to_string(), leaf["bytes"].as_u64())
        })
        .collect();
    let expected = [
        ("['big_endian']", ">f64", "[3]", Some(24)),
        ("['dense']['bias']", "f16", "[4]", Some(8)),
        ("['dense']['kernel']", "f32", "[3,4]", Some(48)),
        ("['fortran']", "c64", "[2,2]", Some(32)),
        ("['mask']", "bool", "[2]", Some(2)),
        ("['names']", "U2", "[2]", Some(16)),
        ("['record']", "record{shape:f32,at:i16}", "[2]", Some(12)),
        ("['step']", "i64", "[]", Some(8)),
        ("['void']", "V2", "[2]", Some(4)),
        ("['when']", "M8[ns]", "[1]", Some(8)),
    ];
    assert_eq!(
        found,
        expected.map(|(path, dtype, shape, bytes)| (path, dtype, shape.into(), bytes))
    );
    // The first line names the largest dtypes.
    let first = output(&["inspect", &format!("{folder}/arrays.npz")]);
    assert!(first.contains(" · 162 B · f32 30%, c64 20%, >f64 15%, U2 10%, 6 more\n"), "{first}");
    let packed = output(&["inspect", &format!("{folder}/packed.npz")]);
    assert!(packed.contains("2 × f32[3,4]"), "{packed}");
}

#[test]
fn dtypes_of_safetensors_have_the_names_of_jax() {
    let tensors = safetensors(&[
        ("a", "F8_E4M3", &[4], 1),
        ("b", "F8_E8M0", &[4], 1),
        ("c", "BOOL", &[4], 1),
        ("d", "C64", &[4], 8),
    ]);
    let out = output(&["inspect", &file("dtypes", "dtypes.safetensors", &tensors)]);
    for kind in ["f8_e4m3fn[4]", "f8_e8m0fnu[4]", "bool[4]", "c64[4]"] {
        assert!(out.contains(&format!("  {kind} ")), "{kind}\n{out}");
    }
}

#[test]
fn a_file_cannot_control_the_terminal() {
    let header = r#"{"__metadata__":{"a":"\u001b[31mred"},"\u001b[2J":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#;
    let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    let clear = file("control", "a\u{1b}[2J.safetensors", &bytes);
    let json = file("control", "a.json", b"{\"\\u001b[2J\": \"\\u001b[31m\"}");
    let cut = file("control", "cut\u{1b}[2J.safetensors", &bytes[..20]);
    for args in [
        &["inspect", &clear][..],
        &["inspect", &json],
        &["inspect", "--html", &clear],
        &["diff", &clear, &json],
        &["diff", "--all", &json, &clear],
        &["inspect", &cut],
    ] {
        let run = super::treedef(args);
        assert!(!run.out.contains('\x1b') && !run.out.is_empty() || args[1] == cut, "{args:?}");
        assert!(!run.err.contains('\x1b'), "{}", run.err);
    }
    let out = output(&["inspect", &clear]);
    assert!(out.contains("a=\\u{1b}[31mred") && out.contains("─ \\u{1b}[2J  u8[0]"), "{out}");
}

#[test]
fn some_leaves_are_selected() {
    let data = data("gpt2_small.json");
    let only = |pattern: &str| {
        let out = output(&["inspect", "--only", pattern, &data]);
        out[out.find("only ").unwrap()..].to_owned()
    };
    for (pattern, found) in [
        ("kernel", "48"),
        ("attn", "48"),
        ("**.ln_1.bias", "12"),
        ("params/transformer/h/{0,1}", "24"),
        ("params.transformer.h.0.attn.c_attn.bias", "1"),
        ("ln_[12]", "48"),
    ] {
        assert_eq!(only(pattern), format!("only         {found} of 148 leaves: {pattern}\n"));
    }
    let out = output(&["inspect", "--only", "wte", &data]);
    let lines = words(&out);
    assert_eq!(lines[0], "gpt2_small.json 38,597,376 parameters · 154.4 MB · f32");
    assert_eq!(lines[3], "└─ params.transformer.wte.embedding f32[50257,768] 38.6 M 154.4 MB 100%");
    let run = super::treedef(&["inspect", "--only", "none", &data]);
    assert_eq!(
        (run.code, run.err),
        (Some(1), format!("inspect: {data}: no leaf matches \"none\"\n"))
    );
}

#[test]
fn a_star_at_the_beginning_is_any_number_of_parts() {
    let json = br#"{"bias": 1, "h": [{"bias": 2, "w": 3}], "x": {"bias": 4, "bias2": 5}}"#;
    let file = file("only", "bias.json", json);
    let paths = |pattern: &str| {
        let report = output(&["inspect", "--json", "--only", pattern, &file]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let leaves = report["trees"][0]["leaves"].as_array().unwrap();
        leaves.iter().map(|leaf| leaf["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = ["['bias']", "['h']['0']['bias']", "['x']['bias']"];
    for pattern in ["*.bias", "*/bias", "**.bias", "bias"] {
        assert_eq!(paths(pattern), all, "{pattern}");
    }
    for pattern in ["*.*.bias", "**.*.bias", "**.*.*.*"] {
        let found = paths(pattern).into_iter().filter(|path| path.ends_with("['bias']"));
        let first = if pattern == "**.*.*.*" { 1..2 } else { 1..3 };
        assert_eq!(found.collect::<Vec<_>>(), all[first], "{pattern}");
    }
    assert_eq!(paths("h.*.bias"), all[1..2]);
}

#[test]
fn integers_of_json_keep_their_digits() {
    let json = br#"["9223372036854775808", 18446744073709551616, 18446744073709551615, 1e20,
        -9223372036854775809, -9223372036854775808, "\"1", 123456789012345678901234567890, 1]"#;
    let report = output(&["inspect", "--json", &file("numbers", "large.json", json)]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let leaves = report["trees"][0]["leaves"].as_array().unwrap();
    let text = |leaf: &serde_json::Value| {
        [&leaf["dtype"], &leaf["value"]].map(|text| text.as_str().unwrap().to_owned())
    };
    let found: Vec<_> = leaves.iter().map(text).collect();
    assert_eq!(
        found,
        [
            ["str", "9223372036854775808"],
            ["int", "18446744073709551616"],
            ["int", "18446744073709551615"],
            ["float", "1e20"],
            ["int", "-9223372036854775809"],
            ["int", "-9223372036854775808"],
            ["str", "\"1"],
            ["int", "123456789012345678901234567890"],
            ["int", "1"],
        ]
    );
}

#[test]
fn marks_that_change_the_letter_before_are_seen() {
    let json = "{\"a\u{fe0f}\": 1, \"a\": 2}".as_bytes();
    let out = output(&["inspect", &file("hidden", "mark.json", json)]);
    assert!(out.contains("a\\u{fe0f}"), "{out}");
}

#[test]
fn large_parts_come_first_on_request() {
    let rows = |args: &[&str]| -> Vec<String> {
        let lines = words(&output(&[args, &[&data("gpt2_small.json")]].concat()));
        let rows = lines.iter().filter(|line| line.starts_with("├─ ") || line.starts_with("└─ "));
        rows.map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
    };
    let names = ["params.transformer", "h", "ln_f", "wpe.embedding", "wte.embedding"];
    assert_eq!(rows(&["inspect", "--depth=2"]), names);
    assert_eq!(rows(&["inspect", "--depth=2", "--sort=key"]), names);
    let sorted = ["params.transformer", "h", "wte.embedding", "wpe.embedding", "ln_f"];
    assert_eq!(rows(&["inspect", "--depth=2", "--sort", "size"]), sorted);
}

#[test]
fn the_call_key_tells_dtypes_and_shapes_apart() {
    let key = |name: &str, json: &str| {
        let file = file("call_key", name, json.as_bytes());
        let out = output(&["inspect", "--treedef", &file]);
        let html = output(&["inspect", "--treedef", "--html", &file]);
        let json: serde_json::Value =
            serde_json::from_str(&output(&["inspect", "--json", &file])).unwrap();
        let of = |what: &str| {
            let print = out.lines().find_map(|line| line.strip_suffix(what));
            print.map(|line| line.strip_prefix("fingerprint  ").unwrap().to_owned())
        };
        let key = of(" of structure and types");
        let treedef = &json["trees"][0]["treedef"];
        assert_eq!(treedef["fingerprint"].as_str(), of(" of the structure").as_deref());
        assert_eq!(treedef["call_key_fingerprint"].as_str(), key.as_deref());
        assert_eq!(html.contains(" of structure and types\n"), key.is_some());
        (key, treedef["fingerprint"].clone())
    };
    let one = key("one.json", r#"{"w": "f32[2]"}"#);
    let two = key("two.json", r#"{"w": "f32[3]"}"#);
    assert_eq!(one.1, two.1);
    assert!(one.0.is_some() && two.0.is_some() && one.0 != two.0);
    // The key of a program with the same arguments.
    let def = treedef::treedef!({"w": *});
    let own = KeyBox::build(|key| {
        key.treedef(def).leaves([ShapeDtype::new(Dtype::Float32, &[2])]);
    });
    assert_eq!(one.0.unwrap(), format!("{:016x}", own.unwrap().as_key().fingerprint()));
    assert_eq!(key("text.json", r#"{"w": "text"}"#).0, None);
}

#[test]
fn a_treedef_with_leaves_after_it_is_shown() {
    let def = treedef::treedef!({"b": *, "w": *});
    let record = [def.as_bytes(), &[7; 31]].concat();
    let path = file("record", "stored.treedef", &record);
    let out = output(&["inspect", &path]);
    assert!(
        out.contains("\nremark       31 bytes follow the treedef, which are not read\n"),
        "{out}"
    );
    let of_def = output(&["inspect", &file("record", "def.treedef", def.as_bytes())]);
    let facts = |out: &str| out[out.find("leaves").unwrap()..].to_owned();
    assert!(facts(&out).starts_with(&facts(&of_def)), "{out}");
    let one =
        output(&["inspect", &file("record", "one.treedef", &record[..def.as_bytes().len() + 1])]);
    assert!(
        one.contains("\nremark       1 byte follows the treedef, which is not read\n"),
        "{one}"
    );
    // So it is in a comparison.
    let of_def = file("record", "def.treedef", def.as_bytes());
    let diff = run(&["diff", &of_def, &path], &[], b"");
    let expected = format!(
        "no differences in structure; both files lack dtypes and shapes\n\
         {path}: 31 bytes follow the treedef, which are not read\n"
    );
    assert_eq!((diff.code, diff.out), (Some(0), expected));
    // Standard input and other names need the option.
    let other = file("record", "stored", &record);
    for (args, code) in [(&["--format", "treedef"][..], 0), (&[], 1)] {
        let args = [&["inspect"], args].concat();
        assert_eq!(run(&[&args[..], &["-"]].concat(), &[], &record).code, Some(code));
        assert_eq!(run(&[&args[..], &[&other]].concat(), &[], b"").code, Some(code));
    }
}
