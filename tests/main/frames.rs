//! Frames: the bytes of values, what other bytes become, and what the schema alone finds.
#![cfg(all(feature = "derive", feature = "std"))]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::num::NonZero;

use proptest::prelude::*;
use treedef::record::frame::{
    FrameError, FrameLeaves, FrameSchema, frame_body_into, frame_bytes, frame_into, read_frame,
    read_frame_body,
};
use treedef::record::record_key;
use treedef::tree::{TreeBuild, TreeWalk, write_leaves};
use treedef::{Error, Meta, Tree, TreeDef, Value, Writer, head, schema_of};

fn first<T: treedef::tree::HasSchema>() -> u8 {
    record_key::<T>().to_le_bytes()[0]
}

/// The frame of a value.
fn frame<T: TreeWalk<FrameLeaves>>(value: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    if let Err(Error::BufferFull { needed, .. }) = frame_into(value, &mut bytes) {
        bytes.resize(needed, 0);
    }
    frame_into(value, &mut bytes).map(|len| bytes[..len].to_vec())
}

/// Writes a value, and checks what holds for each: the size is exact, smaller buffers are refused, the value is read, and bytes that
/// are cut or longer are refused. Other bytes do not panic, and what is a frame of the type is one by its schema.
fn check<T>(value: &T) -> Vec<u8>
where
    T: TreeWalk<FrameLeaves> + TreeBuild<FrameLeaves> + PartialEq + Debug,
{
    let bytes = frame(value).unwrap();
    for room in 0..bytes.len() {
        let full = Error::BufferFull { needed: bytes.len(), room };
        assert_eq!(frame_into(value, &mut vec![0; room]), Err(full));
    }
    for more in 0..4 {
        let mut buffer = vec![0xFF; bytes.len() + more];
        assert_eq!(frame_into(value, &mut buffer), Ok(bytes.len()));
        assert_eq!(buffer[..bytes.len()], bytes);
    }
    let mut body = vec![0; bytes.len() - 1];
    assert_eq!(frame_body_into(value, &mut body), Ok(body.len()));
    assert_eq!(body, bytes[1..]);
    assert_eq!(read_frame_body::<T>(&body).as_ref(), Ok(value));
    assert_eq!(read_frame::<T>(&bytes).as_ref(), Ok(value));

    let schema = const { FrameSchema::<256>::new(schema_of::<T>()) }.ok();
    let of_schema = |bytes: &[u8]| schema.map(|schema| schema.parts(bytes).map(drop));
    let is_frame = |bytes: &[u8]| of_schema(bytes) == Some(Ok(()));
    if let Some(schema) = schema {
        assert_eq!(schema.parts(&bytes), schema.body_parts(&body));
        assert!(is_frame(&bytes));
    }
    for len in 0..bytes.len() {
        assert!(read_frame::<T>(&bytes[..len]).is_err(), "{len} bytes of {bytes:02X?}");
        assert!(!is_frame(&bytes[..len]), "{len} bytes of {bytes:02X?}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(read_frame::<T>(&longer).is_err() && !is_frame(&longer));
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let read = read_frame::<T>(&damaged);
        if bit < 8 {
            let other = FrameError::OtherType { first: damaged[0] };
            assert_eq!(read.err(), Some(other));
            assert!(of_schema(&damaged).is_none_or(|found| found == Err(other)));
        } else if let Ok(other) = read {
            assert!(schema.is_none() || is_frame(&damaged), "{damaged:02X?}");
            assert!(matches!(frame(&other), Ok(_) | Err(Error::TooDeep { .. })));
        }
    }
    bytes
}

/// With `damage` also what holds for each value, which takes longer.
fn is_golden<T>(name: &str, value: &T, damage: bool)
where
    T: TreeWalk<FrameLeaves> + TreeBuild<FrameLeaves> + PartialEq + Debug,
{
    let [bytes, schema] = super::records::golden(include_str!("../golden/frames.txt"), name);
    assert_eq!(frame(value).as_ref(), Ok(&bytes), "{name}");
    assert_eq!(read_frame::<T>(&bytes).as_ref(), Ok(value), "{name}");
    if damage {
        check(value);
    }
    assert_eq!(schema_of::<T>().as_bytes(), schema, "the schema of {name}");
}

#[derive(Tree, Clone, Copy, Debug, PartialEq)]
#[tree(name = "tele::Mode")]
enum Mode {
    Idle,
    Run { speed: f32, torque: f32 },
    Fault { code: u16 },
}

#[derive(Tree, Clone, Copy, Debug, PartialEq)]
#[tree(name = "tele::Axis")]
struct Axis {
    pos: f32,
    vel: f32,
    load: Option<u8>,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "tele::Tele")]
