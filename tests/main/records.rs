//! Records: the bytes of values, and what other bytes become.
#![cfg(all(feature = "derive", feature = "std"))]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::num::{NonZero, Wrapping};
use std::time::Duration;

use proptest::prelude::*;
use treedef::record::{
    LoadError, RecordLeaf, RecordLeaves, fold_into, load, load_older, record_and_page,
    record_bytes, record_bytes_with, record_key, save, save_into, save_with_page,
    save_with_page_into, unfold_into,
};
use treedef::tree::{HasSchema, TreeBuild, TreeWalk};
use treedef::{Error, Leaf, Meta, Tree, TreeDef, schema_of};

fn key<T: HasSchema>() -> u64 {
    record_key::<T>()
}

/// Saves a value, and checks what holds for each: the size is exact, smaller buffers are refused, the value is loaded, bytes that are
/// cut or longer are refused, and no other bytes panic.
fn check<T>(value: &T) -> Vec<u8>
where
    T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves> + PartialEq + Debug,
{
    let bytes = save(value).unwrap();
    for room in 0..bytes.len() {
        let full = Error::BufferFull { needed: bytes.len(), room };
        assert_eq!(save_into(value, &mut vec![0; room]), Err(full));
    }
    for more in 0..3 {
        let mut buffer = vec![0xFF; bytes.len() + more];
        assert_eq!(save_into(value, &mut buffer), Ok(bytes.len()));
        assert_eq!(buffer[..bytes.len()], bytes);
    }
    assert_eq!(load::<T>(&bytes).as_ref(), Ok(value));
    for len in 0..bytes.len() {
        assert!(load::<T>(&bytes[..len]).is_err(), "{len} bytes of {bytes:02X?}");
    }
    assert!(load::<T>(&[bytes.as_slice(), &[0]].concat()).is_err());
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let loaded = load::<T>(&damaged);
        match bit / 8 {
            0 => assert_eq!(loaded, Err(LoadError::Form)),
            1..9 => assert!(matches!(loaded, Err(LoadError::OtherType { .. }))),
            // What loads is a value.
            _ => assert!(loaded.is_err() || loaded.is_ok_and(|value| save(&value).is_ok())),
        }
    }
    comes_back_folded(&bytes, schema_of::<T>());
    bytes
}

/// What a function writes, in as many bytes as it says that it needs.
fn written(write: impl Fn(&mut [u8]) -> Result<usize, LoadError>) -> Result<Vec<u8>, LoadError> {
    let Err(LoadError::NoRoom { needed, room: 0 }) = write(&mut []) else {
        return write(&mut []).map(|_| Vec::new());
    };
    let (mut bytes, room) = (vec![0; needed], needed - 1);
    assert_eq!(write(&mut bytes[..room]), Err(LoadError::NoRoom { needed, room }));
    assert_eq!(write(&mut bytes), Ok(needed));
    Ok(bytes)
}

/// Checks that a record is folded and unfolded, and that no other bytes panic. Returns the folded one.
fn comes_back_folded(record: &[u8], schema: TreeDef<'_>) -> Vec<u8> {
    let folded = written(|out| fold_into(record, schema, out)).unwrap();
    assert_eq!(written(|out| unfold_into(&folded, schema, out)).as_deref(), Ok(record));
    assert_eq!(unfold_into(record, schema, &mut []), Err(LoadError::Form));
    assert_eq!(fold_into(&folded, schema, &mut []), Err(LoadError::Form));
    for bit in 72..folded.len() * 8 {
        let mut damaged = folded.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let _ = unfold_into(&damaged, schema, &mut [0; 512]);
        let _ = unfold_into(&damaged[..bit / 8], schema, &mut [0; 512]);
        damaged[0] = record[0];
        let _ = fold_into(&damaged, schema, &mut [0; 512]);
    }
    folded
}

/// The bytes of the fields of a golden line.
pub(super) fn golden<const N: usize>(text: &str, name: &str) -> [Vec<u8>; N] {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" | ")).unwrap();
    let hex = |text: &str| {
        let digits = text.replace(' ', "");
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        (0..digits.len()).step_by(2).map(byte).collect()
    };
    line.split(" | ").map(hex).collect::<Vec<_>>().try_into().unwrap()
}

/// With `damage` also what holds for each value, which takes longer.
fn is_golden<T>(name: &str, value: &T, damage: bool)
where
    T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves> + PartialEq + Debug,
{
    let [record, schema, mut key] = golden(include_str!("../golden/records.txt"), name);
    assert_eq!(schema_of::<T>().as_bytes(), schema, "the schema of {name}");
    key.reverse();
    let record = [vec![0xE1], key, record].concat();
    assert_eq!(save(value).as_ref(), Ok(&record), "{name}");
    assert_eq!(load::<T>(&record).as_ref(), Ok(value), "{name}");
    if damage {
        check(value);
        check_with_page(value, &record, &schema);
    }
}

