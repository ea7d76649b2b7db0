//! What is said below a tree, and in the line above it.

use super::{data, file, output, run, safetensors, treedef};

/// The facts of a report: the lines after the table.
fn facts(out: &str) -> &str {
    out.rsplit_once("\n\n").unwrap().1
}

#[test]
fn the_owner_of_a_model_sees_tensors_largest_and_dtypes() {
    let gpt = "\
tensors      148, of 9 types
largest      154.4 MB  31%  params.transformer.wte.embedding  f32[50257,768]
dtypes       148 × f32
";
    assert_eq!(facts(&output(&["inspect", &data("gpt2_small.json")])), gpt);
    let wide = run(&["inspect", &data("tiny_gpt.safetensors")], &[("COLUMNS", "100")], b"").out;
    let tiny = "\
tensors      30, of 11 types
largest      256 B  12%  transformer.h.0.mlp.c_fc.weight  f32[4,16], and 3 as large
dtypes       26 × f32, 2 × f16, 2 × i64
metadata     format=pt, model=gpt2, two layers of width four
";
    assert_eq!(facts(&wide), tiny);
    // Scalars are no tensors, and nothing is the largest of them.
    let json = file("facts", "scalars.json", br#"{"a": 1, "b": [2, "x"]}"#);
    assert_eq!(
        facts(&output(&["inspect", &json])),
        "leaves       3, of 2 types\ndtypes       2 × int, 1 × str\n"
    );
    // Elements of which the bytes are not known.
    let json = file("facts", "one.json", br#"{"a": "f32[b,2]", "b": "f32[3]"}"#);
    let one =
        "tensors      2, of 2 types\nlargest      12 B  100%  b  f32[3]\ndtypes       2 × f32\n";
    assert_eq!(facts(&output(&["inspect", &json])), one);
}

#[test]
fn the_facts_of_a_treedef_are_shown_on_request() {
    let words = ["\ntreedef      ", "\nfingerprint  ", "\nJAX          "];
    for file in ["gpt2_small.json", "tiny_gpt.safetensors", "pid_step.jax_export"] {
        let plain = output(&["inspect", &data(file)]);
        let all = output(&["inspect", "--treedef", &data(file)]);
        for word in words {
            assert!(!plain.contains(word) && all.contains(word), "{all}");
        }
        let html = output(&["inspect", "--html", &data(file)]);
        assert!(!html.contains("<th>fingerprint") && html.contains("<th>largest"), "{html}");
        let html = output(&["inspect", "--html", "--treedef", &data(file)]);
        assert!(html.contains("<th>fingerprint"), "{html}");
    }
    // A file that has only a structure has no others.
    for file in ["pairs.treedef", "gpt2_small.treedef.pb"] {
        let out = output(&["inspect", &data(file)]);
        assert!(words.iter().all(|word| out.contains(word)), "{out}");
        assert!(!out.contains("\ndtypes"), "{out}");
    }
}

/// Tensors that are one in memory, as the metadata says, are no metadata to a reader.
#[test]
fn equal_tensors_are_said() {
    let header = r#"{"__metadata__":{"format":"pt","head":"wte","x":"absent","wte":"wte"},"wte":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 8]].concat();
    let out = output(&["inspect", &file("facts", "tied.safetensors", &bytes)]);
    let end = "\nequal        head = wte\nmetadata     format=pt, wte=wte, x=absent\n";
    assert!(out.ends_with(end), "{out}");
}

#[test]
fn the_first_line_fits_the_terminal() {
    let names: Vec<_> = (1..9).map(|size| format!("a_long_name_of_a_dtype_{size}")).collect();
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        names.iter().map(|name| (name.as_str(), name.as_str(), &[1][..], 0)).collect();
    let long = format!("{}.safetensors", "model-with-a-long-name-".repeat(4));
    let dtypes = file("facts", "dtypes.safetensors", &safetensors(&tensors));
    let named = file("facts", &long, &safetensors(&[("w", "F32", &[2], 4)]));
    for columns in [40, 60, 80, 200] {
        let text = columns.to_string();
        let first = |args: &[&str]| {
            let out = run(args, &[("COLUMNS", &text)], b"").out;
            out.lines().next().unwrap().to_owned()
        };
        for file in [&dtypes, &named] {
            let line = first(&["inspect", file]);
            assert!(line.chars().count() <= columns, "{columns} {line}");
        }
        // The end of a name says more than its middle.
        let line = first(&["inspect", &named]);
        assert!(line.ends_with("2 parameters · 8 B · f32") || columns == 40, "{line}");
        assert!(line.contains("safetensors  ") || columns == 40, "{line}");
        let whole = first(&["inspect", "--full", &named]);
        assert_eq!(whole, format!("{long}  2 parameters · 8 B · f32"));
    }
    let diff = treedef(&["diff", &dtypes, &named]).out;
    let line = diff.lines().next().unwrap();
    assert!(
        line.chars().count() <= dtypes.chars().count().max(named.chars().count()) + 44,
        "{line}"
    );
}