struct Tele {
    mode: Mode,
    temp: Option<f32>,
    faults: heapless::Vec<u16, 4>,
    axes: [Axis; 2],
    tick: u32,
}

impl Tele {
    fn at(tick: u16) -> Self {
        let torque = tick.into();
        let mode = match tick / 10 {
            0 => Mode::Idle,
            1 => Mode::Run { speed: 1.0, torque },
            _ => Mode::Fault { code: 7 },
        };
        let axis = Axis { pos: torque, vel: 1.0, load: tick.is_multiple_of(2).then_some(3) };
        let faults = (1..=tick / 10).collect();
        Self { mode, temp: (tick > 5).then_some(25.0), faults, axes: [axis; 2], tick: tick.into() }
    }
}

fn golden_file(damage: bool) {
    let unsigned = (200u8, 300u16, 70_000u32, 1u64 << 63, true, NonZero::new(300u16).unwrap());
    is_golden("leaves", &(unsigned, -2i8, -300i16, -2i32, i64::MIN, 1.0f32, -2.5f64), damage);
    is_golden("idle", &Tele::at(4), damage);
    is_golden("running", &Tele::at(13), damage);
    let long: Vec<_> = (0..130).map(|i| (i % 2 == 0).then_some(9u8)).collect();
    is_golden("132 choices", &long, damage);
}

// Without the damage it is quick enough for an interpreter of other machines.
#[test]
fn frames_are_those_of_the_golden_file() {
    golden_file(false);
}

#[test]
fn golden_frames_keep_what_holds_for_each() {
    golden_file(true);
}

#[cfg(all(feature = "fixed", feature = "half"))]
#[test]
fn frames_of_fixed_point_numbers_and_of_half_are_golden() {
    use fixed::types::{I16F16, I24F40, U0F8, U4F12};
    use half::{bf16, f16};

    let fixed = (I16F16::ONE * -1, U0F8::from_bits(7), U4F12::ONE, I24F40::ONE);
    is_golden("fixed-point and half", &(fixed, f16::from_f32(1.5), bf16::from_f32(1.5)), true);
}

#[test]
fn a_frame_has_the_leaves_of_write_leaves() {
    for tick in 0..50 {
        let (tele, mut leaves) = (Tele::at(tick), [0; 64]);
        let len = write_leaves(&tele, &mut leaves).unwrap();
        let bytes = check(&tele);
        assert_eq!(bytes[bytes.len() - len..], leaves[..len]);
        assert!(bytes.len() <= frame_bytes::<Tele>());
    }
    assert_eq!(check(&Tele::at(48)).len() + 2, frame_bytes::<Tele>() - 4);
}

#[test]
fn extreme_values_have_frames() {
    check(&());
    check(&[(); 3]);
    check(&(u8::MAX, u16::MAX, u32::MAX, u64::MAX));
    check(&(i8::MIN, i16::MIN, i32::MIN, i64::MIN, f32::INFINITY, f64::MIN_POSITIVE));
    check(&(NonZero::<i8>::MIN, NonZero::<u64>::MAX, NonZero::<i32>::MIN));
    // No value has a choice, though the elements of the first could.
    assert_eq!(check(&([[Some(1u8); 0]; 2], 7u8)).len(), 2);
    assert_eq!(check(&heapless::Vec::<u8, 0>::new()).len(), 1 + 1 + 1);
    // The largest value has 200 choices, two bytes of their number; fewer have one.
    assert_eq!(check(&[Some([Some(1u8); 3]); 50]).len(), 1 + 2 + 200 + 150);
    assert_eq!(check(&[None::<[Option<u8>; 3]>; 50]).len(), 1 + 1 + 50);
    assert_eq!(frame_bytes::<[Option<[Option<u8>; 3]>; 50]>(), 1 + 2 + 200 + 150);
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "app::Rule")]
enum Rule {
    Off,
    Above { level: f32, delay: u32 },
    All(Vec<Rule>),
    Not(Option<Box<Rule>>),
}

#[derive(Meta, Clone, Copy, Debug, PartialEq)]
enum Unit {
    Volt,
    Ampere,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "app::State", meta(version = 3))]
struct State {
    #[tree(meta)]
    unit: Unit,
    #[tree(meta)]
    name: String,
    offset: Option<i16>,
    limits: Option<Option<u64>>,
    flags: [Option<bool>; 2],
    rule: Rule,
    by_name: BTreeMap<String, Vec<i32>>,
    pairs: Vec<(u16, [bool; 2])>,
}

