//! What `treedef diff` finds.

use std::fs;

use treedef::TreeDefBox;
use treedef::cache::{Dtype, KeyBox, ShapeDtype};

use super::{data, file, run, safetensors, treedef};

#[test]
fn differences_decide_the_exit_code() {
    let (old, new) = (data("pid_cascade.json"), data("pid_cascade_edited.json"));
    // A leaf is a prefix of everything.
    let leaf = file("diff", "leaf.json", b"0");
    let code = |args: &[&str]| treedef(&[&["diff"], args].concat()).code;
    assert_eq!(code(&[&old, &old]), Some(0));
    assert_eq!(code(&[&old, &new]), Some(1));
    assert_eq!(code(&["--prefix", &leaf, &new]), Some(0));
    assert_eq!(code(&["--prefix", &new, &leaf]), Some(1));
    assert_eq!(code(&[&data("pairs.treedef"), &data("tiny_gpt.safetensors")]), Some(1));
    assert_eq!(code(&[&data("pid_step.jax_export"), &data("pid_step.jax_export")]), Some(0));
    assert_eq!(code(&[&data("pid_step.jax_export"), &old]), Some(1));
    let summary = treedef(&["diff", &old, &new]).out;
    assert!(summary.contains("5 differences; expected 19 leaves, found 21:\n"), "{summary}");
    assert!(summary.contains("at ['outer']['kd']: expected None, found a leaf"), "{summary}");
    assert!(summary.contains(&format!("- {old}")), "{summary}");
    let all = treedef(&["diff", "--all", &old, &new]);
    assert_eq!(all.code, Some(1));
    assert!(all.out.contains(&format!(" in {old}\n")), "{}", all.out);
}

#[test]
fn what_was_compared_is_said() {
    // The JSON file and JAX's proto have the same structure.
    let files = [data("gpt2_small.json"), data("gpt2_small.treedef.pb")];
    let same = treedef(&["diff", &files[0], &files[0]]);
    assert_eq!(same.out, "no differences in structure, dtypes and shapes\n");
    let untyped = treedef(&["diff", &files[0], &files[1]]);
    let text = format!("no differences in structure; {} lacks dtypes and shapes\n", files[1]);
    assert_eq!((untyped.code, untyped.out), (Some(0), text));
    let proto = treedef(&["diff", &files[1], &files[1]]).out;
    assert_eq!(proto, "no differences in structure; both files lack dtypes and shapes\n");
    // An index beside which one of two files is missing.
    file("diff_index", "a.safetensors", &safetensors(&[("a", "U8", &[1], 1)]));
    let index = br#"{"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}}"#;
    let index = file("diff_index", "index.json", index);
    let whole = safetensors(&[("a", "U8", &[1], 1), ("b", "U8", &[1], 1)]);
    let whole = file("diff_index", "whole.safetensors", &whole);
    assert_eq!(treedef(&["diff", &index, &whole]).code, Some(2));
    let part = treedef(&["diff", "--partial", &index, &whole]);
    let text = format!("no differences in structure; {index} lacks dtypes and shapes\n");
    assert_eq!((part.code, part.out), (Some(0), text));
    let structure = treedef(&["diff", "--structure", &files[0], &files[1]]);
    assert_eq!(structure.out, "no differences in structure\n");
    let piped = run(&["diff", "-", &files[1]], &[], &fs::read(&files[0]).unwrap());
    assert_eq!((piped.code, piped.err.as_str()), (Some(0), ""));
}

/// A checkpoint with layers of one dtype, and a head.
fn checkpoint(name: &str, layers: usize, dtype: (&str, usize), head: usize) -> String {
    let names: Vec<_> = (0..layers)
        .flat_map(|layer| [(format!("h.{layer}.w"), vec![4, 3]), (format!("h.{layer}.b"), vec![4])])
        .collect();
    let mut tensors: Vec<(&str, &str, &[usize], usize)> = Vec::new();
    for (name, shape) in &names {
        tensors.push((name, dtype.0, shape, dtype.1));
    }
    let head = [head, 3];
    tensors.push(("lm_head", "F32", &head, 4));
    file("diff", name, &safetensors(&tensors))
}

