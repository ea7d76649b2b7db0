//! Generates texts and values, for keys, names and meta fields.

use proptest::char::range;
use proptest::collection::vec as many;
use proptest::prelude::*;
use treedef::format::{BigInt, ValueTuple};
use treedef::head::{self, head_into, head_len};
use treedef::{TreeDef, Value};

/// A [`Value`] that owns its bytes: those of the treedef of a struct that has nothing but this value, as its meta field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Datum(Vec<u8>);

impl Datum {
    /// Encodes a value.
    pub(crate) fn of(value: Value<'_>) -> Self {
        let holder = head::Struct { name: "", fields: &[], meta: &[("", value)] };
        let mut bytes = vec![0; head_len(&holder)];
        head_into(&holder, &mut bytes).expect("the values are not nested too deep");
        Self(bytes)
    }

    /// Encodes a tuple of values.
    pub(crate) fn tuple(elements: impl AsRef<[Self]>) -> Self {
        let elements: Vec<_> = elements.as_ref().iter().map(Self::value).collect();
        Self::of(Value::Tuple(ValueTuple::new(&elements)))
    }

    /// Reads the value.
    pub(crate) fn value(&self) -> Value<'_> {
        let holder = TreeDef::from_bytes(&self.0).expect("written as a treedef");
        let (_, value) = holder.head().meta_fields().next().expect("written with a value");
        value
    }

    /// Simpler values to try when a failure shrinks: a text, a shorter text, a smaller number.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let integers = |i: i64| {
            let smaller = [0, i / 2, i.saturating_sub(i.signum())];
            smaller.into_iter().filter(move |j| *j != i).map(|j| Self::of(Value::Int(j)))
        };
        match self.value() {
            Value::Str(text) => {
                shorter(text).iter().map(|text| Self::of(Value::Str(text))).collect()
            }
            Value::Int(i) => std::iter::once(Self::of(Value::Str(""))).chain(integers(i)).collect(),
            _ => vec![Self::of(Value::Str("")), Self::of(Value::Int(0))],
        }
    }
}

/// Shorter texts, then a text of plain letters.
pub(crate) fn shorter(text: &str) -> Vec<String> {
    let len = text.chars().count();
    let mut lengths = vec![0, len / 2, len.saturating_sub(1)];
    lengths.dedup();
    let cut = lengths.into_iter().filter(|n| *n < len).map(|n| text.chars().take(n).collect());
    let plain = Some("a".repeat(len)).filter(|plain| plain != text);
    cut.chain(plain).collect()
}

/// Texts of a few characters. A few of them are longer than one length byte can encode.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let letters = many(prop_oneof![6 => range('a', 'z'), 1 => any::<char>()], 0..6);
    prop_oneof![
        30 => letters.prop_map(String::from_iter),
        1 => (range('a', 'z'), 128usize..300).prop_map(|(c, len)| c.to_string().repeat(len)),
    ]
}

/// Values of every tag.
pub(crate) fn data() -> impl Strategy<Value = Datum> {
    let flat = prop_oneof![
        1 => Just(Datum::of(Value::None)),
        1 => any::<bool>().prop_map(|b| Datum::of(Value::Bool(b))),
        2 => prop_oneof![-3i64..70, any::<i64>()].prop_map(|i| Datum::of(Value::Int(i))),
        1 => (any::<bool>(), many(any::<u8>(), 7..10), 1u8..).prop_map(|(negative, mut low, high)| {
            // At least nine bytes, so that the integer does not fit 64 bits.
            low.resize(low.len().max(8), 0);
            low.push(high);
            Datum::of(BigInt::new(negative, &low).map_or(Value::None, Value::BigInt))
        }),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1.5), any::<f64>()]
            .prop_map(|f| Datum::of(Value::Float(f))),
        1 => any::<f32>().prop_map(|f| Datum::of(Value::Float32(f))),
        4 => texts().prop_map(|text| Datum::of(Value::Str(&text))),
        1 => many(any::<u8>(), 0..4).prop_map(|bytes| Datum::of(Value::Bytes(&bytes))),
        1 => texts().prop_map(|text| Datum::of(Value::Opaque(&text))),
    ]
    .boxed();
    let pairs = many(flat.clone(), 0..3).prop_map(Datum::tuple);
    let nested = many(pairs.clone(), 0..3).prop_map(Datum::tuple);
    prop_oneof![12 => flat, 2 => pairs, 1 => nested]
}
