//! Records under the schema pages of their types, and pages that differ.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use treedef::record::{RecordLeaf, fold_into, record_key, save, save_with_page};
use treedef::{Leaf, Meta, Tree, schema_of};

use super::{file, output, treedef};

#[derive(Meta, Clone, Copy)]
enum Unit {
    Volt,
}

#[derive(Tree)]
#[tree(name = "app::Mode")]
enum Mode {
    #[allow(dead_code)]
    Off,
    Torque {
        max: f32,
    },
}

#[derive(Tree)]
#[tree(name = "app::Step")]
struct Step {
    value: u16,
    next: Option<Box<Step>>,
}

#[derive(Leaf)]
#[tree(name = "app::Date")]
struct Date([u8; 2]);

impl RecordLeaf for Date {
    const NAME: &'static str = "app::Date";

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        give(&self.0)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

#[derive(Tree)]
#[tree(name = "app::Settings", meta(version = 1))]
struct Settings {
    #[tree(meta)]
    unit: Unit,
    #[tree(meta)]
    id: u8,
    name: heapless::String<8>,
    mode: Mode,
    trim: Option<Option<i16>>,
    limits: [f32; 2],
    curve: Vec<(u16, bool)>,
    log: Vec<u8>,
    table: BTreeMap<String, i64>,
    by_place: BTreeMap<(u8, i8), Option<()>>,
    start: Step,
    delay: Duration,
    host: Ipv4Addr,
    made: Date,
}

fn settings() -> Settings {
    Settings {
        unit: Unit::Volt,
        id: 7,
        name: "axis é".parse().unwrap(),
        mode: Mode::Torque { max: 1.5 },
        trim: Some(None),
        limits: [-1.0, 0.1],
        curve: vec![(300, true), (2, false)],
        log: vec![],
        table: BTreeMap::from([("a".into(), -1), ("b".into(), i64::MIN)]),
        by_place: BTreeMap::from([((1, -1), None), ((2, 0), Some(()))]),
        start: Step { value: 1, next: Some(Box::new(Step { value: 2, next: None })) },
        delay: Duration::from_millis(1500),
        host: Ipv4Addr::new(192, 168, 0, 1),
        made: Date([1, 0xFF]),
    }
}

/// Writes a record, and the page of its type.
fn files(folder: &str) -> [String; 2] {
    let page = file(folder, "page.bin", schema_of::<Settings>().as_bytes());
    [file(folder, "record.bin", &save(&settings()).unwrap()), page]
}

#[test]
fn values_of_a_record_have_paths_and_types() {
    let [record, page] = files("values");
    let out = output(&["inspect", &record, "--schema", &page]);
    let (first, rest) = out.split_once("\n\n").unwrap();
    assert!(first.starts_with("record.bin  15 leaves: "), "{first}");
    let (values, facts) = rest.split_once("\n\n").unwrap();
    let expected = "\
.unit              meta       'Volt'
.id                meta       7
.name              str<8>     \"axis é\"
.mode              enum       Torque
.mode.max          float32    1.5
.trim              option     Some(None)
.limits[0]         float32    -1.0
.limits[1]         float32    0.1
.curve[0][0]       uint16     300
.curve[0][1]       bool       true
.curve[1][0]       uint16     2
.curve[1][1]       bool       false
.log               list       []
.table['a']        int64      -1
.table['b']        int64      -9223372036854775808
.by_place[(1, -1)]  option     None
.by_place[(2, 0)]  tuple      ()
.start.value       uint16     1
.start.next.value  uint16     2
.start.next.next   option     None
.delay             Duration   1.5 s
.host              Ipv4Addr   192.168.0.1
.made              app::Date  [01 FF]";
    let words = |text: &str| -> Vec<_> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(words(values), words(expected));
    let key = record_key::<Settings>();
    let bytes = save(&settings()).unwrap().len();
    let page = schema_of::<Settings>().as_bytes().len();
    assert_eq!(
        words(facts),
        [
            format!("key {key:#018x} of app::Settings"),
            format!("record {bytes} bytes: 10 of head, 51 of leaves, {} of choices", bytes - 61),
            format!("page {page} bytes"),
        ]
    );
}

#[test]
fn a_record_that_has_its_page_needs_no_other() {
    let [record, page] = files("with_page");
    let whole = save_with_page(&settings()).unwrap();
    let both = file("with_page", "both.bin", &whole);
    let parts = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
    let expected = parts(&output(&["inspect", &record, "--schema", &page]));
    assert_eq!(parts(&output(&["inspect", &both])), expected);
    assert_eq!(parts(&output(&["inspect", &both, "--schema", &page])), expected);
    let mut damaged = whole;
    damaged[4] ^= 1;
    let out = treedef(&["inspect", &file("with_page", "damaged.bin", &damaged)]).err;
    assert!(out.contains("; the page after it is the page of app::Settings with the key"), "{out}");
}

#[test]
fn a_folded_record_has_the_same_rows() {
    let (values, schema) = (vec![[None, Some(1u8)]; 1000], schema_of::<Vec<[Option<u8>; 2]>>());
    let (record, mut folded) = (save(&values).unwrap(), [0; 1100]);
    let len = fold_into(&record, schema, &mut folded).unwrap();
    let page = file("folded", "page.bin", schema.as_bytes());
    let record = file("folded", "record.bin", &record);
    let folded = file("folded", "folded.bin", &folded[..len]);
    let [rows, again] = [record, folded].map(|file| {
        let out = output(&["inspect", "--schema", &page, &file]);
        out.split_once("\n\n").unwrap().1.to_owned()
    });
    // Not by `assert_eq`, which would print thousands of rows.
    assert!(again == format!("{rows}folded       1,018 bytes\n"));
    assert!(rows.contains("\n[999][1]  uint8   1\n"), "{rows}");
}

#[test]
fn values_of_a_record_are_json_for_programs() {
    let [record, page] = files("values_json");
    let out = output(&["inspect", "--json", "--schema", &page, &record]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let leaf = &json["trees"][0]["leaves"][0];
    assert_eq!(
        (&leaf["path"], &leaf["dtype"], &leaf["value"]),
        (&".name".into(), &"str<8>".into(), &"axis é".into())
    );
    assert_eq!(json["choices"][2]["path"], ".mode");
    assert_eq!(json["choices"][2]["value"], "Torque");
    assert_eq!(json["choices"].as_array().unwrap().len(), 8);
    // Some leaves, and the tree instead of the list.
    let out = output(&["inspect", "--schema", &page, "--only", "limits", &record]);
    assert!(out.contains("\n\n.limits[0]  float32  -1.0\n.limits[1]  float32  0.1\n\n"), "{out}");
    let out = output(&["inspect", "--schema", &page, "--depth", "1", &record]);
    assert!(out.contains("├─ mode "), "{out}");
}

#[test]
fn records_are_compared_under_their_pages() {
    let [first, page] = files("compared");
    let other = Settings { limits: [2.0, 0.1], mode: Mode::Off, ..settings() };
    let second = file("compared", "second.bin", &save(&other).unwrap());
    let run = super::run(&["diff", "--schema", &page, &first, &second], &[("COLUMNS", "200")], b"");
    let (_, found) = run.out.split_once("\n\n").unwrap();
    let expected = "\
1 difference; expected 15 leaves, found 14:
  at .mode: expected variant Mode::Torque, found variant Mode::Off
~ other values, 1 leaf
    .limits[0]  -1.0 → 2.0
";
    assert_eq!((run.code, found), (Some(1), expected));
    let run = treedef(&["diff", "--json", &first, &second, "--schema", &page, "--schema", &page]);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let value = serde_json::json!({"from": "-1.0", "name": ".limits[0]", "to": "2.0"});
    assert_eq!((run.code, &json["values"][0]), (Some(1), &value));
    let same = "no differences: both records have the same values\n";
    let run = treedef(&["diff", "--schema", &page, &first, &first]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), same));
    // Each record has its own page.
    let step = file("compared", "step.bin", schema_of::<Step>().as_bytes());
    let value = file("compared", "value.bin", &save(&Step { value: 1, next: None }).unwrap());
    let run = treedef(&["diff", "--schema", &page, &first, &value]);
    let why = format!("; {page} is the page of app::Settings with the key ");
    assert!(run.code == Some(2) && run.err.contains(&why), "{}", run.err);
    let run = treedef(&["diff", "--schema", &page, "--schema", &step, &first, &value]);
    let why = "at the root: expected a struct Settings, found a struct Step\n";
    assert!(run.code == Some(1) && run.out.contains(why), "{}{}", run.out, run.err);
}

