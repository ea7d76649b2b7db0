//! Parts of names that have another name in another file.

use super::{file, run, safetensors, treedef};

/// A checkpoint with tensors of these names, all of four elements but those that end with `bias`.
fn checkpoint(name: &str, names: &[String]) -> String {
    let tensors: Vec<(&str, &str, &[usize], usize)> = names
        .iter()
        .map(|name| {
            (name.as_str(), "F32", if name.ends_with("bias") { &[2][..] } else { &[2, 2] }, 4)
        })
        .collect();
    file("rename", name, &safetensors(&tensors))
}

/// Names of layers, with a text for the number.
fn layers(count: usize, parts: &[&str]) -> Vec<String> {
    let name = |at: usize, part: &&str| part.replace('#', &at.to_string());
    parts.iter().flat_map(|part| (0..count).map(move |at| name(at, part))).collect()
}

/// What is found below the names of the files.
fn found(args: &[&str]) -> String {
    let run = treedef(args);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{args:?}");
    run.out.split_once("\n\n").unwrap().1.into()
}

const SAME: &str = "no differences in structure, dtypes and shapes\n";

#[test]
fn the_change_that_pairs_most_is_said_once() {
    for (ours, theirs, old, new) in [
        // A part that is added, after a part, before one, and at the end.
        (
            ["model.layers.#.q", "model.layers.#.k"],
            ["model.language_model.layers.#.q", "model.language_model.layers.#.k"],
            "model",
            "model.language_model",
        ),
        (["layers.#.q", "layers.#.k"], ["model.layers.#.q", "encoder.layers.#.k"], "", ""),
        (["h.#.q", "h.#.k"], ["h.#.attn.q", "h.#.mlp.k"], "", ""),
        // A part that is left out.
        (
            ["l.#.lora_A.default.w", "l.#.lora_B.default.w"],
            ["l.#.lora_A.w", "l.#.lora_B.w"],
            "default",
            "''",
        ),
        // Others.
        (["l.#.attn.q", "l.#.attn.k"], ["l.#.self_attn.q", "l.#.self_attn.k"], "attn", "self_attn"),
        (["l.#.q.kernel", "l.#.k.kernel"], ["l.#.q.weight", "l.#.k.weight"], "kernel", "weight"),
        (["h.mlp.#.w", "h.mlp.#.v"], ["h.ffn.dense.#.w", "h.ffn.dense.#.v"], "mlp", "ffn.dense"),
    ] {
        let mut ours = layers(3, &ours);
        ours.push("head".into());
        let mut theirs = layers(3, &theirs);
        theirs.push("head".into());
        let [a, b] = [checkpoint("a.safetensors", &ours), checkpoint("b.safetensors", &theirs)];
        let text = found(&["diff", &a, &b]);
        if old.is_empty() {
            assert!(text.starts_with("- missing in "), "{text}");
            continue;
        }
        let line = format!("~ {old} → {new} in names, 6 leaves (--rename {old} {new})\n");
        assert_eq!(text, line);
        // What the line says is a command line without a difference.
        let new = if new == "''" { "" } else { new };
        let same = treedef(&["diff", "--rename", old, new, &a, &b]);
        assert_eq!((same.code, same.out.as_str()), (Some(0), SAME), "{old} {new}");
    }
}