fn rules() -> impl Strategy<Value = Rule> {
    let some = (any::<f32>().prop_filter("equals itself", |x| !x.is_nan()), any::<u32>());
    let above = some.prop_map(|(level, delay)| Rule::Above { level, delay });
    let leaf = prop_oneof![Just(Rule::Off), Just(Rule::Not(None)), above];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Rule::All),
            inner.prop_map(|rule| Rule::Not(Some(Box::new(rule)))),
        ]
    })
}

fn states() -> impl Strategy<Value = State> {
    let names = || "[a-z]{0,4}";
    let lists = proptest::collection::vec(any::<i32>(), 0..4);
    (
        (prop_oneof![Just(Unit::Volt), Just(Unit::Ampere)], names(), any::<Option<i16>>()),
        (any::<Option<Option<u64>>>(), any::<[Option<bool>; 2]>(), rules()),
        proptest::collection::btree_map(names(), lists, 0..4),
        proptest::collection::vec(any::<(u16, [bool; 2])>(), 0..4),
    )
        .prop_map(|((unit, name, offset), (limits, flags, rule), by_name, pairs)| State {
            unit,
            name,
            offset,
            limits,
            flags,
            rule,
            by_name,
            pairs,
        })
}

/// A value whose frames are checked by their schema, too.
type Checked =
    (Option<Option<u64>>, [Option<bool>; 2], Vec<(u16, [bool; 2])>, [Vec<Option<[Mode; 2]>>; 2]);

fn checked() -> impl Strategy<Value = Checked> {
    let mode = prop_oneof![
        Just(Mode::Idle),
        any::<u16>().prop_map(|code| Mode::Fault { code }),
        any::<(i16, i16)>().prop_map(|(a, b)| Mode::Run { speed: a.into(), torque: b.into() }),
    ];
    let modes = proptest::collection::vec(proptest::option::of([mode.clone(), mode]), 0..3);
    (
        any::<Option<Option<u64>>>(),
        any::<[Option<bool>; 2]>(),
        proptest::collection::vec(any::<(u16, [bool; 2])>(), 0..4),
        [modes.clone(), modes],
    )
}

proptest! {
    #[test]
    fn values_are_read_from_their_frames(state in states(), other in checked()) {
        check(&state);
        check(&other);
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..60), number in 0u8..40) {
        let body = [&[number], bytes.as_slice()].concat();
        if let Ok(state) = read_frame_body::<State>(&body) {
            prop_assert_eq!(read_frame::<State>(&frame(&state).unwrap()), Ok(state));
        }
    }

    #[test]
    fn what_is_a_value_is_a_frame_by_its_schema(choices in proptest::collection::vec(0u8..4, 0..20), leaves in proptest::collection::vec(0u8..2, 0..60)) {
        let number = u8::try_from(choices.len()).unwrap();
        let body = [&[number], choices.as_slice(), &leaves].concat();
        let schema = FrameSchema::<256>::new(schema_of::<Checked>()).unwrap();
        // Each `bool` is 0 or 1.
        prop_assert_eq!(read_frame_body::<Checked>(&body).is_ok(), schema.body_parts(&body).is_ok());
    }
}

#[test]
fn a_frame_of_another_type_is_refused_by_its_first_byte() {
    let bytes = frame(&[1u8, 2]).unwrap();
    assert_eq!(bytes, [first::<[u8; 2]>(), 1, 2]);
    let other = FrameError::OtherType { first: bytes[0] };
    assert_eq!(read_frame::<u16>(&bytes), Err(other));
    assert_eq!(FrameSchema::<256>::new(schema_of::<u16>()).unwrap().parts(&bytes), Err(other));
    assert_eq!(read_frame::<u16>(&[]), Err(FrameError::Damaged { at: 0 }));
    let text =
        format!("frame is one of another type, whose key has the low byte {:#04x}", bytes[0]);
    assert_eq!(other.to_string(), text);
}

