//! Treedefs and paths as optree prints them, by plain recursion.
//!
//! A custom node called `collections.deque` is a deque: its aux data is the `maxlen`, and its children have positions.
//! The type name of a struct sequence holds dots, as in `time.struct_time`, and is written with them.

use treedef::{Head, KeyEntry, Kind, TreeDef, Value};

/// `repr` of a treespec.
pub(super) fn text(def: TreeDef<'_>, none_is_leaf: bool) -> String {
    format!("PyTreeSpec({}{})", node(def), if none_is_leaf { ", NoneIsLeaf" } else { "" })
}

/// The text of a node and of all below it.
fn node(def: TreeDef<'_>) -> String {
    let head = def.head();
    let children: Vec<String> = def.children().map(node).collect();
    let name = head.type_name().map(|name| name.rsplit("::").next().unwrap_or(name));
    let name = name.unwrap_or_default();
    match head.kind() {
        Kind::Leaf => "*".into(),
        Kind::None => "None".into(),
        Kind::Some => format!("Some({})", children.join(", ")),
        Kind::Tuple => tuple(&children),
        Kind::List => format!("[{}]", children.join(", ")),
        Kind::Dict => items(&head, &children),
        Kind::OrderedDict if children.is_empty() => "OrderedDict()".into(),
        Kind::OrderedDict => format!("OrderedDict({})", items(&head, &children)),
        Kind::DefaultDict => {
            format!(
                "defaultdict({}, {})",
                head.factory().unwrap_or_default(),
                items(&head, &children)
            )
        }
        Kind::NamedTuple => {
            let fields = head.fields().zip(&children);
            let fields: Vec<_> = fields.map(|(field, child)| format!("{field}={child}")).collect();
            format!("{name}({})", fields.join(", "))
        }
        Kind::Custom if name == "collections.deque" => deque(&head, &children),
        Kind::Struct => {
            let meta = head.meta_fields();
            let meta: Vec<_> =
                meta.map(|(name, value)| format!("({}, {value})", Value::Str(name))).collect();
            format!("CustomTreeNode({name}[{}], [{}])", tuple(&meta), children.join(", "))
        }
        _ => {
            let aux = head.aux().unwrap_or(Value::None);
            format!("CustomTreeNode({name}[{aux}], [{}])", children.join(", "))
        }
    }
}

fn tuple(items: &[String]) -> String {
    if let [item] = items { format!("({item},)") } else { format!("({})", items.join(", ")) }
}

fn items(head: &Head<'_>, children: &[String]) -> String {
    let items: Vec<_> =
        head.keys().zip(children).map(|(key, child)| format!("{key}: {child}")).collect();
    format!("{{{}}}", items.join(", "))
}

fn deque(head: &Head<'_>, children: &[String]) -> String {
    let items = (!children.is_empty()).then(|| format!("[{}]", children.join(", ")));
    let maxlen = head.aux().filter(|maxlen| *maxlen != Value::None);
    let maxlen = maxlen.map(|maxlen| format!("maxlen={maxlen}"));
    let arguments: Vec<_> = items.into_iter().chain(maxlen).collect();
    format!("deque({})", arguments.join(", "))
}

/// The code that takes a leaf or a node out of a tree called `root`, as `PyTreeAccessor.codify(root)`: `t['a'][0].x`.
pub(super) fn codify<'a>(root: &str, path: impl IntoIterator<Item = KeyEntry<'a>>) -> String {
    path.into_iter().fold(root.into(), |code, entry| match entry {
        KeyEntry::Attr(name) if !is_identifier(name) => {
            format!("getattr({code}, {})", Value::Str(name))
        }
        KeyEntry::Raw(name) => format!("{code}[<flat index {}>]", Value::Str(name)),
        entry => format!("{code}{entry}"),
    })
}

/// `str.isidentifier`, where a letter is what Unicode calls alphabetic.
fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}

/// The entry of a child with this index: a position for every sequence and every field of a named tuple, the key for
/// a dictionary.
pub(super) fn entry<'a>(head: &Head<'a>, index: usize) -> Option<KeyEntry<'a>> {
    let own = head.entries().nth(index)?;
    let position = KeyEntry::Index(u32::try_from(index).ok()?);
    Some(if head.kind() == Kind::NamedTuple { position } else { own })
}

/// The entries of the path with these indices, as `optree.tree_paths` gives them.
pub(super) fn entries<'a>(
    root: TreeDef<'a>,
    indices: impl IntoIterator<Item = usize>,
) -> Option<Vec<KeyEntry<'a>>> {
    let mut node = root;
    let entries = indices.into_iter().map(|index| {
        let entry = entry(&node.head(), index)?;
        node = node.child(index)?;
        Some(entry)
    });
    entries.collect()
}
