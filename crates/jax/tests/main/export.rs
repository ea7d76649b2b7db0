//! Artifacts of `jax.export` that are old, rare, broken or hostile; `tests/conformance` reads those that JAX wrote.

use std::time::{Duration, Instant};

use treedef::{
    DictKind, DictOf, Dtype, Head, Kind, MAX_DEPTH, TreeDef, TreeDefBox, Value, head_into, treedef,
};
use treedef_jax::{Dim, ExportError, ExportErrorKind as Fault, Exported, MAX_ORDERED_KEYS};

use crate::flat::Flat;

const ARTIFACTS: [&[u8]; 3] = [
    include_bytes!("../../../../tests/conformance/jax_export/adam_init.bin"),
    include_bytes!("../../../../tests/conformance/jax_export/pid_step.bin"),
    include_bytes!("../../../../tests/conformance/jax_export/sgd_step.bin"),
];

/// A node to be written.
#[derive(Clone, Default)]
struct Node {
    kind: u8,
    children: Vec<Node>,
    names: Option<Vec<String>>,
    custom: Option<(String, Vec<u8>)>,
}

const LEAF: u8 = 0;
const NONE: u8 = 1;
const TUPLE: u8 = 2;
const LIST: u8 = 3;
const DICT: u8 = 4;
const CUSTOM: u8 = 5;

fn node(kind: u8, children: &[Node]) -> Node {
    Node { kind, children: children.into(), ..Node::default() }
}

fn leaf() -> Node {
    node(LEAF, &[])
}

fn dict(names: &[&str]) -> Node {
    let children = vec![leaf(); names.len()];
    let names = Some(names.iter().map(|name| (*name).into()).collect());
    Node { kind: DICT, children, names, custom: None }
}

fn ordered(aux: &str, children: usize) -> Node {
    let custom = Some(("collections.OrderedDict".into(), aux.into()));
    Node { kind: CUSTOM, children: vec![leaf(); children], names: None, custom }
}

impl Node {
    fn leaves(&self) -> usize {
        match self.kind {
            LEAF => 1,
            _ => self.children.iter().map(Node::leaves).sum(),
        }
    }

    /// Writes the node with all below it, and gives the place of its table.
    fn write(&self, flat: &mut Flat, from: usize) -> usize {
        let mut fields = vec![(0, 1), (1, 4)];
        fields.extend(self.names.iter().map(|_| (2, 4)));
        fields.extend(self.custom.iter().flat_map(|_| [(3, 4), (4, 4)]));
        let placed = flat.table_at(from, &fields);
        flat.write(placed.fields[0], &[self.kind]);
        if let Some(names) = &self.names {
            for (name, at) in names.iter().zip(flat.vector_at(placed.fields[2], names.len(), 4)) {
                flat.string_at(at, name);
            }
        }
        if let Some((name, aux)) = &self.custom {
            flat.string_at(placed.fields[2], name);
            flat.string_at(placed.fields[3], aux);
        }
        let places = flat.vector_at(placed.fields[1], self.children.len(), 4);
        for (child, at) in self.children.iter().zip(places) {
            child.write(flat, at);
        }
        placed.at
    }
}

/// The fields of the root table that a test fills.
const IN_TREE: usize = 0;
const IN_AVALS: usize = 1;

/// An artifact with what every artifact has; the test fills [`IN_TREE`] and [`IN_AVALS`], and `fields` beyond.
fn artifact(fields: &[(usize, usize)]) -> (Flat, Vec<usize>) {
    let all = [&[(2, 4), (3, 4), (0, 2), (1, 4), (4, 4)], fields].concat();
    let (mut flat, root) = Flat::root(&all);
    flat.write(root.fields[2], &[3, 0]);
    flat.string_at(root.fields[3], "f");
    node(NONE, &[]).write(&mut flat, root.fields[4]);
    flat.vector_at(root.fields[1], 0, 4);
    (flat, root.fields)
}

/// An artifact whose inputs are this tree of scalars of type `bool`.
fn with_tree(tree: &Node) -> Vec<u8> {
    let (mut flat, fields) = artifact(&[]);
    tree.write(&mut flat, fields[IN_TREE]);
    for at in flat.vector_at(fields[IN_AVALS], tree.leaves(), 4) {
        flat.table_at(at, &[]);
    }
    flat.0
}