/// A golden line: the record, and the page.
fn golden(name: &str) -> [Vec<u8>; 2] {
    let text = std::fs::read_to_string(super::data("../../tests/golden/records.txt")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" | ")).unwrap();
    let hex = |text: &str| {
        let digits: String = text.split_whitespace().collect();
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        (0..digits.len()).step_by(2).map(byte).collect::<Vec<_>>()
    };
    let [rest, page, mut key] = line.split(" | ").map(hex).collect::<Vec<_>>().try_into().unwrap();
    key.reverse();
    [[vec![0xE1], key, rest].concat(), page]
}

#[test]
fn golden_records_have_their_values() {
    let max = u128::MAX.to_string();
    for (name, values) in [
        (
            "integers",
            &[
                "200",
                "-2",
                "300",
                "-300",
                "70000",
                "-2",
                "9223372036854775808",
                "-9223372036854775808",
                &max,
                "-1",
                "5",
                "-5",
            ][..],
        ),
        (
            "other leaves",
            &["true", "'é'", "1.0", "-2.5", "1.5 s", "192.168.0.1", "::1", "300", "\"p1\""],
        ),
        ("fixed-point and half", &["-1", "0.02734375", "1.5", "1.5"]),
        ("choices", &["7", "None", "1", "2", "3", "4"]),
    ] {
        let [record, page] = golden(name);
        let [record, page] = [("record", record), ("page", page)]
            .map(|(file, bytes)| super::file("golden_records", &format!("{name}.{file}"), &bytes));
        let out = output(&["inspect", "--schema", &page, &record]);
        let rows = out.split("\n\n").nth(1).unwrap().lines();
        let found: Vec<_> =
            rows.map(|row| row.split_whitespace().skip(2).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(found, values, "{name}");
    }
}

#[test]
fn a_record_under_the_page_of_another_type_is_refused_with_both_keys() {
    let [record, _] = files("other_page");
    let page = file("other_page", "step.bin", schema_of::<Step>().as_bytes());
    let run = treedef(&["inspect", &record, "--schema", &page]);
    let [key, own] = [record_key::<Settings>(), record_key::<Step>()];
    let why = format!(
        "inspect: {record}: record of a type with the key {key:#018x}; \
         {page} is the page of app::Step with the key {own:#018x}\n"
    );
    assert_eq!((run.code, run.out, run.err), (Some(1), String::new(), why));
    // Without a page, the key says which one is missing.
    let run = treedef(&["inspect", &record]);
    let why = format!("this is a record of a type with the key {key:#018x}; --schema FILE names");
    assert!(run.code == Some(1) && run.err.contains(&why), "{}", run.err);
    assert_eq!(treedef(&["diff", &record, &page]).code, Some(2));
}

#[test]
fn damaged_records_and_pages_are_refused_at_a_byte() {
    type Small = (heapless::Vec<bool, 2>, Option<char>, Mode, BTreeMap<u8, heapless::String<2>>);
    let list = heapless::Vec::from_slice(&[true, false]).unwrap();
    let texts = BTreeMap::from([(3, "ab".parse().unwrap())]);
    let small: Small = (list, Some('a'), Mode::Torque { max: 1.0 }, texts);
    let record = save(&small).unwrap();
    // Ten bytes of head, ten of leaves, six of choices.
    assert_eq!(record[10..], [1, 0, 97, 0, 0, 128, 63, 2, 97, 98, 2, 1, 1, 1, 3, 6]);
    let page = file("damaged", "page.bin", schema_of::<Small>().as_bytes());
    let refused = |bytes: &[u8], why: &str| {
        let run = treedef(&["inspect", &file("damaged", "record.bin", bytes), "--schema", &page]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        let (_, found) = run.err.split_once("record.bin: ").unwrap();
        assert_eq!(found, format!("{why}\n"));
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = record.clone();
        bytes[at] = byte;
        bytes
    };
    refused(&[], "file is empty");
    refused(&[0; 20], "no record: it begins with the byte 00, and a record with E1, E2 or E3");
    let no_value = "folded choices of a record that are those of no value of the type";
    refused(&[&[0xE3], &with(21, 2)[1..]].concat(), no_value);
    refused(&with(0, 0xE3)[..5], "record ends inside its key, at byte 5");
    let leaf = "unfolded, at byte 10, [0][0]: no bool: the byte 02";
    refused(&[&[0xE3], &with(10, 2)[1..]].concat(), leaf);
    refused(&record[..5], "record ends inside its key, at byte 5");
    refused(&record[..9], "record ends inside its number of choices, at byte 9");
    refused(&with(9, 17), "at byte 9: 17 bytes of choices; 16 bytes follow");
    refused(&with(10, 2), "at byte 10, [0][0]: no bool: the byte 02");
    refused(&with(20, 3), "at byte 20, [0]: list of 3 elements, with room for 2");
    refused(&with(21, 2), "at byte 21, [1]: choice 2 of an option");
    let leaves = [&record[..20], &[0], &record[20..]].concat();
    refused(&leaves, "at byte 20: bytes follow the last of the leaves: 1");
    let choices = [&with(9, 7)[..], &[0]].concat();
    refused(&choices, "at byte 26: bytes follow the last of the choices: 1");
    refused(&with(22, 9), "at byte 22, [2]: variant 9 of 2");
    refused(&with(24, 0x0B), "at byte 24, [3]: choices end inside a key, or it is none");
    refused(&with(17, 3), "at byte 17, [3][3]: leaves end inside a leaf of the type str<2>");
    refused(
        &with(18, 0xFF),
        "at byte 17, [3][3]: no str<2>: invalid utf-8 sequence of 1 bytes from index 0",
    );
    let page = file("damaged", "no_page.bin", &[0x22, 0x01]);
    let record = file("damaged", "record.bin", &record);
    let run = treedef(&["inspect", &record, "--schema", &page]);
    let why = format!(
        "inspect: {page}: no schema page: it has leaves, so it is the treedef of a value\n"
    );
    assert_eq!((run.code, run.err), (Some(1), why));
}

#[test]
fn leaves_that_no_value_has_are_refused() {
    fn refused<T: treedef::tree::HasSchema>(leaf: &[u8], why: &str) {
        let page = file("no_value", "page.bin", schema_of::<T>().as_bytes());
        let record = [&[0xE1], &record_key::<T>().to_le_bytes()[..], &[0], leaf].concat();
        let record = file("no_value", "record.bin", &record);
        let run = treedef(&["inspect", &record, "--schema", &page]);
        let why = format!("record.bin: at byte 10, the root: no {why}\n");
        assert!(run.code == Some(1) && run.err.ends_with(&why), "{}", run.err);
    }
    refused::<u16>(&[0x80, 0x80, 0x04], "uint16: 65536 has more than 16 bits");
    refused::<std::num::NonZero<i8>>(&[0], "NonZero<i8>: zero");
    refused::<char>(&[0x80, 0xB0, 0x03], "char: code point D800");
    refused::<Duration>(&[0, 0x80, 0x94, 0xEB, 0xDC, 0x03], "Duration: 0 s and 1000000000 ns");
    refused::<heapless::String<2>>(&[3, 97, 97, 97], "str<2>: 3 bytes, with room for 2");
    let long = [[0x80; 18].as_slice(), &[0x04]].concat();
    let long32 = [0x81, 0x80, 0x80, 0x80, 0x80, 0x00];
    refused::<u32>(&long32, "uint32: a number of more than 32 bits");
    refused::<u128>(&long, "u128: a number of more than 128 bits");
}

#[test]
fn keys_can_be_any_values() {
    type Keyed = BTreeMap<(u128, char, bool), bool>;
    let keyed = Keyed::from([((u128::MAX, 'a', false), true), ((u128::MAX, 'é', true), true)]);
    let page = file("keys", "page.bin", schema_of::<Keyed>().as_bytes());
    let record = file("keys", "record.bin", &save(&keyed).unwrap());
    let out = output(&["inspect", &record, "--schema", &page]);
    let max = u128::MAX;
    for row in [format!("\n[({max}, 'a', False)]"), format!("\n[({max}, 'é', True)]")] {
        assert!(out.contains(&row), "{out}");
    }
}

#[test]
fn a_few_bytes_of_many_values_are_refused() {
    let page = file("many", "page.bin", schema_of::<Vec<()>>().as_bytes());
    let record = file("many", "record.bin", &save(&vec![(); 10_000_000]).unwrap());
    let run = treedef(&["inspect", &record, "--schema", &page]);
    let why = "at byte 14, [999999]: more than 512 levels or 1,000,000 nodes\n";
    assert!(run.code == Some(1) && run.err.ends_with(why), "{}", run.err);
    let deep = (0..63).fold(Step { value: 0, next: None }, |step, value| Step {
        value,
        next: Some(Box::new(step)),
    });
    let page = file("many", "step.bin", schema_of::<Step>().as_bytes());
    let mut record = save(&deep).unwrap();
    let path = file("many", "deep.bin", &record);
    assert!(output(&["inspect", &path, "--schema", &page]).contains(".next.next.value  uint16"));
    // As many choices `Some` as a program has never saved.
    record.splice(9.., [0x90, 0x4E].into_iter().chain([0; 10_000]).chain([1; 10_000]));
    let run = treedef(&["inspect", &file("many", "deep.bin", &record), "--schema", &page]);
    assert!(run.code == Some(1) && run.err.contains(": more than 512 levels or "), "{}", run.err);
}

#[test]
fn every_difference_of_two_pages_is_shown() {
    #[derive(Tree)]
    #[tree(name = "app::Limits", meta(version = 1))]
    #[allow(dead_code)]
    struct First {
        name: heapless::String<8>,
        mode: Mode,
        trim: Option<i16>,
        range: [f32; 2],
        rate: u16,
        curve: heapless::Vec<f32, 4>,
    }

    #[derive(Tree)]
    #[tree(name = "app::Mode")]
    #[allow(dead_code)]
    enum NextMode {
        Off,
        Torque { max: f32, ramp: f32 },
        Hold,
    }

    #[derive(Tree)]
    #[tree(name = "app::Limits", meta(version = 2))]
    #[allow(dead_code)]
    struct Second {
        name: heapless::String<16>,
        mode: NextMode,
        trim: Option<i32>,
        range: [f32; 3],
        hertz: u16,
        curve: heapless::Vec<f32, 8>,
    }

    let [first, second] =
        [("page_v1.bin", schema_of::<First>()), ("page_v2.bin", schema_of::<Second>())]
            .map(|(name, page)| file("pages", name, page.as_bytes()));
    let run = super::run(&["diff", &first, &second], &[("COLUMNS", "200")], b"");
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let [old, new] = [record_key::<First>(), record_key::<Second>()];
    let expected = format!(
        "\
- {first}  schema page, key {old:#018x}, of app::Limits
+ {second}  schema page, key {new:#018x}, of app::Limits

at the root: missing field rate and unexpected field hertz; expected version = 1, found version = 2
at .name: expected type = 'str<8>', found type = 'str<16>'
at .mode: unexpected field Hold
at .mode.Torque: unexpected field ramp
at .trim.of: expected type = 'int16', found type = 'int32'
at .range: expected room = 2, found room = 3
at .curve: expected room = 4, found room = 8
"
    );
    assert_eq!(run.out, expected);
    let run = treedef(&["diff", &first, &first]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "no differences: both are pages of one version of the type\n")
    );
    let out = output(&["inspect", &first]);
    let line = format!("page_v1.bin  schema page, key {old:#018x}, of app::Limits\n");
    assert!(out.starts_with(&line), "{out}");
}