/// Saves a value with the page of its type, whose bytes are these.
fn check_with_page<T>(value: &T, record: &[u8], page: &[u8])
where
    T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves> + PartialEq + Debug,
{
    let low = (record.len() % 128) as u8;
    let number: &[u8] = if record.len() < 128 { &[low] } else { &[low | 128, 1] };
    let bytes = [&[0xE2], number, record, page].concat();
    assert_eq!(save_with_page(value).as_deref(), Ok(bytes.as_slice()));
    for room in 0..bytes.len() {
        let full = Error::BufferFull { needed: bytes.len(), room };
        assert_eq!(save_with_page_into(value, &mut vec![0; room]), Err(full));
    }
    assert_eq!(record_and_page(&bytes), Ok([record, page]));
    let start = 1 + number.len();
    for len in 0..bytes.len() {
        // A page that was cut is none.
        let cut = record_and_page(&bytes[..len]);
        match len {
            0 => assert_eq!(cut, Err(LoadError::Form)),
            _ if len < start + record.len() => {
                assert_eq!(cut, Err(LoadError::Damaged { at: len }));
            }
            _ => assert!(TreeDef::from_bytes(cut.unwrap()[1]).is_err()),
        }
    }
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let Ok([record, page]) = record_and_page(&damaged) else { continue };
        assert!(bit >= 8);
        let Ok(page) = TreeDef::from_bytes(page) else { continue };
        // What loads has a page with the key of the record.
        match load_older::<T>(record, page, value, &[], &mut [0; 4096]) {
            Ok(_) => assert_eq!(record[1..9], page.fingerprint().to_le_bytes()),
            Err(error) => assert!(!matches!(error, LoadError::Defaults(_))),
        }
    }
}

fn golden_file(damage: bool) {
    let unsigned = (200u8, -2i8, 300u16, -300i16, 70_000u32, -2i32, 1u64 << 63, i64::MIN);
    let (a, b, c, d, e, f, g, h) = unsigned;
    is_golden("integers", &(a, b, c, d, e, f, g, h, u128::MAX, -1i128, 5usize, -5isize), damage);
    let name = heapless::String::<8>::try_from("p1").unwrap();
    let others = (
        true,
        'é',
        1.0f32,
        -2.5f64,
        Duration::from_millis(1500),
        Ipv4Addr::new(192, 168, 0, 1),
        Ipv6Addr::LOCALHOST,
        NonZero::new(300u16).unwrap(),
        name,
    );
    is_golden("other leaves", &others, damage);
    let list = heapless::Vec::<_, 4>::from_slice(&[[1u8, 2], [3, 4]]).unwrap();
    is_golden("choices", &(Some(7u8), None::<bool>, list), damage);
    let long: Vec<_> = (0..130).map(|i| (i % 2 == 0).then_some(9u8)).collect();
    is_golden("132 choices", &long, damage);
}

// Without the damage it is quick enough for an interpreter of other machines.
#[test]
fn record_bytes_are_those_of_the_golden_file() {
    golden_file(false);
}

#[test]
fn golden_records_keep_what_holds_for_each() {
    golden_file(true);
}

#[cfg(all(feature = "fixed", feature = "half"))]
#[test]
fn records_of_fixed_point_numbers_and_of_half_are_golden() {
    use fixed::types::{I8F24, I16F16, U0F8};
    use half::{bf16, f16};

    let halves = (f16::from_f32(1.5), bf16::from_f32(1.5));
    is_golden(
        "fixed-point and half",
        &(I16F16::ONE * -1, U0F8::from_bits(7), halves.0, halves.1),
        true,
    );
    // Another scale is another type.
    let refused = load::<[I8F24; 1]>(&save(&[I16F16::ONE]).unwrap());
    assert_eq!(refused, Err(LoadError::OtherType { key: key::<[I16F16; 1]>() }));
}

#[test]
fn extreme_leaves_have_records() {
    check(&(u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX, usize::MAX));
    check(&(i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN, isize::MIN));
    check(&(i8::MAX, i16::MAX, i32::MAX, i64::MAX, i128::MAX, isize::MAX));
    check(&(Duration::MAX, char::MAX, f32::INFINITY, f64::MIN_POSITIVE, Wrapping(u32::MAX)));
    check(&(NonZero::<i8>::MIN, NonZero::<u128>::MAX, NonZero::<usize>::MAX));
    check(&(String::new(), "x".repeat(300), heapless::String::<0>::new()));
    check(&());
    check(&[(); 3]);
}