/// The inputs of an artifact.
fn in_tree(artifact: &[u8]) -> Result<TreeDefBox, ExportError> {
    Exported::from_bytes(artifact).map(|exported| exported.in_tree)
}

/// The text of a tree's treedef, or why it is refused.
fn text(tree: &Node) -> Result<String, Fault> {
    let artifact = with_tree(tree);
    in_tree(&artifact).map(|def| def.to_string()).map_err(|error| {
        assert!(error.offset() < artifact.len(), "{error}");
        error.kind()
    })
}

#[test]
fn every_kind_of_node_is_read() {
    let custom = Node { custom: Some(("a.B".into(), b"\xff".into())), ..node(CUSTOM, &[leaf()]) };
    let all = node(
        TUPLE,
        &[node(LIST, &[leaf()]), node(NONE, &[]), dict(&["a", "é"]), custom, ordered("[]", 0)],
    );
    assert_eq!(
        text(&all).as_deref(),
        Ok(
            r"PyTreeDef(([*], None, {'a': *, 'é': *}, CustomNode(a.B[b'\xff'], [*]), CustomNode(OrderedDict[()], [])))"
        )
    );
    assert_eq!(text(&leaf()).as_deref(), Ok("PyTreeDef(*)"));
    assert_eq!(text(&dict(&[])).as_deref(), Ok("PyTreeDef({})"));
}

#[test]
fn equal_neighbours_are_folded() {
    let artifact = with_tree(&node(TUPLE, &[dict(&["a", "b"]), dict(&["a", "b"])]));
    let expected = treedef!(({"a": *, "b": *}, {"a": *, "b": *}));
    assert_eq!(in_tree(&artifact), Ok(expected.into()));
}

