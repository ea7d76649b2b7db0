//! The largest sizes of a type's values, at compile time.

use heapless::{LinearMap, Vec as Fixed};
use treedef::encode::structure_bound;
use treedef::tree::{Structure, max_bytes, max_leaves, max_path_len};
use treedef::{Error, KeyPath, Tree, TreeDef, structure_into, treedef_of};

#[derive(Tree)]
enum Filter {
    Off,
    Low { hz: f32 },
    Band(f32, [Option<f32>; 2]),
}

#[derive(Tree)]
struct Axis {
    filter: Filter,
    gains: Fixed<(f32, f32), 40>,
    limit: Option<Option<f32>>,
}

#[derive(Tree)]
struct Labelled {
    #[tree(meta)]
    label: u32,
    gain: f32,
}

/// The longest text of a path to a leaf.
fn path_len(def: TreeDef<'_>) -> usize {
    (0..def.num_leaves())
        .filter_map(|leaf| def.path(leaf))
        .map(|path| path.keystr().to_string().len())
        .max()
        .unwrap_or(0)
}

/// Checks a value, and returns how far its sizes are from the bounds: leaves, bytes, text of a path.
fn check<T: Structure>(value: &T) -> Result<[usize; 3], Error> {
    let bounds = [max_leaves::<T>(), max_bytes::<T>(), max_path_len::<T>()];
    let mut bytes = vec![0; max_bytes::<T>()];
    let def = structure_into(value, &mut bytes)?;
    assert!(structure_bound(value)? <= max_bytes::<T>(), "{def}");
    let sizes = [def.num_leaves(), def.as_bytes().len(), path_len(def)];
    let far = |i: usize| {
        bounds[i].checked_sub(sizes[i]).unwrap_or_else(|| panic!("{def}: {sizes:?} > {bounds:?}"))
    };
    Ok([far(0), far(1), far(2)])
}

#[test]
fn no_value_is_larger() -> Result<(), Error> {
    let full = || Fixed::from_iter([(0.0, 0.0); 40]);
    for (gains, limit) in [(Fixed::new(), None), (full(), Some(None)), (full(), Some(Some(1.0)))] {
        for filter in [Filter::Off, Filter::Low { hz: 1.0 }, Filter::Band(1.0, [None, Some(2.0)])] {
            check(&Axis { filter, gains: gains.clone(), limit })?;
        }
    }
    let largest = Axis {
        filter: Filter::Band(1.0, [Some(1.0), Some(2.0)]),
        gains: full(),
        limit: Some(Some(1.0)),
    };
    assert_eq!(check(&largest)?[0], 0);
    assert_eq!(check(&largest)?[2], 0);
    Ok(())
}

#[test]
fn the_bounds_of_plain_values_are_exact() -> Result<(), Error> {
    assert_eq!(check(&1.0f32)?, [0, 0, 0]);
    assert_eq!(check(&[[1.0f32; 3]; 40])?, [0, 0, 0]);
    assert_eq!(check(&(1.0f32, ([2.0f32; 11], ())))?, [0, 0, 0]);
    assert_eq!(check(&Some(Some(1.0f32)))?, [0, 0, 0]);
    assert_eq!(check(&Some([1.0f32; 2]))?, [0, 0, 0]);
    // `Band` has two more leaves, a longer name and field names by one byte each, three more bytes of children, and the
    // path `.1[1]` beside `.hz`.
    assert_eq!(check(&Filter::Low { hz: 1.0 })?, [2, 5, 2]);
    // Elements that alternate.
    let mixed = Fixed::<Option<f32>, 4>::from_slice(&[None, Some(1.0), None, Some(1.0)]).unwrap();
    assert_eq!(check(&mixed)?, [2, 0, 0]);
    for len in [0, 1, 2, 31, 32, 33, 200] {
        let leaves = Fixed::<f32, 200>::from_iter((0..len).map(|_| 0.0f32));
        assert_eq!(check(&leaves)?[0], 200 - len);
        let empty = Fixed::<[f32; 0], 200>::from_iter((0..len).map(|_| []));
        assert_eq!(check(&empty)?[1] == 0, len == 200);
        // One element and a repeat.
        let rows = Fixed::<[f32; 3], 200>::from_iter((0..len).map(|_| [0.0; 3]));
        assert_eq!(check(&rows)?[1] == 0, len == 200);
    }
    Ok(())
}

#[test]
fn some_types_have_some_bounds() {
    assert_eq!(max_leaves::<LinearMap<u8, [f32; 2], 3>>(), 6);
    assert_eq!((max_leaves::<Labelled>(), max_path_len::<Labelled>()), (1, 5));
    // A pointer has the bounds of what it points to.
    assert_eq!(max_leaves::<Box<[f32; 3]>>(), 3);
    assert_eq!(max_leaves::<Box<Option<f32>>>(), 1);
    assert_eq!(max_bytes::<&(f32, f32)>(), treedef_of::<(f32, f32)>().as_bytes().len());
}

#[test]
fn a_path_of_the_bound_is_written() {
    let path = KeyPath::new(&[]);
    assert_eq!(path.keystr().to_string().len(), max_path_len::<f32>());
    let def = treedef_of::<[[f32; 12]; 101]>();
    assert_eq!(path_len(def), max_path_len::<[[f32; 12]; 101]>());
}
