//! Vectors of numbers and of structs as networks have them, vectors of enums and options, and arrays in arrays.

use std::hint::black_box;

use treedef::tree::leaves_from;
use treedef::{
    KeyEntry, KeyPath, Tree, flatten, for_each_with_path, structure, treedef_of, unflatten,
};

use crate::{Case, case};

#[derive(Clone, Tree)]
struct Affine {
    b: Vec<f32>,
    w: Vec<f32>,
}

fn flat_by_hand(affine: &Affine) -> Vec<f32> {
    let mut leaves = Vec::with_capacity(affine.b.len() + affine.w.len());
    leaves.extend_from_slice(&affine.b);
    leaves.extend_from_slice(&affine.w);
    leaves
}

fn write_by_hand(affine: &mut Affine, leaves: &[f32]) -> bool {
    let (b, w) = (affine.b.len(), affine.w.len());
    if leaves.len() != b + w {
        return false;
    }
    affine.b.copy_from_slice(&leaves[..b]);
    affine.w.copy_from_slice(&leaves[b..]);
    true
}

#[derive(Clone, Tree)]
enum Shape {
    Circle(f32),
    Rectangle { width: f32, height: f32 },
    Nothing,
}

fn shapes() -> Vec<Shape> {
    let shape = |i| match i % 3 {
        0 => Shape::Circle(1.0),
        1 => Shape::Rectangle { width: 1.0, height: 2.0 },
        _ => Shape::Nothing,
    };
    (0..1000).map(shape).collect()
}

/// The shapes from a byte for each.
fn shapes_from_hand(tags: &[u8], leaves: &[f32]) -> Option<Vec<Shape>> {
    let mut leaves = leaves.iter().copied();
    let shape = |tag: &u8| {
        Some(match tag {
            0 => Shape::Circle(leaves.next()?),
            1 => Shape::Rectangle { width: leaves.next()?, height: leaves.next()? },
            _ => Shape::Nothing,
        })
    };
    tags.iter().map(shape).collect()
}

#[derive(Clone, Tree)]
enum Activation {
    Relu,
    Leaky(f32),
    Parametric { slopes: Vec<f32> },
}

#[derive(Clone, Tree)]
struct Dense {
    w: Vec<f32>,
    b: Option<Vec<f32>>,
    activation: Activation,
}

/// Layers of which no two neighbours are alike.
fn dense() -> Vec<Dense> {
    let layer = |i: usize| Dense {
        w: vec![0.5; 32],
        b: (!i.is_multiple_of(3)).then(|| vec![0.5; 8]),
        activation: match i % 4 {
            1 => Activation::Leaky(0.1),
            3 => Activation::Parametric { slopes: vec![0.5; 4] },
            _ => Activation::Relu,
        },
    };
    (0..12).map(layer).collect()
}

fn dense_by_hand(layers: &[Dense]) -> Vec<f32> {
    let mut leaves = Vec::new();
    for layer in layers {
        leaves.extend_from_slice(&layer.w);
        leaves.extend_from_slice(layer.b.as_deref().unwrap_or_default());
        match &layer.activation {
            Activation::Relu => {}
            Activation::Leaky(slope) => leaves.push(*slope),
            Activation::Parametric { slopes } => leaves.extend_from_slice(slopes),
        }
    }
    leaves
}

type Path = Vec<KeyEntry<'static>>;

