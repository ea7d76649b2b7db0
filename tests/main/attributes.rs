//! Attributes that change where a struct has its node and how names are made: `transparent`, `rename_all`, `skip` with a default.

use std::collections::BTreeMap;

use treedef::algebra::{Matching, migrate_typed};
use treedef::tree::HasSchema;
use treedef::{
    Error, Tree, TreeDef, View, flatten, map, over, schema_of, structure, treedef, treedef_of,
    unflatten,
};

use super::all_laws as laws;

/// A unit around one leaf.
#[derive(Tree, Clone, Copy, Debug, PartialEq)]
#[tree(transparent)]
struct Volt<T>(T);

/// A newtype of a struct, with what is no part of the tree.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(transparent)]
struct Trained<T> {
    #[tree(skip, default = 7)]
    steps: u32,
    weights: Layer<T>,
    #[tree(skip)]
    note: String,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Layer")]
struct Layer<T> {
    w: [T; 2],
    b: Option<T>,
}

/// A newtype of an option: a value can be a `None` itself.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(transparent)]
struct Trim<T>(Option<T>);

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(transparent)]
struct Curve<T> {
    points: Vec<T>,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Net")]
struct Net<T> {
    supply: Volt<T>,
    layer: Trained<T>,
    trim: Option<Trim<T>>,
    curves: Vec<Curve<Volt<T>>>,
}

/// The same without newtypes.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Net")]
struct Plain<T> {
    supply: T,
    layer: Layer<T>,
    trim: Option<Option<T>>,
    curves: Vec<Vec<T>>,
}

fn trained<T>(weights: Layer<T>) -> Trained<T> {
    Trained { steps: 7, weights, note: String::new() }
}

fn net() -> Net<f32> {
    Net {
        supply: Volt(1.0),
        layer: trained(Layer { w: [2.0, 3.0], b: Some(4.0) }),
        trim: Some(Trim(None)),
        curves: vec![Curve { points: vec![Volt(5.0), Volt(6.0)] }, Curve { points: vec![] }],
    }
}

fn plain() -> Plain<f32> {
    Plain {
        supply: 1.0,
        layer: Layer { w: [2.0, 3.0], b: Some(4.0) },
        trim: Some(None),
        curves: vec![vec![5.0, 6.0], vec![]],
    }
}

#[test]
fn transparent_structs_obey_the_laws() {
    let leaf = |i: usize| i as f32;
    laws::check(&Volt(1.0f32), leaf).unwrap();
    laws::check(&[Volt(1.0f32), Volt(2.0)], leaf).unwrap();
    laws::check(&vec![Volt(1.0f32), Volt(2.0)], leaf).unwrap();
    laws::check(&Some(Volt(1.0f32)), leaf).unwrap();
    laws::check(&trained(Layer { w: [1.0f32, 2.0], b: None }), leaf).unwrap();
    laws::check(&vec![Trim(Some(1.0f32)), Trim(None), Trim(Some(2.0))], leaf).unwrap();
    laws::check(&[Some(Trim(Some(1.0f32))), Some(Trim(None)), None], leaf).unwrap();
    laws::check(&Curve { points: vec![1.0f32, 2.0, 3.0] }, leaf).unwrap();
    laws::check(&net(), leaf).unwrap();
}

#[test]
fn transparent_struct_has_the_node_of_its_field() {
    assert_eq!(treedef_of::<Volt<f32>>(), TreeDef::LEAF);
    const LAYER: TreeDef<'static> = treedef_of::<([Volt<f32>; 2], Volt<f32>)>();
    assert_eq!(LAYER, treedef!(([*, *], *)));
    assert_eq!((Volt::<f32>::LEAVES, Trim::<f32>::NULLABLE), (Some(1), true));
    assert_eq!(schema_of::<Net<f32>>(), schema_of::<Plain<f32>>());

    let (def, leaves) = flatten(&net()).unwrap();
    assert_eq!((def.clone(), leaves.clone()), flatten(&plain()).unwrap());
    let layer = structure(&trained(Layer { w: [1.0f32, 2.0], b: None })).unwrap();
    assert_eq!(layer.to_string(), "PyTreeDef(CustomNode(Layer[()], [[*, *], None]))");
    let built: Net<f32> = unflatten(&def, &leaves).unwrap();
    assert_eq!(built, net());
}

#[test]
fn transparent_struct_can_be_a_none_as_its_field() {
    #[derive(Tree)]
    #[tree(transparent)]
    struct Held(TreeDef<'static>);

    // A treedef has no schema that says it.
    assert_eq!((Held::NULLABLE, <TreeDef<'static>>::NULLABLE), (true, true));
    let held = structure(&Some(Held(TreeDef::NONE))).unwrap();
    assert_ne!(held, structure(&None::<Held>).unwrap());
    assert_eq!(held, structure(&Some(TreeDef::NONE)).unwrap());
}

#[test]
fn transparent_struct_is_no_step_of_a_path() {
    let mut paths = Vec::new();
    over(&net()).paths().for_each(|path, leaf: &f32| paths.push(format!("{path}={leaf}"))).unwrap();
    assert_eq!(
        paths,
        [
            ".supply=1",
            ".layer.w[0]=2",
            ".layer.w[1]=3",
            ".layer.b=4",
            ".curves[0][0]=5",
            ".curves[0][1]=6"
        ]
    );
    let lengths = over(&net()).paths().map(|path, _: &f32| path.len() as f32).unwrap();
    assert_eq!(lengths.supply, Volt(1.0));
    assert_eq!(lengths.curves[0].points, [Volt(3.0); 2]);
    assert_eq!(treedef::tree::find_leaf(&net(), "layer.w[1]"), Ok(&3.0));
}

#[test]
fn transparent_struct_is_mapped_through() {
    let signs: Net<bool> = map(&net(), |x: &f32| *x > 2.0).unwrap();
    assert_eq!(signs.supply, Volt(false));
    assert_eq!(signs.layer.weights, Layer { w: [false, true], b: Some(true) });
    let mut noted = trained(Layer { w: [1.0f32, 2.0], b: None });
    (noted.steps, noted.note) = (3, "a".into());
    // A map keeps what is skipped, a build does not.
    let doubled = map(&noted, |x: &f32| 2.0 * x).unwrap();
    assert_eq!((doubled.steps, doubled.note.as_str(), doubled.weights.w), (3, "a", [2.0, 4.0]));
    let (def, leaves) = flatten(&noted).unwrap();
    let built: Trained<f32> = unflatten(&def, &leaves).unwrap();
    assert_eq!((built.steps, built.note.as_str()), (7, ""));
}

#[test]
fn transparent_mask_is_a_prefix() {
    #[derive(Tree, Clone, Debug)]
    #[tree(name = "Model")]
    struct Model<E, D> {
        encoder: Part<E>,
        decoder: Part<D>,
    }

    #[derive(Tree, Clone, Debug)]
    #[tree(transparent)]
    struct Part<T>(T);

    let model = Model { encoder: Part([1.0f32, 2.0]), decoder: Part((3.0f32, [4.0f32])) };
    let mask = Model { encoder: Part(true), decoder: Part((false, true)) };
    let mut seen = Vec::new();
    over(&model).under(&mask).for_each(|(x, on): (&f32, &bool)| seen.push((*x, *on))).unwrap();
    assert_eq!(seen, [(1.0, true), (2.0, true), (3.0, false), (4.0, true)]);

    let other = net();
    let sum = over((&net(), &other)).for_each(|(a, b): (&f32, &f32)| assert_eq!(a, b));
    assert_eq!(sum, Ok(()));
    let none = Net { trim: None, ..net() };
    assert!(matches!(
        over((&net(), &none)).for_each(|_| ()),
        Err(Error::TreesDiffer { tree: 1, .. })
    ));
}

#[test]
fn transparent_struct_of_a_leaf_field_is_that_leaf() {
    #[derive(treedef::Leaf, Clone, Copy, Debug, PartialEq)]
    struct Pin(u8);

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(transparent)]
    struct Led {
        #[tree(leaf)]
        pin: Pin,
    }

    assert_eq!(treedef_of::<Led>(), TreeDef::LEAF);
    assert_eq!(schema_of::<Led>(), schema_of::<Pin>());
    let pin = |i| Pin(u8::try_from(i).unwrap());
    laws::check(&[Led { pin: Pin(1) }, Led { pin: Pin(2) }], pin).unwrap();
}

#[test]
fn transparent_newtypes_load_what_was_stored_without_them() {
    let (def, leaves) = flatten(&plain()).unwrap();
    let defaults = Net { supply: Volt(0.0), curves: vec![], ..net() };
    let view = View::new(&def, &leaves).unwrap();
    let (loaded, migrated) = migrate_typed(view, &defaults, Matching::default(), |_| ()).unwrap();
    assert_eq!(loaded, net());
    assert_eq!((migrated.moved, migrated.new), (6, 0));

    // A field that is new, below a transparent struct.
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Layer")]
    struct Newer<T> {
        w: [T; 2],
        b: Option<T>,
        gain: T,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(transparent)]
    struct Held<T>(Newer<T>);
    let (def, leaves) = flatten(&plain().layer).unwrap();
    let view = View::new(&def, &leaves).unwrap();
    let defaults = Held(Newer { w: [0.0; 2], b: None, gain: 9.0 });
    let (loaded, _) = migrate_typed(view, &defaults, Matching::default(), |_| ()).unwrap();
    assert_eq!(loaded, Held(Newer { w: [2.0, 3.0], b: Some(4.0), gain: 9.0 }));
}

#[test]
fn transparent_struct_can_be_in_types_that_contain_each_other() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Folder", bound = "f32")]
    struct Folder {
        size: f32,
        inner: Folders,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(transparent, bound = "f32")]
    struct Folders(Vec<Folder>);

    let empty = |size| Folder { size, inner: Folders(vec![]) };
    let folder = Folder { size: 1.0, inner: Folders(vec![empty(2.0), empty(3.0)]) };
    let (def, leaves) = flatten(&folder).unwrap();
    assert_eq!(unflatten(&def, &leaves), Ok(folder.clone()));
    assert_eq!(treedef::encode::fits::<Folder>(&def), Ok(()));
    // It has no schema, because of the bound.
    treedef_proptest::laws::check(&folder, |i| i as f32).unwrap();
}

/// The names of the fields of a treedef, then of its meta fields.
fn names(def: TreeDef<'_>) -> Vec<String> {
    let head = def.head();
    let metas = head.meta_fields().map(|(name, _)| name.to_string());
    head.fields().map(str::to_string).chain(metas).collect()
}

macro_rules! renamed {
    ($module:ident, $rule:literal) => {
        mod $module {
            use treedef::Tree;

            #[derive(Tree, Default)]
            #[tree(rename_all = $rule)]
            pub(super) struct Motor {
                max_torque_nm: f32,
                r#type: f32,
                _pad: f32,
                gain2: f32,
                #[tree(name = "kept_name")]
                other_name: f32,
                #[tree(meta)]
                serial_no: u8,
                #[tree(meta, name = "meta_kept")]
                other_no: u8,
                #[tree(skip)]
                _not_there: u8,
            }

            #[derive(Tree, Clone, Debug)]
            #[tree(name = "Mode", rename_all = $rule)]
            #[allow(clippy::upper_case_acronyms)]
            pub(super) enum Mode {
                SlowStart {
                    max_speed: f32,
                },
                #[tree(rename_all = $rule)]
                Run {
                    max_speed: f32,
                },
                #[tree(name = "KeptName")]
                Off,
                PWM2(f32),
            }
        }
    };
}
renamed!(lower, "lowercase");
renamed!(upper, "UPPERCASE");
renamed!(pascal, "PascalCase");
renamed!(camel, "camelCase");
renamed!(snake, "snake_case");
renamed!(screaming_snake, "SCREAMING_SNAKE_CASE");
renamed!(kebab, "kebab-case");
renamed!(screaming_kebab, "SCREAMING-KEBAB-CASE");

#[test]
fn rename_all_makes_the_names_of_serde() {
    macro_rules! check {
        ($($module:ident: $torque:literal, $type:literal, $pad:literal, $gain:literal, $serial:literal;
            $start:literal, $run:literal, $speed:literal, $pwm:literal)*) => {$({
            let def = structure(&$module::Motor::default()).unwrap();
            let expected = [$torque, $type, $pad, $gain, "kept_name", $serial, "meta_kept"];
            assert_eq!(names(def.as_treedef()), expected, stringify!($module));

            use $module::Mode;
            let modes = [
                Mode::SlowStart { max_speed: 1.0 },
                Mode::Run { max_speed: 1.0 },
                Mode::Off,
                Mode::PWM2(1.0),
            ];
            let found = modes.map(|mode| {
                let def = structure(&mode).unwrap();
                let name = def.as_treedef().head().type_name().unwrap().to_string();
                format!("{name} {}", names(def.as_treedef()).join(","))
            });
            // As in serde, the rule of an enum is not that of the fields of its variants, and fields without names keep `0`.
            let expected = [
                concat!("Mode::", $start, " max_speed"),
                concat!("Mode::", $run, " ", $speed),
                "Mode::KeptName ",
                concat!("Mode::", $pwm, " 0"),
            ];
            assert_eq!(found, expected, stringify!($module));
        })*};
    }
    check! {
        lower: "max_torque_nm", "type", "_pad", "gain2", "serial_no"; "slowstart", "run", "max_speed", "pwm2"
        upper: "MAX_TORQUE_NM", "TYPE", "_PAD", "GAIN2", "SERIAL_NO"; "SLOWSTART", "RUN", "MAX_SPEED", "PWM2"
        pascal: "MaxTorqueNm", "Type", "Pad", "Gain2", "SerialNo"; "SlowStart", "Run", "MaxSpeed", "PWM2"
        camel: "maxTorqueNm", "type", "pad", "gain2", "serialNo"; "slowStart", "run", "maxSpeed", "pWM2"
        snake: "max_torque_nm", "type", "_pad", "gain2", "serial_no"; "slow_start", "run", "max_speed", "p_w_m2"
        screaming_snake: "MAX_TORQUE_NM", "TYPE", "_PAD", "GAIN2", "SERIAL_NO"; "SLOW_START", "RUN", "MAX_SPEED", "P_W_M2"
        kebab: "max-torque-nm", "type", "-pad", "gain2", "serial-no"; "slow-start", "run", "max-speed", "p-w-m2"
        screaming_kebab: "MAX-TORQUE-NM", "TYPE", "-PAD", "GAIN2", "SERIAL-NO"; "SLOW-START", "RUN", "MAX-SPEED", "P-W-M2"
    }
    let motor = kebab::Motor::default();
    assert_eq!(treedef::tree::find_leaf::<f32, _>(&motor, "max-torque-nm"), Ok(&0.0));
}

#[test]
fn rename_all_changes_the_schema_and_what_is_loaded_by_name() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Pid")]
    struct Old {
        #[tree(name = "maxGain")]
        gain: f32,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Pid", rename_all = "camelCase")]
    struct New {
        max_gain: f32,
    }
    assert_eq!(schema_of::<Old>(), schema_of::<New>());
    assert_eq!(treedef_of::<Old>(), treedef_of::<New>());
    laws::check(&New { max_gain: 1.0 }, |i| i as f32).unwrap();
    laws::check(&camel::Mode::SlowStart { max_speed: 1.0 }, |i| i as f32).unwrap();
}

#[test]
fn skipped_field_gets_its_default_where_a_value_is_built() {
    /// No default of its own.
    #[derive(Clone, Debug, PartialEq)]
    struct Handle(u32);

    const START: u32 = 40;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis")]
    struct Axis<T> {
        gain: T,
        #[tree(skip, default = Handle(START + 2))]
        handle: Handle,
        #[tree(default = if START > 1 { vec![1, 2] } else { vec![] }, skip)]
        log: Vec<u8>,
        #[tree(skip, default)]
        plain: u8,
        #[tree(skip)]
        calls: u8,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "State")]
    enum State<T> {
        Idle(#[tree(skip, default = "idle")] &'static str),
        Run(T, #[tree(skip, default = Some([1; 3]))] Option<[u8; 3]>),
    }

    let axis = Axis { gain: 1.0f32, handle: Handle(3), log: vec![9], plain: 4, calls: 5 };
    let built = Axis { gain: 1.0f32, handle: Handle(42), log: vec![1, 2], plain: 0, calls: 0 };
    let (def, leaves) = flatten(&axis).unwrap();
    assert_eq!(unflatten(&def, &leaves), Ok(built.clone()));
    // A map copies it.
    assert_eq!(map(&axis, |x: &f32| *x), Ok(axis.clone()));
    let view = View::new(&def, &leaves).unwrap();
    let (loaded, _) = migrate_typed(view, &axis, Matching::default(), |_| ()).unwrap();
    assert_eq!(loaded, built);
    laws::check(&built, |i| i as f32).unwrap();

    let (def, _) = flatten::<f32, _>(&State::<f32>::Idle("other")).unwrap();
    assert_eq!(unflatten(&def, &[] as &[f32]), Ok(State::<f32>::Idle("idle")));
    let (def, leaves) = flatten(&State::Run(2.0f32, None)).unwrap();
    assert_eq!(unflatten(&def, &leaves), Ok(State::Run(2.0f32, Some([1; 3]))));
}

#[test]
fn transparent_struct_is_a_value_of_a_map() {
    let map =
        BTreeMap::from([("a", Curve { points: vec![1.0f32] }), ("b", Curve { points: vec![] })]);
    let bare = BTreeMap::from([("a", vec![1.0f32]), ("b", vec![])]);
    assert_eq!(flatten::<f32, _>(&map).unwrap(), flatten(&bare).unwrap());
}