#[test]
fn leaves_and_choices_that_no_value_has_are_refused() {
    let refused = |body: &[u8], at| {
        assert_eq!(read_frame_body::<(bool, NonZero<u8>)>(body), Err(FrameError::Damaged { at }));
    };
    refused(&[2, 1], 1);
    refused(&[1, 0], 2);
    refused(&[1], 1);
    refused(&[1, 1, 1], 2);
    // The schema does not look at leaves.
    let schema = FrameSchema::<256>::new(schema_of::<(bool, NonZero<u8>)>()).unwrap();
    assert!(schema.body_parts(&[2, 0]).is_ok() && schema.body_parts(&[1]).is_err());

    type List = heapless::Vec<u8, 2>;
    let schema = FrameSchema::<256>::new(schema_of::<List>()).unwrap();
    for (body, is_frame) in [
        (&[1, 2, 5, 6][..], true),
        // More bytes than the numbers need.
        (&[0x81, 0, 2, 5, 6], true),
        (&[2, 0x82, 0, 5, 6], true),
        (&[1, 2, 5], false),
        (&[1, 1, 5, 6], false),
        (&[1, 3, 5, 6, 7], false),
        (&[0, 5, 6], false),
        (&[2, 2, 0, 5, 6], false),
        (&[7, 2, 5, 6], false),
        (&[0xFF; 12], false),
        (&[], false),
    ] {
        assert_eq!(read_frame_body::<List>(body).is_ok(), is_frame, "{body:?}");
        assert_eq!(schema.body_parts(body).is_ok(), is_frame, "{body:?}");
    }
    assert!(read_frame_body::<Option<u8>>(&[1, 2, 5]).is_err());
    let schema = FrameSchema::<256>::new(schema_of::<Mode>()).unwrap();
    for (body, is_frame) in [([1, 0], true), ([1, 3], false), ([1, 4], false)] {
        assert_eq!(read_frame_body::<Mode>(&body).is_ok(), is_frame, "{body:?}");
        assert_eq!(schema.body_parts(&body).is_ok(), is_frame, "{body:?}");
    }
    assert!(
        FrameSchema::<256>::new(schema_of::<Option<u8>>()).unwrap().body_parts(&[1, 2, 5]).is_err()
    );
}