/// The bytes of a record with this key, these leaves and choices.
fn record<T: HasSchema>(leaves: &[u8], choices: &[u8]) -> Vec<u8> {
    let number = u8::try_from(choices.len()).unwrap();
    [&[0xE1], &key::<T>().to_le_bytes()[..], &[number], leaves, choices].concat()
}

#[test]
fn leaves_that_no_value_has_are_refused() {
    let at = |at| LoadError::Damaged { at };
    let refused = |leaves: &[u8], error| {
        assert_eq!(load::<bool>(&record::<bool>(leaves, &[])), Err(error), "{leaves:?}");
    };
    refused(&[2], at(11));
    refused(&[], at(10));
    refused(&[1, 1], at(11));
    assert!(load::<char>(&record::<char>(&[0x80, 0xB0, 0x03], &[])).is_err(), "a surrogate");
    assert!(load::<u16>(&record::<u16>(&[0xFF, 0xFF, 0x03], &[])).is_ok());
    assert!(load::<u16>(&record::<u16>(&[0xFF, 0xFF, 0x04], &[])).is_err(), "17 bits");
    assert!(load::<u32>(&record::<u32>(&[0xFF, 0xFF, 0xFF, 0xFF, 0x1F], &[])).is_err(), "33 bits");
    // More bytes than the number needs.
    assert_eq!(load::<u32>(&record::<u32>(&[0x81, 0x80, 0x80, 0x80, 0x00], &[])), Ok(1));
    assert!(load::<u32>(&record::<u32>(&[0x81, 0x80, 0x80, 0x80, 0x80, 0x00], &[])).is_err());
    assert!(load::<NonZero<u8>>(&record::<NonZero<u8>>(&[0], &[])).is_err());
    let second = [0, 0x80, 0x94, 0xEB, 0xDC, 0x03];
    assert!(load::<Duration>(&record::<Duration>(&second, &[])).is_err(), "a whole second");
    type Text = heapless::String<2>;
    assert!(load::<Text>(&record::<Text>(&[2, b'a', b'b'], &[])).is_ok());
    assert!(load::<Text>(&record::<Text>(&[3, b'a', b'b', b'c'], &[])).is_err(), "no room");
    assert!(load::<Text>(&record::<Text>(&[1, 0xFF], &[])).is_err(), "no UTF-8");
}

#[test]
fn choices_that_no_value_has_are_refused() {
    type List = heapless::Vec<u8, 2>;
    assert!(load::<List>(&record::<List>(&[5, 6], &[2])).is_ok());
    for (leaves, choices) in
        [(&[5][..], &[2][..]), (&[5, 6], &[1]), (&[5, 6, 7], &[3]), (&[], &[]), (&[5, 6], &[2, 0])]
    {
        assert!(load::<List>(&record::<List>(leaves, choices)).is_err(), "{leaves:?} {choices:?}");
    }
    assert!(load::<Option<u8>>(&record::<Option<u8>>(&[5], &[2])).is_err());
    // A number of choices that there is no room for, also as a number of more bits than an address.
    for number in [&[0x7F][..], &[0xFF; 12], &[0x80]] {
        let bytes = [&[0xE1], &key::<u8>().to_le_bytes()[..], number].concat();
        assert_eq!(load::<u8>(&bytes), Err(LoadError::Damaged { at: bytes.len() }));
    }
}

