//! Where leaves stand, and what is found by a path.

use core::fmt::{self, Write};

use treedef::head::DictKind;
use treedef::{KeyEntry, TreeDef, TreeDefBuf, Value, head, structure_into, treedef};

use crate::golden;
use crate::report::{Case, Digest, Missing, Outcome, Report};

pub const CASES: &[Case] = &[
    ("of every golden structure", golden_paths),
    ("found and not found", found),
    ("replaced", replaced),
    ("texts of keys", keys),
];

/// A text of at most `N` bytes.
struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    fn of(value: impl fmt::Display) -> Outcome<Self> {
        let mut text = Self { bytes: [0; N], len: 0 };
        write!(text, "{value}")?;
        Ok(text)
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl<const N: usize> Write for Text<N> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let end = self.len + piece.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(piece.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Every leaf is found again by its entries, its indices and its text.
fn golden_paths(report: &mut Report<'_>) -> Outcome {
    golden::each(|name, bytes, _| {
        let def = TreeDef::from_bytes(bytes)?;
        let (mut texts, mut last) = (Digest::default(), None);
        for path in def.paths() {
            let place = def.find(path.entries())?;
            report.same(path.found(), Some(place))?;
            report.same(def.find_at(place.indices()), Some(place))?;
            let text = Text::<160>::of(path.keystr())?;
            // What is in a `Some` has the path of the `Some`.
            if path.entries().all(|entry| entry != KeyEntry::Some) {
                report.same(def.find_keystr(text.as_str()), Ok(place))?;
            }
            texts.write_str(text.as_str())?;
            write!(texts, "{}", path.keystr_simple("/"))?;
            last = Some(path);
        }
        match last {
            Some(path) => report.fact(name, format_args!("{} {texts}", path.keystr())),
            None => report.fact(name, "no leaf"),
        }
        for node in 0..def.num_nodes() {
            let path = def.node_path(node).ok_or(Missing)?;
            report.same(def.find(path.entries())?.node(), node)?;
        }
        Ok(())
    })
}

const DEF: TreeDef<'static> = treedef!({"gains": [*, *, {"kp": *, "ki": (*, None)}], "on": *});

fn found(report: &mut Report<'_>) -> Outcome {
    let place = DEF.find_str("['gains'][2]")?;
    report.treedef("found", place.treedef());
    report.same(place.leaves(), 2..4)?;
    report.prints(place.path().keystr_simple("."), "gains.2")?;
    let simple = DEF.paths().position(|path| path.keystr_simple(".") == "gains.2.kp");
    report.same(simple, Some(3))?;
    for wrong in ["['gains'][3]", "['gain']", "[0]", ".gain", "['gains'", "on/0", "x", "é"] {
        let error = DEF.find_str(wrong).err().ok_or(Missing)?;
        report.fact(wrong, error.explain_path(DEF, wrong));
    }
    Ok(())
}

fn replaced(report: &mut Report<'_>) -> Outcome {
    let mut bytes = [0; 96];
    let place = DEF.find_str("['gains'][2]['ki']")?;
    let made = structure_into(&DEF.replace([(place, treedef!([*, *]))])?, &mut bytes)?;
    report.treedef("replaced", made);
    report.same(made, treedef!({"gains": [*, *, {"kp": *, "ki": [*, *]}], "on": *}))?;
    let inside = DEF.find_str("['gains'][2]['ki'][0]")?;
    let error = DEF.replace([(place, DEF), (inside, DEF)]).err().ok_or(Missing)?;
    report.fact("one in the other", error);
    Ok(())
}

/// Keys of every kind in JAX's text: floats in Python's shortest form, escapes of its Unicode.
fn keys(report: &mut Report<'_>) -> Outcome {
    let dict = |keys: &[Value<'_>], report: &mut Report<'_>| -> Outcome {
        let heading = head::Dict::new(DictKind::Ordered, keys.iter().copied());
        let def = TreeDefBuf::<256>::build(|out| {
            out.node(&heading, |out| out.leaves(keys.len()));
        })?;
        report.treedef("keys", def.as_treedef());
        for path in def.as_treedef().paths() {
            report.fact("path", format_args!("{} {}", path.keystr(), path.keystr_simple("/")));
        }
        Ok(())
    };
    dict(
        &[
            0.1,
            1.0,
            -0.0,
            1e16,
            1e22,
            123_456_789_012_345_680.0,
            5e-324,
            1e-5,
            0.0001,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
            1.0 / 3.0,
        ]
        .map(Value::Float),
        report,
    )?;
    dict(&[0.1, 16_777_216.0, 1e-45, f32::MAX, 3.4e38].map(Value::Float32), report)?;
    dict(&["", "it's", "\"\n\\", "é\u{200b}", "日本", "\u{1F600}\u{7f}"].map(Value::Str), report)?;
    dict(&[i64::MIN, -1, 0, i64::MAX].map(Value::Int), report)?;
    dict(&[Value::Bytes(b"\xff'\0"), Value::None, Value::Bool(true), Value::Opaque("<o>")], report)
}