#[test]
fn a_list_of_any_length_takes_no_time() {
    let body = [9, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
    assert!(read_frame_body::<Vec<u64>>(&body).is_err());
    let schema = FrameSchema::<256>::new(schema_of::<Vec<u64>>()).unwrap();
    assert!(schema.body_parts(&body).is_err());
}

#[test]
fn levels_have_a_bound() {
    let deep = |levels: u32| (0..levels).fold(Rule::Off, |rule, _| Rule::Not(Some(Box::new(rule))));
    check(&deep(63));
    assert_eq!(frame(&deep(64)), Err(Error::TooDeep { limit: 64 }));
    let body = [&[0xC0, 0x9A, 0x0C][..], &[3, 1].repeat(100_000)].concat();
    assert!(read_frame_body::<Rule>(&body).is_err());
}

/// Writes a schema by hand.
fn by_hand(bytes: &mut [u8], write: impl FnOnce(&mut Writer<'_>)) -> TreeDef<'_> {
    let mut out = Writer::new(bytes);
    write(&mut out);
    out.finish().unwrap()
}

fn node(
    out: &mut Writer<'_>,
    name: &str,
    fields: &[&str],
    meta: &[(&str, Value<'_>)],
    children: impl FnOnce(&mut Writer<'_>),
) {
    out.node(&head::Struct { name, fields, meta }, children);
}

fn recursion(out: &mut Writer<'_>) {
    node(out, "a recursion", &[], &[("to", Value::Str("A"))], |_| {});
}

fn float(out: &mut Writer<'_>) {
    node(out, "a leaf", &[], &[("type", Value::Str("float32"))], |_| {});
}

fn option(out: &mut Writer<'_>, of: impl FnOnce(&mut Writer<'_>)) {
    node(out, "an option", &["of"], &[], of);
}

#[test]
fn schemas_of_types_without_bounded_choices_have_no_frames() {
    let refused = |write: &dyn Fn(&mut Writer<'_>)| {
        let mut bytes = [0; 256];
        let schema = FrameSchema::<256>::new(by_hand(&mut bytes, |out| write(out)));
        assert_eq!(schema.err(), Some(FrameError::Schema));
    };
    refused(&|out| node(out, "A", &["x"], &[], |out| option(out, recursion)));
    refused(&|out| node(out, "A", &[], &[("unit", Value::Opaque("Unit"))], |_| {}));
    refused(&|out| node(out, "a map", &["of"], &[], float));
    refused(&|out| node(out, "any tree", &[], &[], |_| {}));
    refused(&|out| out.none());
    refused(&|out| option(out, |out| out.leaves(1)));
    refused(&|out| node(out, "an option", &[], &[], |_| {}));
    refused(&|out| node(out, "a leaf", &[], &[], |_| {}));
    // An array of more bytes than an address, and one of a negative number.
    let array = |count| {
        move |out: &mut Writer<'_>| {
            node(out, "an array", &["of"], &[("room", Value::Int(count))], float)
        }
    };
    refused(&array(i64::MAX));
    refused(&array(-1));
}

#[test]
fn a_schema_has_the_room_that_it_needs() {
    let schema = schema_of::<Tele>();
    let needed = match FrameSchema::<0>::new(schema) {
        Err(FrameError::NoRoom { needed, room: 0 }) => needed,
        other => panic!("{other:?}"),
    };
    assert_eq!(needed, 24);
    assert!(FrameSchema::<24>::new(schema).is_ok() && FrameSchema::<23>::new(schema).is_err());
    // As the file says.
    type Example = (u8, Option<[f32; 2]>, heapless::Vec<(bool, Option<u16>), 4>);
    assert!(FrameSchema::<15>::new(schema_of::<Example>()).is_ok());
    assert!(FrameSchema::<14>::new(schema_of::<Example>()).is_err());
    // Leaves that each value has take none.
    assert!(FrameSchema::<0>::new(schema_of::<[[f32; 2]; 1000]>()).is_ok());
}

#[test]
fn lengths_in_a_schema_have_any_number_of_bytes() {
    type Wide = (
        Option<[f32; 100]>,
        heapless::Vec<(Option<u8>, [u16; 130]), 300>,
        [Option<bool>; 257],
        heapless::Vec<u8, 70_000>,
    );
    let element = (Some(3), [7; 130]);
    let wide: Box<Wide> = Box::new((
        Some([1.0; 100]),
        heapless::Vec::from_slice(&[element, element]).unwrap(),
        [None; 257],
        heapless::Vec::from_slice(&[5]).unwrap(),
    ));
    let bytes = frame(&*wide).unwrap();
    let schema = FrameSchema::<64>::new(schema_of::<Wide>()).unwrap();
    assert_eq!(schema.parts(&bytes).map(|parts| parts.leaves.len()), Ok(400 + 2 * 261 + 1));
    for len in 0..bytes.len() {
        assert!(schema.parts(&bytes[..len]).is_err());
    }

    most_units::<heapless::Vec<(), 300>>(300);
    most_units::<heapless::Vec<(), 70_000>>(1 << 16);
    most_units::<Vec<[(); 2]>>(1 << 16);
}

/// Elements without bytes: a list of this number of them is a frame, a longer one is none.
fn most_units<T: TreeBuild<FrameLeaves>>(most: u32) {
    let schema = FrameSchema::<16>::new(schema_of::<T>()).unwrap();
    for (count, is_frame) in [(most, true), (most + 1, false), (u32::MAX >> 4, false)] {
        let body = [0, 7, 14].map(|at| (count >> at) as u8 | 128);
        let body = [&[4], &body[..], &[(count >> 21) as u8]].concat();
        assert_eq!(read_frame_body::<T>(&body).is_ok(), is_frame, "{count}");
        assert_eq!(schema.body_parts(&body).is_ok(), is_frame, "{count}");
    }
}

#[derive(Tree, Debug, PartialEq)]
enum Never {}

#[test]
fn an_enum_without_variants_is_in_no_frame() {
    let schema = FrameSchema::<16>::new(schema_of::<Option<Never>>()).unwrap();
    for (body, is_frame) in [(&[1, 0][..], true), (&[1, 1], false), (&[2, 1, 0], false)] {
        assert_eq!(read_frame_body::<Option<Never>>(body).is_ok(), is_frame, "{body:?}");
        assert_eq!(schema.body_parts(body).is_ok(), is_frame, "{body:?}");
    }
}

#[test]
fn leaf_types_without_a_width_have_no_schema_of_frames() {
    assert!(FrameSchema::<256>::new(schema_of::<(u8, Option<String>)>()).is_err());
    for schema in [
        schema_of::<usize>(),
        schema_of::<u128>(),
        schema_of::<char>(),
        schema_of::<heapless::String<8>>(),
        schema_of::<NonZero<usize>>(),
        schema_of::<NonZero<u128>>(),
        schema_of::<treedef::tree::AsLeaf<[u8; 4]>>(),
    ] {
        assert_eq!(FrameSchema::<256>::new(schema).err(), Some(FrameError::Schema), "{schema}");
    }
    // Widths are those of the types.
    macro_rules! widths {
        ($($leaf:ty)*) => {$(
            let schema = FrameSchema::<256>::new(schema_of::<$leaf>()).unwrap();
            let body = [1; size_of::<$leaf>()];
            assert_eq!(schema.body_parts(&body).map(|parts| parts.leaves), Ok(&body[..]));
            assert!(read_frame_body::<$leaf>(&body).is_ok());
        )*};
    }
    widths!(bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
    widths!(NonZero<u8> NonZero<u16> NonZero<u32> NonZero<u64> NonZero<i8> NonZero<i16> NonZero<i32> NonZero<i64>);
}