#[test]
fn a_long_list_is_refused_without_memory_for_it() {
    let bytes = record::<Vec<u64>>(&[1, 2], &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
    assert!(load::<Vec<u64>>(&bytes).is_err());
    type Lists = Vec<[Option<u8>; 4]>;
    let unfolded = |choices: &[u8]| {
        let record = [&[0xE3], &record::<Lists>(&[], choices)[1..]].concat();
        unfold_into(&record, schema_of::<Lists>(), &mut [0; 64])
    };
    let needed = 9 + 5 + 4 + 4 * 268_435_455;
    let most = [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 2, 0, 0, 2, 0xFD, 0xFF, 0xFF, 0x7F];
    assert_eq!(unfolded(&most), Err(LoadError::NoRoom { needed, room: 64 }));
    // A treedef of a value is no schema.
    let list = treedef::treedef!([*, *]);
    let value = [&[0xE1], &list.fingerprint().to_le_bytes()[..], &[0]].concat();
    assert!(matches!(fold_into(&value, list, &mut []), Err(LoadError::Damaged { .. })));
    // One copy more than the list has, and more than memory has.
    let more = [3, 0, 0, 2, 0, 0, 2, 2];
    assert!(matches!(unfolded(&more), Err(LoadError::Damaged { .. })));
    let large = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
    let large = [&large[..], &[0, 0, 2, 0, 0, 2, 0xFD], &large[1..]].concat();
    assert!(matches!(unfolded(&large), Err(LoadError::Damaged { .. })));
}

#[test]
fn two_equal_elements_are_followed_by_the_number_of_others() {
    fn folded<T: TreeWalk<RecordLeaves>>(tree: &T) -> Vec<u8> {
        let record = save(tree).unwrap();
        let folded = comes_back_folded(&record, schema_of::<T>());
        assert_eq!(folded[..9], [&[0xE3], &record[1..9]].concat());
        folded[9..].to_vec()
    }
    let (some, none) = (Some(()), None);
    assert_eq!(folded(&vec![some; 1_000_000]), [8, 0xC0, 0x84, 0x3D, 1, 1, 0xBE, 0x84, 0x3D]);
    assert_eq!(folded(&vec![some, none, some]), [4, 3, 1, 0, 1]);
    assert_eq!(folded(&vec![some, some, none, none, none]), [7, 5, 1, 1, 0, 0, 0, 1]);
    // Runs inside of elements that are a run.
    let inner = vec![some; 10];
    assert_eq!(
        folded(&vec![inner.clone(), inner.clone(), inner]),
        [10, 3, 10, 1, 1, 8, 10, 1, 1, 8, 1]
    );
    // Elements whose type leaves nothing open are none.
    assert_eq!(folded(&vec![[1u8; 2]; 2]), [1, 1, 1, 1, 1, 2]);
    let keys = BTreeMap::from([(1u8, Rule::Off), (2, Rule::Off), (3, Rule::Off)]);
    assert_eq!(folded(&keys), [10, 3, 3, 2, 3, 4, 3, 6, 0, 0, 1]);
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "app::Rule")]
enum Rule {
    Off,
    Above { level: f32, delay: Duration },
    All(Vec<Rule>),
    Not(Option<Box<Rule>>),
}

#[derive(Meta, Clone, Copy, Debug, PartialEq)]
enum Unit {
    Volt,
    Ampere,
}

#[derive(Leaf, Clone, Debug, PartialEq)]
#[tree(name = "app::Id")]
struct Id(u16, u8);

impl RecordLeaf for Id {
    const NAME: &'static str = "app::Id";
    const MAX_LEN: usize = 3;

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        let [low, high] = self.0.to_le_bytes();
        give(&[low, high, self.1])
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match *bytes {
            [low, high, last @ 0..100] => Some(Self(u16::from_le_bytes([low, high]), last)),
            _ => None,
        }
    }
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "app::Settings", meta(version = 3))]
struct Settings {
    #[tree(meta)]
    unit: Unit,
    #[tree(meta)]
    name: String,
    id: Id,
    offset: Option<i16>,
    limits: Option<Option<u64>>,
    flags: [Option<bool>; 2],
    rule: Rule,
    by_name: BTreeMap<String, Vec<i32>>,
    #[tree(skip)]
    cached: u8,
}

fn rules() -> impl Strategy<Value = Rule> {
    let some = (any::<f32>().prop_filter("equals itself", |x| !x.is_nan()), any::<u32>());
    let above =
        some.prop_map(|(level, ms)| Rule::Above { level, delay: Duration::from_millis(ms.into()) });
    let leaf = prop_oneof![Just(Rule::Off), Just(Rule::Not(None)), above];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Rule::All),
            inner.prop_map(|rule| Rule::Not(Some(Box::new(rule)))),
        ]
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let names = || "[a-z]{0,4}";
    let lists = proptest::collection::vec(any::<i32>(), 0..4);
    (
        (prop_oneof![Just(Unit::Volt), Just(Unit::Ampere)], names(), any::<u16>(), 0u8..100),
        (any::<Option<i16>>(), any::<Option<Option<u64>>>(), any::<[Option<bool>; 2]>()),
        (rules(), proptest::collection::btree_map(names(), lists, 0..4)),
    )
        .prop_map(|((unit, name, a, b), (offset, limits, flags), (rule, by_name))| Settings {
            unit,
            name,
            id: Id(a, b),
            offset,
            limits,
            flags,
            rule,
            by_name,
            cached: 0,
        })
}