/// Visits each leaf with its path.
fn dense_paths_by_hand(layers: &[Dense], mut visit: impl FnMut(&[KeyEntry<'_>], &f32)) {
    let mut path = Path::new();
    for (index, layer) in (0..).zip(layers) {
        path.push(KeyEntry::Index(index));
        visit_list(&mut path, "w", &layer.w, &mut visit);
        visit_list(&mut path, "b", layer.b.as_deref().unwrap_or_default(), &mut visit);
        path.push(KeyEntry::Attr("activation"));
        match &layer.activation {
            Activation::Relu => {}
            Activation::Leaky(slope) => {
                path.push(KeyEntry::Attr("0"));
                visit(&path, slope);
                path.pop();
            }
            Activation::Parametric { slopes } => {
                visit_list(&mut path, "slopes", slopes, &mut visit);
            }
        }
        path.truncate(0);
    }
}

fn visit_list(
    path: &mut Path,
    field: &'static str,
    leaves: &[f32],
    visit: &mut impl FnMut(&[KeyEntry<'_>], &f32),
) {
    path.push(KeyEntry::Attr(field));
    for (index, leaf) in (0..).zip(leaves) {
        path.push(KeyEntry::Index(index));
        visit(path, leaf);
        path.pop();
    }
    path.pop();
}

#[derive(Clone, Copy, Tree)]
struct Area {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

fn areas() -> Vec<Area> {
    vec![Area { x: 0.0, y: 1.0, width: 2.0, height: 3.0 }; 500]
}

fn areas_by_hand(areas: &[Area]) -> Vec<f32> {
    let mut leaves = Vec::new();
    for area in areas {
        leaves.extend_from_slice(&[area.x, area.y, area.width, area.height]);
    }
    leaves
}

/// Visits each leaf with its path.
fn area_paths_by_hand(areas: &[Area], mut visit: impl FnMut(&[KeyEntry<'_>], &f32)) {
    for (index, area) in (0..).zip(areas) {
        let index = KeyEntry::Index(index);
        let Area { x, y, width, height } = area;
        let fields = [("x", x), ("y", y), ("width", width), ("height", height)];
        for (field, leaf) in fields {
            visit(&[index, KeyEntry::Attr(field)], leaf);
        }
    }
}

/// Takes a leaf and its path.
fn take(path: &[KeyEntry<'_>], leaf: &f32) {
    black_box((path, leaf));
}

fn options_from_hand(present: &[bool], leaves: &[f32]) -> Option<Vec<Option<f32>>> {
    let mut leaves = leaves.iter();
    let option =
        |present: &bool| if *present { leaves.next().copied().map(Some) } else { Some(None) };
    present.iter().map(option).collect()
}

#[derive(Clone, Copy, Tree)]
struct Filter {
    gains: [[f32; 16]; 16],
    offsets: [f32; 16],
}

fn filter_from_hand(leaves: &[f32]) -> Option<Filter> {
    let (rows, rest) = leaves.as_chunks::<16>();
    let (gains, [offsets]) = rows.split_first_chunk::<16>()? else { return None };
    rest.is_empty().then_some(Filter { gains: *gains, offsets: *offsets })
}

pub(crate) fn cases() -> Vec<Case> {
    let affine = Affine { b: vec![0.5; 4096], w: vec![0.5; 4096] };
    let [a, b] = std::array::from_fn(|_| affine.clone());
    let [mut c, mut d] = std::array::from_fn(|_| affine.clone());
    let leaves = vec![1.5f32; 8192];
    let leaves2 = leaves.clone();
    let tags: Vec<u8> = (0..1000u16).map(|i| (i % 3) as u8).collect();
    let (def, numbers) = flatten(&shapes()).expect("shapes have leaves");
    let numbers2 = numbers.clone();
    let (layers, layers2) = (dense(), dense());
    let areas = areas();
    let areas2 = areas.clone();
    let options: Vec<Option<f32>> = (0..1000).map(|i| (i % 3 > 0).then_some(0.5)).collect();
    let options2 = options.clone();
    let present: Vec<bool> = options.iter().map(Option::is_some).collect();
    let (options_def, numbers3) = flatten(&options).expect("options have leaves");
    let numbers4 = numbers3.clone();
    let filter = vec![0.5f32; 272];
    let filter2 = filter.clone();
    vec![
        case("floats: flatten by hand", None, move || {
            black_box(flat_by_hand(black_box(&a)));
        }),
        case("floats: flatten", Some(("floats: flatten by hand", 1.1)), move || {
            black_box(flatten(black_box(&b)).ok());
        }),
        case("floats: write by hand", None, move || {
            black_box(write_by_hand(black_box(&mut c), black_box(&leaves)));
        }),
        case("floats: write", Some(("floats: write by hand", 1.05)), move || {
            black_box(leaves_from(black_box(&mut d), black_box(&leaves2)).is_ok());
        }),
        case("1000 enums: unflatten by hand", None, move || {
            black_box(shapes_from_hand(black_box(&tags), black_box(&numbers)));
        }),
        case("1000 enums: unflatten", Some(("1000 enums: unflatten by hand", 5.81)), move || {
            let shapes: Option<Vec<Shape>> =
                unflatten(black_box(&def), black_box(numbers2.as_slice())).ok();
            black_box(shapes);
        }),
        case("dense: flatten by hand", None, move || {
            black_box(dense_by_hand(black_box(&layers)));
        }),
        case("dense: flatten", Some(("dense: flatten by hand", 3.19)), move || {
            black_box(flatten(black_box(&layers2)).ok());
        }),
        case("500 areas: flatten by hand", None, move || {
            black_box(areas_by_hand(black_box(&areas)));
        }),
        case("500 areas: flatten", Some(("500 areas: flatten by hand", 1.0)), move || {
            black_box(flatten(black_box(&areas2)).ok());
        }),
        case("1000 options: flatten by hand", None, move || {
            black_box(black_box(&options).iter().flatten().copied().collect::<Vec<_>>());
        }),
        case("1000 options: flatten", Some(("1000 options: flatten by hand", 4.7)), move || {
            black_box(flatten(black_box(&options2)).ok());
        }),
        case("1000 options: unflatten by hand", None, move || {
            black_box(options_from_hand(black_box(&present), black_box(&numbers3)));
        }),
        case(
            "1000 options: unflatten",
            Some(("1000 options: unflatten by hand", 3.77)),
            move || {
                let options: Option<Vec<Option<f32>>> =
                    unflatten(black_box(&options_def), black_box(&numbers4)).ok();
                black_box(options);
            },
        ),
        case("arrays: unflatten by hand", None, move || {
            black_box(filter_from_hand(black_box(&filter)));
        }),
        case("arrays: unflatten", Some(("arrays: unflatten by hand", 2.0)), move || {
            let filter: Option<Filter> =
                unflatten(treedef_of::<Filter>(), black_box(filter2.as_slice())).ok();
            black_box(filter);
        }),
    ]
}

/// Leaves that are visited with their paths.
pub(crate) fn paths() -> Vec<Case> {
    let (layers, layers2) = (dense(), dense());
    let layers_def = structure(&layers).expect("layers have a structure");
    let (areas, areas2) = (areas(), areas());
    let areas_def = structure(&areas).expect("areas have a structure");
    // Both visit the same paths.
    let (mut own, mut by_hand) = (Vec::new(), Vec::new());
    dense_paths_by_hand(&layers, |path, _| by_hand.push(KeyPath::new(path).to_string()));
    area_paths_by_hand(&areas, |path, _| by_hand.push(KeyPath::new(path).to_string()));
    let visited = for_each_with_path(&layers, &layers_def, |path, _| own.push(path.to_string()))
        .and_then(|()| {
            for_each_with_path(&areas, &areas_def, |path, _| own.push(path.to_string()))
        });
    assert_eq!((visited, own), (Ok(()), by_hand));
    vec![
        case("dense: paths by hand", None, move || {
            dense_paths_by_hand(black_box(&layers), take);
        }),
        case("dense: paths", Some(("dense: paths by hand", 12.95)), move || {
            let def = black_box(&layers_def);
            let visited =
                for_each_with_path(black_box(&layers2), def, |path, leaf| take(&path, leaf));
            black_box(visited.is_ok());
        }),
        case("500 areas: paths by hand", None, move || {
            area_paths_by_hand(black_box(&areas), take);
        }),
        case("500 areas: paths", Some(("500 areas: paths by hand", 35.1)), move || {
            let def = black_box(&areas_def);
            let visited =
                for_each_with_path(black_box(&areas2), def, |path, leaf| take(&path, leaf));
            black_box(visited.is_ok());
        }),
    ]
}