#[test]
fn dtypes_and_shapes_are_compared() {
    let old = checkpoint("old.safetensors", 12, ("F32", 4), 10);
    let new = checkpoint("new.safetensors", 12, ("F16", 2), 16);
    let run = treedef(&["diff", &old, &new]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let found = run.out.split_once("\n\n").unwrap().1;
    assert_eq!(
        found,
        "~ f32 → f16, 24 leaves\n    h.{0-11}.b  12 × [4]\n    h.{0-11}.w  12 × [4,3]\n\
         ~ f32[10,3] → f32[16,3], 1 leaf\n    lm_head\n"
    );
    assert_eq!(treedef(&["diff", "--structure", &old, &new]).code, Some(0));
    let all = treedef(&["diff", "--all", &old, &new]).out;
    assert!(all.contains("\n    h.11.w  [4,3]\n"), "{all}");
    // JSON with containers: the structure is equal, a leaf is not.
    let [ours, theirs] = [("a", "f32[2]"), ("b", "float16[2]")].map(|(name, leaf)| {
        file(
            "diff",
            &format!("{name}.json"),
            format!(r#"{{"x": ["f32[1]", "{leaf}"]}}"#).as_bytes(),
        )
    });
    let typed = treedef(&["diff", &ours, &theirs]);
    assert_eq!(typed.code, Some(1));
    assert_eq!(treedef(&["diff", "--structure", &ours, &theirs]).code, Some(0));
    assert!(typed.out.ends_with("~ f32 → f16, 1 leaf\n    ['x'][1]  [2]\n"), "{}", typed.out);
}

#[test]
fn what_a_checkpoint_lacks_is_known_before_loading() {
    // A model of a Rust program: a struct with a list of structs.
    let def = TreeDefBox::build(|builder| {
        let model = builder.begin_struct("Model", &["h", "norm", "lm_head"]);
        let layers = builder.begin_list(3);
        for _ in 0..3 {
            let layer = builder.begin_struct("Layer", &["w", "b"]);
            builder.leaves(2);
            builder.end(layer);
        }
        builder.end(layers);
        builder.leaves(2);
        builder.end(model)
    });
    let def = def.unwrap();
    let model = file("diff", "model.treedef", def.as_ref());
    let whole = file(
        "diff",
        "whole.safetensors",
        &safetensors(&[
            ("h.0.b", "F32", &[4], 4),
            ("h.0.w", "F32", &[4], 4),
            ("h.1.b", "F32", &[4], 4),
            ("h.1.w", "F32", &[4], 4),
            ("h.2.b", "F32", &[4], 4),
            ("h.2.w", "F32", &[4], 4),
            ("norm", "F32", &[4], 4),
            ("lm_head", "F32", &[4], 4),
        ]),
    );
    // Fields and the parts of a name are the same to a checkpoint, and so are a list and the part '0'.
    let run = treedef(&["diff", &model, &whole]);
    let text = format!("no differences in structure; {model} lacks dtypes and shapes\n");
    assert_eq!((run.code, run.out), (Some(0), text));
    let lacks = checkpoint("lacks.safetensors", 4, ("F32", 4), 10);
    let run = treedef(&["diff", &model, &lacks]);
    assert_eq!(run.code, Some(1));
    let found = run.out.split_once("\n\n").unwrap().1;
    assert_eq!(
        found,
        format!(
            "- missing in {lacks}, 1 leaf\n    norm\n\
             + only in {lacks}, 2 leaves\n    h.3.b  f32[4]\n    h.3.w  f32[4,3]\n"
        )
    );
}

/// A file with the call key of a function of a dict with a `w`, a number and a static argument.
fn key(name: &str, w: ShapeDtype<'_>, is_weak: bool, train: bool) -> String {
    let number = ShapeDtype::new(Dtype::Float32, &[]).with_weak(is_weak);
    let key = KeyBox::build(|key| {
        key.treedef(treedef::treedef!(({"w": *}, *))).leaves([w, number]).named("train", &train);
    });
    file("diff_keys", name, key.unwrap().as_key().as_bytes())
}

#[test]
fn call_keys_are_compared_as_a_cache_compares_them() {
    let w = ShapeDtype::new(Dtype::Float32, &[3]);
    let base = key("base.key", w, false, true);
    let same = treedef(&["diff", &base, &base]);
    assert_eq!((same.code, same.out.as_str()), (Some(0), "no differences in the call keys\n"));
    let found = |args: &[&str]| {
        let run = treedef(args);
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{args:?}");
        run.out.split_once("\n\n").unwrap().1.to_owned()
    };
    let eval = key("eval.key", w, false, false);
    assert_eq!(found(&["diff", &base, &eval]), "part 3: expected train=True, found train=False\n");
    assert_eq!(treedef(&["diff", "--structure", &base, &eval]).code, Some(0));
    let weak = key("weak.key", w, true, true);
    assert_eq!(found(&["diff", &base, &weak]), "~ f32 → weak f32, 1 leaf\n    [1]  []\n");
    // What the trees have is said once.
    let longer = key("longer.key", ShapeDtype::new(Dtype::Float32, &[4]), true, false);
    assert_eq!(
        found(&["diff", &base, &longer]),
        "~ f32 → weak f32, 1 leaf\n    [1]  []\n~ f32[3] → f32[4], 1 leaf\n    [0]['w']\n\
         part 3: expected train=True, found train=False\n"
    );
    // Keys with other numbers of trees.
    let other = KeyBox::build(|key| {
        key.treedef(treedef::treedef!(*)).treedef(treedef::treedef!(*)).meta(&2);
    });
    let other = file("diff_keys", "other.key", other.unwrap().as_key().as_bytes());
    let trees = found(&["diff", &base, &other]);
    assert!(trees.starts_with("part 0: "), "{trees}");
    // Many differences are cut.
    let many = |name: &str, add: u32| {
        let key = KeyBox::build(|key| {
            (0..12u32).for_each(|at| {
                key.meta(&(at + add));
            });
        });
        file("diff_keys", name, key.unwrap().as_key().as_bytes())
    };
    let [ours, theirs] = [many("ours.key", 0), many("theirs.key", 1)];
    let cut = treedef(&["diff", &ours, &theirs]);
    assert!(
        cut.out.ends_with("part 7: expected 7, found 8\n… and 4 more; --all shows them\n"),
        "{}",
        cut.out
    );
    assert_eq!(treedef(&["diff", "--all", &ours, &theirs]).out.matches("part ").count(), 12);
}

#[test]
fn a_weak_type_is_another_type_where_both_files_have_it() {
    let [weak, strong] = [("weak", "~float32[]"), ("strong", "float32[]")].map(|(name, text)| {
        file("diff_weak", &format!("{name}.json"), format!(r#"{{"x": "{text}"}}"#).as_bytes())
    });
    let run = treedef(&["diff", &weak, &strong]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.ends_with("~ weak f32 → f32, 1 leaf\n    ['x']  []\n"), "{}", run.out);
    // A safetensors file does not say it.
    let tensors = file("diff_weak", "x.safetensors", &safetensors(&[("x", "F32", &[], 4)]));
    assert_eq!(treedef(&["diff", &weak, &tensors]).code, Some(0));
}

/// The last number of a range is part of it, and the number of names is beside it.
#[test]
fn ranges_are_inclusive_and_counted() {
    // Names of which no type is known.
    let files = ["a", "b"].map(|name| {
        let names =
            (0..12).map(|layer| (format!("{name}.{layer}.{name}"), "absent.safetensors".into()));
        let index = serde_json::json!({"weight_map": serde_json::Map::from_iter(names)});
        file("diff_ranges", &format!("{name}.index.json"), index.to_string().as_bytes())
    });
    let run = treedef(&["diff", "--partial", &files[0], &files[1]]);
    let found = run.out.split_once("\n\n").unwrap().1;
    let expected = format!(
        "- missing in {0}, 12 leaves\n    a.{{0-11}}.a  × 12\n\
         + only in {0}, 12 leaves\n    b.{{0-11}}.b  × 12\n",
        files[1]
    );
    assert_eq!(found, expected);
    let [old, new] = [("old", "[1, [2, 3], 4]"), ("new", "[1, [2, 3, 4], [], 5]")]
        .map(|(name, json)| file("diff_ranges", &format!("{name}.json"), json.as_bytes()));
    let all = treedef(&["diff", "--all", &old, &new]).out;
    assert!(
        all.contains(&format!("\n  leaves 0-3 × 4 in {old}\n  leaves 0-4 × 5 in {new}\n")),
        "{all}"
    );
    let [old, new] = [("old", "{\"a\": 1, \"b\": 2}"), ("new", "{\"a\": 1, \"b\": null}")]
        .map(|(name, json)| file("diff_ranges", &format!("{name}.json"), json.as_bytes()));
    let all = treedef(&["diff", "--all", &old, &new]).out;
    assert!(
        all.ends_with(&format!("\n  leaf 1 in {old}\n  no leaf, before leaf 1 in {new}\n")),
        "{all}"
    );
}
