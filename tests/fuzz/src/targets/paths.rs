//! Texts of paths: in structures, in types, and in the tool.

use treedef::cache::Dtype;
use treedef::path::{KeyPathBuf, PathPattern, leaf_index_of};
use treedef::tree::find_leaf;
use treedef::{TreeDef, treedef};

use crate::bytes::Bytes;
use crate::guard::{self, Limits};
use crate::iterators::{laws, laws_from_behind};
use crate::leaf::{Leaf, Type};
use crate::names;

/// The stack is that of the tool's groups of names, which are walked to 64 levels.
const LIMITS: Limits = Limits { time: 200, stack: 256 << 10, heap: 256 << 10, keeps: false };

/// Structures with names that can be mistaken.
const DEFS: [TreeDef<'static>; 6] = [
    TreeDef::LEAF,
    treedef!({"a": [*, (*, None)], "b": {"0": *, "c d": *}}),
    treedef!([[[[*]]], {"*": *, "": *, ".": {"[0]": *}}]),
    treedef!({"params": {"w": *, "b": *}, "step": *}),
    treedef!({"'": *, "\"": *, "\\": *, "\n": *, "é": *}),
    treedef!(({"0": *, "1": *}, [*, *], ())),
];

/// A type with names, lists and options.
type Typed = ([[f32; 2]; 3], Vec<(f32, Option<f32>)>);

/// Finds what a text leads to.
pub fn paths(data: &[u8]) {
    guard::check(data, &LIMITS, || {
        let mut bytes = Bytes(data);
        let def = match bytes.below(2 * DEFS.len()) {
            own if own >= DEFS.len() => bytes.treedef(),
            known => DEFS[known],
        };
        if def.num_leaves() < 1000 {
            laws_from_behind("paths", def.paths());
        }
        for path in def.paths().take(8) {
            laws("PathEntries", path.entries());
            assert_eq!(path.found().map(|found| found.path()), Some(path));
            laws("Found::indices", path.found().into_iter().flat_map(|found| found.indices()));
            let [text, keystr] = [path.to_string(), path.keystr().to_string()];
            let _ = (path.typed().to_string(), path.keystr_simple("/").to_string());
            found_again(def, &text, &keystr);
        }
        let text = String::from_utf8_lossy(bytes.0);
        if let Ok(pattern) = PathPattern::new(&text) {
            let _ = def.paths().take(8).filter(|path| pattern.matches(*path)).count();
        }
        if let Ok(path) = text.parse::<KeyPathBuf>() {
            assert_eq!(path.entries().collect::<KeyPathBuf>(), path);
            assert_eq!(path.as_str().parse(), Ok(path.clone()));
        }
        found_again(def, &text, &text);
        let tree: Typed = ([[1.0; 2]; 3], vec![(1.0, None), (2.0, Some(3.0))]);
        let _ = find_leaf::<f32, _>(&tree, &text).map_err(|error| error.to_string());
        let _ = leaf_index_of::<[[f32; 2]; 3]>(&text).map_err(|error| {
            assert!(!error.explain_path_of::<[[f32; 2]; 3]>(&text).to_string().is_empty());
        });
        if let Some(dtype) = Dtype::from_name(&text) {
            assert_eq!(dtype.name(), text);
        }
        let _ = Type::from_text(&text).map(|kind| (kind.to_string(), kind.key(), kind.bytes()));
        let named = |text: &str| (text.into(), Leaf::from(Type::unknown()));
        let _ = names::flatten(text.split(['\n', ',']).map(named).collect());
    });
}

/// What a text leads to has a text that leads there.
fn found_again(def: TreeDef<'_>, text: &str, keystr: &str) {
    match def.find_str(text) {
        Ok(found) => {
            let shown = found.path().to_string();
            let again = match def.find_str(&shown) {
                // It reads escapes of quotes and backslashes alone, and children of custom nodes by their index; what prints
                // in another way has its keystr.
                Err(_) if shown.contains('\\') || shown.contains("[<flat index ") => {
                    def.find_keystr(&found.path().keystr().to_string()).expect("its keystr")
                }
                again => again.expect("its own text"),
            };
            assert_eq!(again.path().to_string(), shown);
        }
        Err(error) => assert!(!error.explain_path(def, text).to_string().is_empty()),
    }
    match def.find_keystr(keystr) {
        Ok(found) => {
            let text = found.path().keystr().to_string();
            let again = def.find_keystr(&text).expect("its own text");
            assert_eq!(again.path().keystr().to_string(), text);
        }
        Err(error) => assert!(!error.explain_path(def, keystr).to_string().is_empty()),
    }
}
