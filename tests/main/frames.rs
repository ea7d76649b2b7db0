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

    let schema = FrameSchema::<256>::new(schema_of::<T>()).unwrap();
    assert_eq!(schema.parts(&bytes), schema.body_parts(&body));
    for len in 0..bytes.len() {
        assert!(read_frame::<T>(&bytes[..len]).is_err(), "{len} bytes of {bytes:02X?}");
        assert!(schema.parts(&bytes[..len]).is_err(), "{len} bytes of {bytes:02X?}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(read_frame::<T>(&longer).is_err() && schema.parts(&longer).is_err());
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let read = read_frame::<T>(&damaged);
        if bit < 8 {
            let other = FrameError::OtherType { first: damaged[0] };
            assert_eq!(read.err(), Some(other));
            assert_eq!(schema.parts(&damaged), Err(other));
        } else if let Ok(other) = read {
            assert!(schema.parts(&damaged).is_ok(), "{damaged:02X?}");
            assert!(matches!(frame(&other), Ok(_) | Err(Error::TooDeep { .. })));
        }
    }
    bytes
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn is_golden<T>(name: &str, value: &T)
where
    T: TreeWalk<FrameLeaves> + TreeBuild<FrameLeaves> + PartialEq + Debug,
{
    let text = include_str!("../golden/frames.txt");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" | ")).unwrap();
    let (bytes, schema) = line.split_once(" | ").unwrap();
    assert_eq!(check(value), hex(bytes), "{name}");
    assert_eq!(schema_of::<T>().as_bytes(), hex(schema), "the schema of {name}");
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

#[test]
fn frames_are_those_of_the_golden_file() {
    let unsigned = (200u8, 300u16, 70_000u32, 1u64 << 63, true, NonZero::new(300u16).unwrap());
    is_golden("leaves", &(unsigned, -2i8, -300i16, -2i32, i64::MIN, 1.0f32, -2.5f64));
    is_golden("idle", &Tele::at(4));
    is_golden("running", &Tele::at(13));
    let long: Vec<_> = (0..130).map(|i| (i % 2 == 0).then_some(9u8)).collect();
    is_golden("132 choices", &long);
}

#[cfg(all(feature = "fixed", feature = "half"))]
#[test]
fn frames_of_fixed_point_numbers_and_of_half_are_golden() {
    use fixed::types::{I16F16, I24F40, U0F8, U4F12};
    use half::{bf16, f16};

    let fixed = (I16F16::ONE * -1, U0F8::from_bits(7), U4F12::ONE, I24F40::ONE);
    is_golden("fixed-point and half", &(fixed, f16::from_f32(1.5), bf16::from_f32(1.5)));
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

proptest! {
    #[test]
    fn values_are_read_from_their_frames(state in states()) {
        check(&state);
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..60), number in 0u8..40) {
        let body = [&[number], bytes.as_slice()].concat();
        let schema = FrameSchema::<256>::new(schema_of::<State>()).unwrap();
        let parts = schema.body_parts(&body);
        if let Ok(state) = read_frame_body::<State>(&body) {
            prop_assert_eq!(read_frame::<State>(&frame(&state).unwrap()), Ok(state));
            prop_assert!(parts.is_ok());
        }
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
    assert!(
        FrameSchema::<256>::new(schema_of::<Option<u8>>()).unwrap().body_parts(&[1, 2, 5]).is_err()
    );
}

#[test]
fn a_list_of_any_length_takes_no_time() {
    let count = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
    let body = [&[9][..], &count].concat();
    assert!(read_frame_body::<Vec<u64>>(&body).is_err());
    let schema = FrameSchema::<256>::new(schema_of::<Vec<u64>>()).unwrap();
    assert!(schema.body_parts(&body).is_err());
    let schema = FrameSchema::<256>::new(schema_of::<Vec<[(); 1000]>>()).unwrap();
    let parts = schema.body_parts(&body).unwrap();
    assert_eq!((parts.choices, parts.leaves), (&count[..], &[][..]));
}

#[test]
fn levels_have_a_bound() {
    let deep = |levels: u32| (0..levels).fold(Rule::Off, |rule, _| Rule::Not(Some(Box::new(rule))));
    check(&deep(63));
    assert_eq!(frame(&deep(64)), Err(Error::TooDeep { limit: 64 }));
    let schema = FrameSchema::<256>::new(schema_of::<Rule>()).unwrap();
    let choices = [3, 1].repeat(100_000);
    let body = [&[0xC0, 0x9A, 0x0C], choices.as_slice()].concat();
    assert_eq!(schema.body_parts(&body), Err(FrameError::Damaged { at: body.len() }));
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

fn option(out: &mut Writer<'_>, of: impl FnOnce(&mut Writer<'_>)) {
    node(out, "an option", &["of"], &[], of);
}

/// The schemas of no type of Rust, as one that an attacker sends.
#[test]
fn schemas_without_an_end_have_no_frames() {
    let refused = |write: &dyn Fn(&mut Writer<'_>)| {
        let mut bytes = [0; 256];
        let schema = FrameSchema::<256>::new(by_hand(&mut bytes, |out| write(out)));
        assert_eq!(schema.err(), Some(FrameError::Schema));
    };
    refused(&|out| node(out, "A", &["x"], &[], recursion));
    refused(&|out| {
        node(out, "A", &["x", "y"], &[], |out| {
            option(out, |out| node(out, "a leaf", &[], &[("type", Value::Str("bool"))], |_| {}));
            recursion(out);
        });
    });
    refused(&recursion);
    refused(&|out| option(out, recursion));
    refused(&|out| out.leaves(1));
    refused(&|out| option(out, |out| out.leaves(1)));
    refused(&|out| node(out, "an option", &[], &[], |_| {}));
    refused(&|out| node(out, "a leaf", &[], &[], |_| {}));
}

#[test]
fn an_array_of_more_bytes_than_an_address_has_no_value() {
    let mut bytes = [0; 256];
    let schema = by_hand(&mut bytes, |out| {
        let room = [("room", Value::Int(i64::MAX))];
        node(out, "an array", &["of"], &room, |out| {
            node(out, "a leaf", &[], &[("type", Value::Str("float32"))], |_| {});
        });
    });
    let schema = FrameSchema::<256>::new(schema).unwrap();
    assert!(schema.body_parts(&[]).is_err() && schema.body_parts(&[0; 9]).is_err());
}

#[test]
fn a_value_of_two_of_its_type_takes_no_more_time_than_choices() {
    let mut bytes = [0; 256];
    let schema = by_hand(&mut bytes, |out| {
        node(out, "A", &["x"], &[], |out| {
            option(out, |out| {
                let pair = out.begin_tuple(2);
                recursion(out);
                recursion(out);
                out.end(pair);
            });
        });
    });
    let schema = FrameSchema::<256>::new(schema).unwrap();
    assert!(schema.body_parts(&[5, 1, 1, 0, 0, 0]).is_ok());
    assert!(schema.body_parts(&[5, 1, 1, 0, 0, 1]).is_err());
    let body = [&[0xE8, 0x07][..], &[1; 20], &[0; 980]].concat();
    assert!(schema.body_parts(&body).is_err());
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
