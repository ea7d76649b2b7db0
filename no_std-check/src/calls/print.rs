//! Texts: treedefs, paths, errors, and `Debug` of every public type.

use core::hint::black_box;

use treedef::container::Depth;
use treedef::encode::Level;
use treedef::format::BigInt;
use treedef::format::ValueTuple;
use treedef::head::DictKind;
use treedef::text::KeyStr;
use treedef::tree::{AsLeaf, HasSchema};
use treedef::{DecodeError, Error, KeyEntry, KeyPath, TreeDef, Value, Writer, head};

use super::build::sample;
use super::{Done, print, print_debug};

/// A treedef as JAX prints it.
pub(super) fn treedefs() -> Done {
    let mut bytes = [0; 512];
    let def = sample(&mut bytes)?;
    print(black_box(&def))
}

/// The path of every leaf in every form.
pub(super) fn paths() -> Done {
    let mut bytes = [0; 512];
    for path in sample(&mut bytes)?.paths() {
        let text = KeyPath::keystr(&path);
        print(&text)?;
        print(&KeyStr::separated_by(text, black_box("/")))?;
        print(&KeyPath::keystr_simple(&path, black_box("/")))?;
        path.entries().try_for_each(|entry| print(&entry))?;
    }
    Some(())
}

/// Errors of every kind, and what they say about trees.
pub(super) fn errors() -> Done {
    let (needed, room, first, second) = black_box((2, 1, 0, 1));
    let errors = [
        Error::Full { room },
        Error::BufferFull { needed, room },
        Error::LeavesFull { needed, room },
        Error::NodesFull { needed, room },
        Error::TooLarge,
        Error::TooDeep { limit: second },
        Error::TooManyKeys { needed, room },
        Error::Unordered { first, second },
        Error::DuplicateKey { first, second },
        Error::UnsortedKeys { first, second },
        Error::Arity { expected: needed, found: room },
        Error::ValueTooDeep,
        Error::Mismatch { node: second },
        Error::Capacity { node: second, room },
        Error::TooFewLeaves { expected: needed, found: room },
        Error::TooManyLeaves { expected: room, found: needed },
        Error::WrongLeaf { leaf: first },
        Error::Unsupported,
    ];
    let (mut bytes, keys) = ([0; 512], [Value::Int(1), Value::Str("a")]);
    let sample = sample(&mut bytes)?;
    for error in black_box(&errors) {
        print(error)?;
        print_debug(error)?;
        let explained = Error::explain_keys(error, black_box(keys));
        print(&explained)?;
        print_debug(&explained)?;
        print(&Error::explain_at(error, sample))?;
        for child in sample.children() {
            let explained = Error::explain(error, sample, child);
            print(&explained)?;
            print_debug(&explained)?;
            for other in sample.children() {
                print(&Error::explain(error, child, other))?;
            }
        }
    }
    decode_errors(sample.as_bytes().len(), &mut bytes)
}

/// The errors of a sample with one byte changed.
fn decode_errors(len: usize, bytes: &mut [u8]) -> Done {
    for at in 0..len {
        let byte = *bytes.get(at)?;
        for change in [1, 0x20, 0xFF] {
            *bytes.get_mut(at)? = byte ^ black_box(change);
            let read = bytes.get(..len)?;
            if let Err(error) = TreeDef::from_bytes(read) {
                print(&error)?;
                print_debug(&error)?;
                print_debug(&error.kind())?;
                let explained = DecodeError::explain(&error, read);
                print(&explained)?;
                print_debug(&explained)?;
            }
        }
        *bytes.get_mut(at)? = byte;
    }
    Some(())
}

/// `Debug` of the types that are not errors.
pub(super) fn debug() -> Done {
    let mut bytes = [0; 512];
    let def = sample(&mut bytes)?;
    print_debug(black_box(&def))?;
    for node in def.nodes() {
        let node = node.ok()?;
        print_debug(&node)?;
        print_debug(&node.head.kind())?;
        print_debug(&(node.head.meta_fields(), node.head.entries()))?;
        node.head.meta_fields().try_for_each(|(_, value)| print_debug(&value))?;
        node.head.meta_fields().try_for_each(|(_, value)| print(&value))?;
        node.head.keys().try_for_each(|key| print_debug(&key))?;
        node.head.child_keys().into_iter().flatten().try_for_each(|key| print_debug(&key))?;
    }
    let path = def.path(black_box(3))?;
    print_debug(&path)?;
    print_debug(&(path.entries(), path.keystr(), path.typed()))?;
    path.entries().try_for_each(|entry| print_debug(&entry))?;
    print_debug(&KeyEntry::Raw(black_box("?")))?;
    print_debug(&(def.children(), def.nodes()))?;
    print_debug(&(Level::default(), Depth::default()))?;
    print_debug(&(BigInt::new(false, &[1; 9])?, ValueTuple::new(&[Value::Float(0.1)])))?;
    let keys = [Value::Int(1)];
    let dict = head::Dict::new(DictKind::Default("f"), keys);
    print_debug(&(head::Tuple(1), head::List(2), head::Some, DictKind::Sorted, dict))?;
    print_debug(&head::NamedTuple { name: "N", fields: &["x"] })?;
    print_debug(<(f32, [Option<u8>; 3])>::SCHEMA)?;
    let mut room = [0; 8];
    let mut out = Writer::new(&mut room);
    print_debug(&out.begin_tuple(1))?;
    print_debug(&out)?;
    print_debug(&AsLeaf(def))
}