#[test]
fn what_is_still_different_has_the_names_of_the_files() {
    let ours = layers(3, &["model.layers.#.q", "model.layers.#.old"]);
    let theirs = layers(3, &["model.text.layers.#.q", "model.text.layers.#.bias"]);
    let [a, b] = [checkpoint("c.safetensors", &ours), checkpoint("d.safetensors", &theirs)];
    // Three of six are no more than half.
    assert!(found(&["diff", &a, &b]).starts_with("- missing in "));
    let text = format!(
        "- missing in {b}, 3 leaves\n    model.layers.{{0-2}}.old  3 × f32[2,2]\n\
         + only in {b}, 3 leaves\n    model.text.layers.{{0-2}}.bias  3 × f32[2]\n"
    );
    assert_eq!(found(&["diff", "--rename", "model", "model.text", &a, &b]), text);
    // Several, with the separator of the file, also below a prefix.
    let a = checkpoint("e.safetensors", &layers(2, &["m/h/#/attn/q", "m/h/#/attn/k"]));
    let b = checkpoint("f.safetensors", &layers(2, &["l.#.q", "l.#.k"]));
    let args = ["diff", "--strip", "m.", "--rename", "attn", "", "--rename", "h", "l", &a, &b];
    assert_eq!(treedef(&args).out, SAME);
    let args = ["diff", "--rename", "m/h", "l", "--rename", "attn", "", &a, &b];
    assert_eq!(treedef(&args).out, SAME);
    let args = ["diff", "--strip", "m/", "--rename", "attn", "", "--rename", "h", "l", &a, &b];
    assert_eq!(treedef(&args).out, SAME);
    // A slash may be in a part, as Haiku has it.
    let own = file("rename", "own.json", br#"{"mlp/~/a": {"w": "f32[2,2]"}}"#);
    let c = checkpoint("o.safetensors", &["b.w".into()]);
    for rename in ["mlp/~/a", "mlp/~/a.w"] {
        let new = if rename.ends_with('w') { "b.w" } else { "b" };
        assert_eq!(treedef(&["diff", "--rename", rename, new, &own, &c]).out, SAME);
    }
    // Two names must not become one.
    let a = checkpoint("g.safetensors", &["x.w".into(), "y.w".into()]);
    let twice = treedef(&["diff", "--rename", "x", "y", &a, &a]);
    assert_eq!((twice.code, twice.err.as_str()), (Some(2), "diff: two leaves have the name y.w\n"));
    assert_eq!(treedef(&["diff", "--rename", "x"]).code, Some(2));
}

/// A change of names is none if the tensors have another number of elements.
#[test]
fn other_tensors_are_no_change_of_names() {
    let ours = layers(4, &["h.#.weight", "h.#.w"]);
    let theirs = layers(4, &["h.#.bias", "h.#.w"]);
    let [a, b] = [checkpoint("h.safetensors", &ours), checkpoint("i.safetensors", &theirs)];
    let text = format!(
        "- missing in {b}, 4 leaves\n    h.{{0-3}}.weight  4 × f32[2,2]\n\
         + only in {b}, 4 leaves\n    h.{{0-3}}.bias  4 × f32[2]\n"
    );
    assert_eq!(found(&["diff", &a, &b]), text);
}

#[test]
fn many_names_are_paired_in_a_moment() {
    let names = |part: &str| -> Vec<String> {
        let name = |at: usize| format!("m.{part}.x{}.y{}.{}", at % 7, at % 11, hash(at));
        (0..20_000).map(name).collect()
    };
    let [a, b] = [names("old"), names("new")];
    let [a, b] = [checkpoint("many_a.safetensors", &a), checkpoint("many_b.safetensors", &b)];
    assert_eq!(
        found(&["diff", &a, &b]),
        "~ old → new in names, 20,000 leaves (--rename old new)\n"
    );
}

/// Letters that are different for each number.
fn hash(at: usize) -> String {
    format!("{at:05}").bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

#[test]
fn differences_are_json() {
    let ours = layers(2, &["m.#.attn.q", "m.#.attn.k"]);
    let mut theirs = layers(2, &["m.#.self.q", "m.#.self.k"]);
    theirs.push("head.bias".into());
    let [a, b] = [checkpoint("j.safetensors", &ours), checkpoint("k.safetensors", &theirs)];
    let json = |args: &[&str], code: i32| -> serde_json::Value {
        let run = run(args, &[], b"");
        assert_eq!((run.code, run.err.as_str()), (Some(code), ""), "{args:?}");
        serde_json::from_str(&run.out).unwrap()
    };
    let report = json(&["diff", "--json", &a, &b], 1);
    assert_eq!(report["equal"], false);
    assert_eq!(report["files"][1]["file"], b.as_str());
    assert_eq!(report["files"][0]["trees"][0]["parameters"], 16);
    let tree = &report["trees"][0];
    assert_eq!(tree["rename"], serde_json::json!({"leaves": 4, "new": "self", "old": "attn"}));
    let head = serde_json::json!([{"dtype": "f32", "name": "head.bias", "shape": [2]}]);
    assert_eq!((&tree["unexpected"], &tree["missing"]), (&head, &serde_json::json!([])));
    assert_eq!(json(&["diff", "--json", &a, &a], 0)["equal"], true);
    // Types, structures, and trees that have no pair.
    let typed = |name: &str, json: &str| file("rename", name, json.as_bytes());
    let [x, y] = [typed("x.json", r#"{"a": ["f32[2]"]}"#), typed("y.json", r#"{"a": ["f16[b]"]}"#)];
    let tree = json(&["diff", "--json", &x, &y], 1)["trees"][0].clone();
    let change = serde_json::json!([{"from": {"dtype": "f32", "shape": [2]}, "name": "['a'][0]", "to": {"dtype": "f16", "shape": ["b"]}}]);
    assert_eq!((&tree["changed"], &tree["structure"]), (&change, &serde_json::json!([])));
    assert_eq!(json(&["diff", "--json", "--structure", &x, &y], 0)["equal"], true);
    let z = typed("z.json", r#"{"a": ["f32[2]", 1]}"#);
    let tree = json(&["diff", "--json", &x, &z], 1)["trees"][0].clone();
    assert_eq!(
        tree["structure"],
        serde_json::json!(["at ['a']: expected a list of 1, found a list of 2"])
    );
    let export = super::data("pid_step.jax_export");
    let report = json(&["diff", "--json", &export, &x], 1);
    assert_eq!((&report["equal"], &report["trees"]), (&false.into(), &serde_json::json!([])));
}

/// Call keys, of which static arguments are compared, too.
#[test]
fn differences_of_call_keys_are_json() {
    use treedef::cache::KeyBox;
    let key = |name: &str, train: bool| {
        let key = KeyBox::build(|key| {
            key.treedef(treedef::treedef!(*)).named("train", &train);
        });
        file("rename", name, key.unwrap().as_key().as_bytes())
    };
    let [a, b] = [key("a.key", true), key("b.key", false)];
    for (ours, code) in [(&a, 1), (&b, 0)] {
        let run = treedef(&["diff", "--json", ours, &b]);
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((run.code, &report["equal"]), (Some(code), &(code == 0).into()));
        assert_eq!(report["call_keys"].as_array().unwrap().len(), code as usize, "{report}");
    }
}
