//! Keys that Python writes, too: its tests compare with the same file.

use treedef::cache::{Dim, Dtype, KeyBox, KeyWriter, ShapeDtype};
use treedef::{Cache, CallKey, Error, Tree, Value};

#[derive(Tree)]
#[tree(name = "robot::Gains")]
struct Gains {
    kp: f32,
    ki: f32,
    #[tree(meta)]
    dt: f32,
    #[tree(meta)]
    units: String,
}

/// The keys of `tests/golden/keys.txt`, by name.
fn keys() -> Vec<(&'static str, Vec<u8>)> {
    let lines = include_str!("../../golden/keys.txt").lines().filter(|line| !line.starts_with('#'));
    let byte = |digits| u8::from_str_radix(digits, 16).unwrap();
    let fields = lines.map(|line| line.split_once(" | ").unwrap());
    fields.map(|(name, hex)| (name, hex.split(' ').map(byte).collect())).collect()
}

fn write(name: &str, key: &mut KeyWriter<'_>) {
    let floats = |shape| ShapeDtype::new(Dtype::Float32, shape);
    match name {
        "train" => {
            key.treedef(treedef::treedef!(({"b": *, "w": *}, *)));
            key.leaves([floats(&[3]), floats(&[2, 3]), floats(&[2])]).named("train", &true);
        }
        "gains" => {
            let batch = [Dim::Symbolic("batch"), Dim::Size(3)];
            key.structure(&Gains { kp: 1.0, ki: 2.0, dt: 0.5, units: "Nm".into() });
            key.leaves([ShapeDtype::symbolic(Dtype::Float32, &batch)]);
            key.array(Dtype::Float64, false, &[]);
        }
        "static" => {
            key.treedef(treedef::TreeDef::LEAF).array(Dtype::Float32, true, &[]);
            key.meta(&true).meta("relu").meta(&(-1, 2.5)).value(Value::None);
            key.value(Value::Opaque("tanh")).bytes(b"gpu:0");
        }
        _ => panic!("no key {name}"),
    }
}

#[test]
fn keys_from_python_are_found_in_a_cache() -> Result<(), Error> {
    let mut cache = Cache::<KeyBox, &str, 8>::new();
    for (name, _) in keys() {
        let mut bytes = [0; 128];
        let mut key = KeyWriter::new(&mut bytes);
        write(name, &mut key);
        cache.get_or_insert_with(key.finish()?, || Ok::<_, Error>(name))?;
    }
    assert_eq!(cache.stats().misses, 3);
    for (name, bytes) in keys() {
        assert_eq!(cache.get(CallKey::from_bytes(&bytes).unwrap()), Some(&name), "{name}");
    }
    assert_eq!((cache.stats().hits, cache.stats().misses), (3, 3));
    Ok(())
}