proptest! {
    #[test]
    fn values_are_loaded_from_their_records(settings in settings()) {
        check(&settings);
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..60), number in 0u8..40) {
        let head = [&[0xE1], &key::<Settings>().to_le_bytes()[..], &[number]].concat();
        if let Ok(settings) = load::<Settings>(&[head, bytes].concat()) {
            prop_assert_eq!(load::<Settings>(&save(&settings).unwrap()), Ok(settings));
        }
    }
}

#[test]
fn a_record_of_another_type_of_the_same_shape_is_refused() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "app::Gains")]
    struct Gains {
        kp: f32,
        ki: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "app::Gains")]
    struct Swapped {
        ki: f32,
        kp: f32,
    }

    let bytes = save(&Gains { kp: 1.0, ki: 2.0 }).unwrap();
    let refused = load::<Swapped>(&bytes);
    assert_eq!(refused, Err(LoadError::OtherType { key: key::<Gains>() }));
    assert_eq!(
        load::<(f32, f32)>(&bytes).unwrap_err().to_string(),
        format!("record is one of another type, with the key {:#018x}", key::<Gains>()),
    );
}

#[test]
fn values_of_too_many_levels_are_refused() {
    let deep = |levels: u32| (0..levels).fold(Rule::Off, |rule, _| Rule::Not(Some(Box::new(rule))));
    check(&deep(63));
    assert_eq!(save(&deep(64)), Err(Error::TooDeep { limit: 64 }));
}

#[test]
fn bounds_are_reached_by_the_largest_value() {
    #[derive(Tree)]
    #[tree(name = "app::Choice")]
    enum Choice {
        Id(Id),
        #[allow(dead_code)]
        Two([i16; 2]),
    }

    type Texts = heapless::Vec<heapless::String<200>, 2>;
    let texts = Texts::from_iter([(); 2].map(|()| "x".repeat(200).parse().unwrap()));
    assert_eq!(save(&texts).unwrap().len(), record_bytes::<Texts>());
    let numbers = (u16::MAX, i32::MIN, u64::MAX, i128::MIN, char::MAX, Duration::MAX, isize::MIN);
    assert_eq!(
        save(&numbers).unwrap().len(),
        record_bytes::<(u16, i32, u64, i128, char, Duration, isize)>()
    );
    let others =
        (1.0f64, Ipv6Addr::LOCALHOST, Ipv4Addr::LOCALHOST, NonZero::<u128>::MAX, [true; 3]);
    assert_eq!(
        save(&others).unwrap().len(),
        record_bytes::<(f64, Ipv6Addr, Ipv4Addr, NonZero<u128>, [bool; 3])>()
    );
    const OWN: usize = record_bytes_with::<[Option<Choice>; 2], (Id,)>();
    // A head, the number of choices; at most 6 bytes of leaves and 2 choices each.
    assert_eq!(OWN, 9 + 1 + 2 * (6 + 2));
    let value = [Some(Choice::Id(Id(1, 2))), None];
    assert_eq!(save(&value).unwrap().len(), 9 + 1 + 4 + 2 + 1);
    assert_eq!(record_bytes::<[Option<u8>; 200]>(), 9 + 2 + 200 + 200);

    /// Each meta field has the largest value of its type.
    macro_rules! values {
        ($($name:ident: $type:ty = $value:expr),*) => {
            #[derive(Tree)]
            #[tree(name = "app::Values")]
            struct Values {
                $(#[tree(meta)] $name: $type,)*
                gains: heapless::LinearMap<heapless::String<3>, u8, 2>,
            }
            let gains = [("one", 1), ("two", 2)].map(|(key, gain)| (key.parse().unwrap(), gain));
            let values = Values { $($name: $value,)* gains: gains.into_iter().collect() };
            assert_eq!(save(&values).unwrap().len(), record_bytes::<Values>());
        };
    }
    values! {
        on: bool = true, a: u8 = u8::MAX, b: i8 = i8::MIN, c: u16 = u16::MAX, d: i16 = i16::MIN, e: u32 = u32::MAX, f: i32 = i32::MIN,
        g: u64 = u64::MAX, h: i64 = i64::MIN, i: u128 = u128::MAX, j: i128 = i128::MIN, k: usize = usize::MAX, l: char = char::MAX,
        m: f32 = 1.0, n: f64 = 1.0, o: Ipv4Addr = Ipv4Addr::LOCALHOST, p: Ipv6Addr = Ipv6Addr::LOCALHOST, q: NonZero<u8> = NonZero::<u8>::MAX,
        r: Duration = Duration::MAX, s: heapless::String<200> = "x".repeat(200).parse().unwrap()
    }
}