#[test]
fn keys_of_an_ordered_dict_are_those_that_json_says() {
    let keys = ["z", "é\"\n", "😀", ""];
    let artifact = with_tree(&ordered(r#"["z", "\u00e9\"\n", "\ud83d\ude00", ""]"#, 4));
    let (tree, mut head) = (in_tree(&artifact).unwrap(), [0; 64]);
    let def = tree.as_treedef();
    assert_eq!(def.kind(), Kind::OrderedDict);
    let head: Head<'_> = head_into(&DictOf::new(DictKind::Ordered, keys), &mut head).unwrap();
    assert_eq!(def.head(), head);
    assert!(def.head().keys().eq(keys.map(Value::Str)));
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
}

#[test]
fn lists_of_strings_are_read_as_by_python() {
    let keys = |json: &str, count: usize| {
        let artifact = with_tree(&ordered(json, count));
        let tree = in_tree(&artifact).map_err(|error| error.kind())?;
        let keys = tree.as_treedef().head().keys().map(|key| match key {
            Value::Str(key) => key.to_owned(),
            other => panic!("{other}"),
        });
        Ok(keys.collect::<Vec<_>>())
    };
    let read = |json: &str, expected: &[&str]| {
        let expected: Vec<_> = expected.iter().map(|key| (*key).to_owned()).collect();
        assert_eq!(keys(json, expected.len()), Ok(expected), "{json}");
    };
    read("[]", &[]);
    read(" [ \"a\" ,\n\"\" ] ", &["a", ""]);
    // json.dumps(['é\n"\\', '😀'])
    read(r#"["\u00e9\n\"\\", "\ud83d\ude00"]"#, &["é\n\"\\", "😀"]);
    read(r#"["\b\f\r\t\/é"]"#, &["\u{8}\u{c}\r\t/é"]);
    for json in [
        "",
        "[",
        "]",
        "{}",
        "\"a\"",
        "[1]",
        "[,]",
        "[\"a\",]",
        "[\"a\" \"b\"]",
        "[\"a]",
        "[\"a\"",
        "[\"a\"] x",
        "[null]",
        "[[\"a\"]]",
        "[\"\n\"]",
        r#"["\x"]"#,
        r#"["\u12"]"#,
        r#"["\ud83d"]"#,
        r#"["\ude00"]"#,
        r#"["\ud83d\u0041"]"#,
        r#"["\ud83dxude00"]"#,
        "[] []",
    ] {
        assert_eq!(keys(json, 1), Err(Fault::BadKeys), "{json}");
    }
    // Equal strings, however they are written.
    let fault = Fault::DuplicateKey { first: 0, second: 2 };
    assert_eq!(keys(r#"["b", "a", "\u0062"]"#, 3), Err(fault));
}

#[test]
fn malformed_nodes_are_refused() {
    for (tree, fault) in [
        (node(6, &[]), Fault::UnknownNode(6)),
        (node(255, &[]), Fault::UnknownNode(255)),
        (node(NONE, &[leaf()]), Fault::Arity { expected: 0, found: 1 }),
        (node(DICT, &[leaf()]), Fault::Arity { expected: 0, found: 1 }),
        (dict(&["b", "a"]), Fault::UnsortedKeys { first: 0, second: 1 }),
        (dict(&["a", "b", "b"]), Fault::DuplicateKey { first: 1, second: 2 }),
        (node(CUSTOM, &[]), Fault::MissingField { field: 3 }),
        (ordered("", 0), Fault::BadKeys),
        (ordered("[1]", 1), Fault::BadKeys),
        (ordered("[\"a\"]", 2), Fault::Arity { expected: 1, found: 2 }),
        (ordered("[\"b\", \"a\", \"b\"]", 3), Fault::DuplicateKey { first: 0, second: 2 }),
        (
            Node { names: Some(vec!["a".into()]), ..node(DICT, &[]) },
            Fault::Arity { expected: 1, found: 0 },
        ),
    ] {
        assert_eq!(text(&tree), Err(fault));
        assert_eq!(text(&node(LIST, &[leaf(), tree])), Err(fault));
    }
    let mut bent = with_tree(&node(LEAF, &[leaf()]));
    // The leaf inside has an abstract value as well, but no place in the tree.
    assert_eq!(
        Exported::from_bytes(&bent).unwrap_err().kind(),
        Fault::Arity { expected: 0, found: 1 }
    );
    bent.clear();
    assert_eq!(Exported::from_bytes(&bent).unwrap_err().kind(), Fault::OutOfBounds);
}

#[test]
fn many_unsorted_keys_are_refused_and_sorted_ones_are_not() {
    let list = |keys: &mut dyn Iterator<Item = u32>| {
        let keys: Vec<_> = keys.map(|key| format!("\"{key:06}\"")).collect();
        format!("[{}]", keys.join(","))
    };
    let most = MAX_ORDERED_KEYS;
    let read = |aux: String, count: u32| {
        Exported::from_bytes(&with_tree(&ordered(&aux, count as usize)))
            .map(|_| ())
            .map_err(|error| error.kind())
    };
    assert_eq!(read(list(&mut (0..=most)), most + 1), Ok(()));
    assert_eq!(
        read(list(&mut (0..=most).rev()), most + 1),
        Err(Fault::TooManyKeys { limit: most })
    );
    assert_eq!(read(list(&mut (0..most).rev()), most), Ok(()));
}

#[test]
fn long_unsorted_keys_that_begin_alike_do_not_hang() {
    let most = MAX_ORDERED_KEYS;
    let keys: Vec<_> = (0..most).rev().map(|key| format!("\"{key:0256}\"")).collect();
    let artifact = with_tree(&ordered(&format!("[{}]", keys.join(",")), most as usize));
    let start = Instant::now();
    assert!(Exported::from_bytes(&artifact).is_ok());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn depth_is_bounded_as_for_every_tree() {
    let nested = |levels: u32| (0..levels).fold(leaf(), |inner, _| node(LIST, &[inner]));
    assert!(text(&nested(MAX_DEPTH)).is_ok());
    assert_eq!(text(&nested(MAX_DEPTH + 1)), Err(Fault::TooDeep { limit: MAX_DEPTH }));
    assert_eq!(text(&nested(500)), Err(Fault::TooDeep { limit: MAX_DEPTH }));
}

/// Refused, and long before a hang.
fn shared(artifact: &[u8]) {
    let start = Instant::now();
    assert_eq!(Exported::from_bytes(artifact).unwrap_err().kind(), Fault::Shared);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn tables_that_share_a_child_cannot_grow_beyond_measure() {
    // 40 levels of two children each, which are the same table: 2^40 leaves in a kilobyte.
    let (mut flat, fields) = artifact(&[]);
    let mut to_child = vec![fields[IN_TREE]];
    for level in 0..=40 {
        let placed = flat.table(&[(0, 1), (1, 4)]);
        to_child.iter().for_each(|from| flat.point(*from, placed.at));
        flat.write(placed.fields[0], &[if level == 40 { LEAF } else { LIST }]);
        to_child = flat.vector_at(placed.fields[1], if level == 40 { 0 } else { 2 }, 4);
    }
    shared(&flat.0);
}

#[test]
fn tables_that_share_text_cannot_either() {
    let long = "k".repeat(1 << 18);
    let custom = |name: &str| {
        let custom = Some((name.into(), format!("[\"{long}\"]").into()));
        Node { custom, ..node(CUSTOM, &[leaf()]) }
    };
    for long in [dict(&[&long]), custom("a.B"), custom("collections.OrderedDict"), custom(&long)] {
        assert!(Exported::from_bytes(&with_tree(&long)).is_ok());
        let (mut flat, fields) = artifact(&[]);
        let list = flat.table_at(fields[IN_TREE], &[(0, 1), (1, 4)]);
        flat.write(list.fields[0], &[LIST]);
        let places = flat.vector_at(list.fields[1], 1 << 16, 4);
        let child = long.write(&mut flat, places[0]);
        places.iter().for_each(|from| flat.point(*from, child));
        shared(&flat.0);
    }
}

#[test]
fn abstract_values_that_share_a_shape_cannot_either() {
    let (mut flat, fields) = artifact(&[]);
    leaf().write(&mut flat, fields[IN_TREE]);
    let places = flat.vector_at(fields[IN_AVALS], 1 << 16, 4);
    let aval = flat.table(&[(1, 4)]);
    places.iter().for_each(|from| flat.point(*from, aval.at));
    for at in flat.vector_at(aval.fields[0], 1 << 16, 4) {
        flat.string_at(at, "1");
    }
    shared(&flat.0);
}

/// The artifact may share an abstract value; each leaf with a copy would be 2^31 dimensions.
#[test]
fn leaves_that_share_an_abstract_value_do_not_copy_it() {
    let (mut flat, fields) = artifact(&[(19, 4), (22, 4)]);
    node(TUPLE, &vec![leaf(); 1 << 15]).write(&mut flat, fields[IN_TREE]);
    let at = flat.vector_at(fields[5], 1, 4)[0];
    let aval = flat.table_at(at, &[(1, 4)]);
    for at in flat.vector_at(aval.fields[0], 1 << 16, 4) {
        flat.string_at(at, "1");
    }
    flat.vector_at(fields[6], 1 << 15, 4);
    let start = Instant::now();
    let exported = Exported::from_bytes(&flat.0).unwrap();
    assert!(exported.in_avals().all(|aval| aval.shape.len() == 1 << 16));
    assert_eq!(exported.in_avals().len(), 1 << 15);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn no_chain_of_tables_comes_back() {
    let (mut flat, fields) = artifact(&[]);
    let list = flat.table_at(fields[IN_TREE], &[(0, 1), (1, 4)]);
    flat.write(list.fields[0], &[LIST]);
    let child = flat.vector_at(list.fields[1], 1, 4)[0];
    let mut read = |offset: u32| {
        flat.write(child, &offset.to_le_bytes());
        Exported::from_bytes(&flat.0).map(|_| ()).map_err(|error| (error.kind(), error.offset()))
    };
    // To the list itself, if the sum wrapped.
    let back = (list.at as u32).wrapping_sub(child as u32);
    assert_eq!(read(back), Err((Fault::OutOfBounds, child)));
    assert_eq!(read(u32::MAX), Err((Fault::OutOfBounds, child)));
    // To the offset itself, which would be a table with its vtable in the same place.
    assert_eq!(read(0), Err((Fault::BadTable, child)));
}

#[test]
fn every_element_type_has_the_name_that_jax_gives_it() {
    let read = |dtype: u8| {
        let (mut flat, fields) = artifact(&[]);
        leaf().write(&mut flat, fields[IN_TREE]);
        let at = flat.vector_at(fields[IN_AVALS], 1, 4)[0];
        let aval = flat.table_at(at, &[(1, 4), (2, 1)]);
        flat.write(aval.fields[1], &[dtype]);
        for (at, dim) in flat.vector_at(aval.fields[0], 4, 4).into_iter().zip([
            "12",
            "2*b + 1",
            "",
            "99999999999999999999",
        ]) {
            flat.string_at(at, dim);
        }
        let exported = Exported::from_bytes(&flat.0).map_err(|error| error.kind())?;
        let aval = exported.in_avals().next().unwrap();
        let dims = [
            Dim::Size(12),
            Dim::Symbolic("2*b + 1"),
            Dim::Symbolic(""),
            Dim::Symbolic("99999999999999999999"),
        ];
        assert_eq!(aval.shape, dims);
        assert_eq!(aval.sizes(), None);
        Ok(aval.to_string())
    };
    // From the schema: number and name there, then JAX's name.
    let names = [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "bfloat16",
        "int4",
        "uint4",
        "float8_e4m3b11fnuz",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "float0",
        "float8_e4m3",
        "float8_e3m4",
        "float8_e8m0fnu",
        "float4_e2m1fn",
        "key<fry>",
        "key<rbg>",
        "key<unsafe_rbg>",
    ];
    for (number, name) in (0..).zip(names) {
        assert_eq!(read(number), Ok(format!("{name}[12,2*b + 1,,99999999999999999999]")));
    }
    assert_eq!(read(30), Err(Fault::UnknownDtype(30)));
    // Every one is a dtype of the names in NumPy.
    assert!(
        names.iter().all(|name| Dtype::from_name(name).is_some_and(|dtype| dtype.name() == *name))
    );
}

#[test]
fn abstract_values_are_counted_and_indices_checked() {
    let (mut flat, fields) = artifact(&[]);
    node(TUPLE, &[leaf(), leaf()]).write(&mut flat, fields[IN_TREE]);
    let error = Exported::from_bytes(&flat.0).unwrap_err();
    assert_eq!(error.kind(), Fault::AvalCount { expected: 2, found: 0 });

    let (unique, indices, kept) = (5, 6, 7);
    let read = |number: [u32; 2], inputs: &[u16]| {
        let (mut flat, fields) = artifact(&[(19, 4), (22, 4), (15, 4)]);
        node(TUPLE, &[leaf(), leaf()]).write(&mut flat, fields[IN_TREE]);
        let at = flat.vector_at(fields[unique], 1, 4)[0];
        flat.table_at(at, &[]);
        for (at, index) in flat.vector_at(fields[indices], 2, 4).into_iter().zip(number) {
            flat.write(at, &index.to_le_bytes());
        }
        for (at, index) in flat.vector_at(fields[kept], inputs.len(), 2).into_iter().zip(inputs) {
            flat.write(at, &index.to_le_bytes());
        }
        let exported = Exported::from_bytes(&flat.0).map_err(|error| error.kind())?;
        assert!(exported.in_avals().map(|aval| aval.to_string()).eq(["bool[]"; 2]));
        assert_eq!(exported.module_kept_var_idx.len(), inputs.len());
        Ok(())
    };
    assert_eq!(read([0, 0], &[0, 1]), Ok(()));
    assert_eq!(read([0, 0], &[]), Ok(()));
    assert_eq!(read([0, 1], &[]), Err(Fault::BadIndex { index: 1 }));
    assert_eq!(read([0, 0], &[2]), Err(Fault::BadIndex { index: 2 }));
    assert_eq!(read([0, 0], &[1, 0]), Err(Fault::BadIndex { index: 0 }));
    assert_eq!(read([0, 0], &[1, 1]), Err(Fault::BadIndex { index: 1 }));
}

#[test]
fn the_derivative_and_the_version_of_jax_are_read_where_they_are() {
    let (mut flat, fields) = artifact(&[(17, 4), (26, 4)]);
    leaf().write(&mut flat, fields[IN_TREE]);
    let at = flat.vector_at(fields[IN_AVALS], 1, 4)[0];
    flat.table_at(at, &[]);
    flat.string_at(fields[6], "0.11.0");
    let vjp = flat.table_at(fields[5], &[(1, 4), (2, 4), (4, 4)]);
    flat.string_at(vjp.fields[0], "f_vjp");
    node(TUPLE, &[]).write(&mut flat, vjp.fields[1]);
    node(LIST, &[]).write(&mut flat, vjp.fields[2]);
    let exported = Exported::from_bytes(&flat.0).unwrap();
    assert_eq!(exported.jax_version, Some("0.11.0"));
    let derivative = exported.vjp().unwrap().unwrap();
    assert_eq!(derivative.function_name, "f_vjp");
    assert_eq!(derivative.out_tree.as_treedef(), treedef!([]));
    // Only who asks for the derivative sees that it is broken.
    flat.write(vjp.fields[1], &[255; 4]);
    let exported = Exported::from_bytes(&flat.0).unwrap();
    assert_eq!(exported.vjp().unwrap_err().kind(), Fault::OutOfBounds);
}

#[test]
fn nothing_has_to_be_aligned() {
    for artifact in ARTIFACTS {
        for before in 1..8 {
            let moved = [&vec![0; before], artifact].concat();
            assert_eq!(in_tree(&moved[before..]), in_tree(artifact));
        }
    }
}

/// Reads everything there is; what is refused names a place, what is not keeps its promises.
fn exercise(artifact: &[u8]) -> bool {
    let exported = match Exported::from_bytes(artifact) {
        Ok(exported) => exported,
        Err(error) => {
            assert!(error.offset() <= artifact.len());
            return false;
        }
    };
    let (inputs, outputs) = (exported.in_tree.as_treedef(), exported.out_tree.as_treedef());
    for def in [inputs, outputs] {
        assert!(def.as_bytes().len() <= artifact.len(), "no tree takes more than its tables");
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    }
    assert_eq!(exported.in_avals().len(), inputs.num_leaves());
    assert_eq!(exported.out_avals().len(), outputs.num_leaves());
    assert!(exported.module_kept_var_idx.iter().all(|index| *index < inputs.num_leaves()));
    let _ = exported.vjp();
    true
}

fn changed(artifact: &[u8], mut change: impl FnMut(&mut dyn FnMut(usize, &[u8]))) -> [usize; 2] {
    let (mut bytes, mut counts) = (artifact.to_vec(), [0; 2]);
    change(&mut |at, new| {
        bytes[at..at + new.len()].copy_from_slice(new);
        counts[usize::from(exercise(&bytes))] += 1;
        bytes[at..at + new.len()].copy_from_slice(&artifact[at..at + new.len()]);
    });
    counts
}

#[test]
fn truncated_artifacts_are_read_or_refused() {
    for artifact in ARTIFACTS {
        let taken = (0..artifact.len()).filter(|len| exercise(&artifact[..*len]));
        // The last string ends with a zero that nobody reads, and padding.
        assert!(taken.min().is_none_or(|least| least + 8 > artifact.len()));
        assert!(exercise(artifact));
    }
}

/// Checks each artifact on a thread of its own.
fn on_all_cores(check: impl Fn(&'static [u8]) + Sync) {
    std::thread::scope(|scope| {
        for artifact in ARTIFACTS {
            scope.spawn(|| check(artifact));
        }
    });
}

#[test]
fn artifacts_with_one_byte_changed_are_read_or_refused() {
    on_all_cores(|artifact| {
        let [refused, taken] = changed(artifact, |try_with| {
            for (at, byte) in (0..).zip(artifact) {
                let flipped = (0..8).map(|bit| byte ^ 1 << bit);
                let near = [0, 255, byte.wrapping_add(1), byte.wrapping_sub(1)];
                flipped.chain(near).for_each(|new| try_with(at, &[new]));
            }
        });
        assert!(refused > 5_000 && taken > 5_000, "{refused} refused, {taken} taken");
    });
}

#[test]
fn artifacts_with_one_number_changed_are_read_or_refused() {
    on_all_cores(|artifact| {
        let len = artifact.len() as u32;
        let [refused, taken] = changed(artifact, |try_with| {
            for at in 0..artifact.len() - 3 {
                let own = u32::from_le_bytes(artifact[at..at + 4].try_into().unwrap());
                let rest = len - at as u32;
                let near = [
                    own.wrapping_add(1),
                    own.wrapping_sub(1),
                    own.wrapping_add(4),
                    own.wrapping_sub(4),
                ];
                let edges = [
                    0,
                    1,
                    4,
                    rest,
                    rest - 1,
                    rest - 4,
                    len,
                    1 << 31,
                    u32::MAX,
                    u32::MAX - 3,
                    rest / 4,
                    rest / 8,
                ];
                near.iter().chain(&edges).for_each(|new| try_with(at, &new.to_le_bytes()));
                // Back to where something is that was read.
                (4..40)
                    .step_by(4)
                    .for_each(|back| try_with(at, &(0u32.wrapping_sub(back)).to_le_bytes()));
            }
        });
        assert!(refused > 5_000 && taken > 5_000, "{refused} refused, {taken} taken");
    });
}
