//! Python values as dictionary keys and metadata: their order, their equality and their bytes.

use super::wire::{Reader, put_bytes, put_str, put_varint, put_zigzag};
use std::cmp::Ordering;

/// A dictionary key or a piece of metadata.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`.
    None,
    /// `bool`.
    Bool(bool),
    /// An `int` of 64 bits.
    Int(i64),
    /// Any other `int`: the magnitude little end first, without a zero at the end.
    Big { negative: bool, magnitude: Vec<u8> },
    /// `float`.
    F64(f64),
    /// `str`.
    Str(String),
    /// `bytes`.
    Bytes(Vec<u8>),
    /// `tuple`.
    Tuple(Vec<Value>),
    /// A value known only by its text; equal to another if the texts agree.
    Opaque(String),
    /// A float of 32 bits, as meta fields of Rust types may hold.
    F32(f32),
}

/// Same type and same content; floats by their bits.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

impl Value {
    /// An integer in decimal, of any size.
    pub fn integer(decimal: &str) -> Result<Self, String> {
        if let Ok(small) = decimal.parse() {
            return Ok(Self::Int(small));
        }
        let (negative, digits) = decimal.strip_prefix('-').map_or((false, decimal), |d| (true, d));
        let mut magnitude: Vec<u8> = Vec::new();
        for digit in digits.chars() {
            let mut carry = digit.to_digit(10).ok_or_else(|| format!("no integer: {decimal}"))?;
            for byte in &mut magnitude {
                carry += u32::from(*byte) * 10;
                *byte = carry as u8;
                carry >>= 8;
            }
            if carry > 0 {
                magnitude.push(carry as u8);
            }
        }
        Ok(Self::Big { negative, magnitude })
    }

    /// How Python orders the two; none where `<` raises, and where a NaN decides.
    pub fn python_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::None, Self::None) => Some(Ordering::Equal),
            (Self::Str(a), Self::Str(b)) => Some(a.cmp(b)),
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Bytes(a), Self::Bytes(b)) => Some(a.cmp(b)),
            (Self::Opaque(a), Self::Opaque(b)) => (a == b).then_some(Ordering::Equal),
            (Self::Tuple(a), Self::Tuple(b)) => {
                let mut pairs = a.iter().zip(b).map(|(x, y)| x.python_cmp(y));
                pairs.find(|&o| o != Some(Ordering::Equal)).unwrap_or(Some(a.len().cmp(&b.len())))
            }
            _ => Some(self.exact()?.cmp(&other.exact()?)),
        }
    }

    /// Whether Python takes the two for the same key: identical, or equal in value whatever the types.
    pub fn python_eq(&self, other: &Self) -> bool {
        if let (Self::Tuple(a), Self::Tuple(b)) = (self, other) {
            return a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.python_eq(y));
        }
        self == other || self.python_cmp(other) == Some(Ordering::Equal)
    }

    /// Whether Python has one type for both.
    pub fn same_type(&self, other: &Self) -> bool {
        let is_int = |v: &Self| matches!(v, Self::Int(_) | Self::Big { .. });
        std::mem::discriminant(self) == std::mem::discriminant(other)
            || is_int(self) && is_int(other)
    }

    /// The exact value of a number; none for what is no number and for NaN.
    fn exact(&self) -> Option<Exact> {
        match self {
            Self::Bool(b) => Some(Exact::integer(false, &[u8::from(*b)])),
            Self::Int(i) => Some(Exact::integer(*i < 0, &i.unsigned_abs().to_le_bytes())),
            Self::Big { negative, magnitude } => Some(Exact::integer(*negative, magnitude)),
            Self::F64(f) => Exact::float(*f),
            Self::F32(f) => Exact::float((*f).into()),
            _ => None,
        }
    }

    /// Appends the value.
    pub fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::None => out.push(0),
            Self::Bool(b) => out.push(1 + u8::from(*b)),
            Self::Int(i) => {
                out.push(3);
                put_zigzag(out, *i);
            }
            Self::Big { negative, magnitude } => {
                out.extend([4, u8::from(*negative)]);
                put_bytes(out, magnitude);
            }
            Self::F64(f) => {
                out.push(5);
                out.extend(f.to_bits().to_le_bytes());
            }
            Self::Str(text) => {
                out.push(6);
                put_str(out, text);
            }
            Self::Bytes(bytes) => {
                out.push(7);
                put_bytes(out, bytes);
            }
            Self::Tuple(items) => {
                out.push(8);
                put_varint(out, items.len() as u64);
                items.iter().for_each(|item| item.put(out));
            }
            Self::Opaque(text) => {
                out.push(9);
                put_str(out, text);
            }
            Self::F32(f) => {
                out.push(10);
                out.extend(f.to_bits().to_le_bytes());
            }
        }
    }

    /// The bytes of the value alone.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// Reads a value.
    pub fn read(from: &mut Reader) -> Result<Self, String> {
        Ok(match from.byte()? {
            0 => Self::None,
            1 => Self::Bool(false),
            2 => Self::Bool(true),
            3 => Self::Int(from.zigzag()?),
            4 => Self::read_big(from)?,
            5 => Self::F64(f64::from_le_bytes(from.take(8)?.try_into().unwrap())),
            6 => Self::Str(from.string()?),
            7 => Self::Bytes(from.bytes()?.to_vec()),
            8 => {
                let n = from.count()?;
                Self::Tuple((0..n).map(|_| Self::read(from)).collect::<Result<_, _>>()?)
            }
            9 => Self::Opaque(from.string()?),
            10 => Self::F32(f32::from_le_bytes(from.take(4)?.try_into().unwrap())),
            tag => return Err(format!("no value has the tag {tag}")),
        })
    }

    /// Reads an integer of more than 64 bits.
    fn read_big(from: &mut Reader) -> Result<Self, String> {
        let negative = match from.byte()? {
            0 => false,
            1 => true,
            sign => return Err(format!("no sign is {sign}")),
        };
        let magnitude = from.bytes()?.to_vec();
        if magnitude.last() == Some(&0) {
            return Err("a magnitude that ends in zero".into());
        }
        // From 2^63 upwards, and below -2^63: the one eight-byte magnitude of a negative i64 is 2^63 itself.
        let least = if negative { (1u128 << 63) + 1 } else { 1u128 << 63 };
        let mut low = [0; 16];
        low.iter_mut().zip(&magnitude).for_each(|(to, byte)| *to = *byte);
        if magnitude.len() <= 8 && u128::from_le_bytes(low) < least {
            return Err("a big integer that fits 64 bits".into());
        }
        Ok(Self::Big { negative, magnitude })
    }
}

/// Sorts entries as Python sorts the keys of a dict; two keys that cannot stand in one dict are the error.
///
/// An insertion sort: it has compared all final neighbours, so nothing unordered slips through.
pub fn sort_keys<T>(items: Vec<(Value, T)>) -> Result<Vec<(Value, T)>, (Value, Value)> {
    let mut sorted: Vec<(Value, T)> = Vec::with_capacity(items.len());
    for (key, item) in items {
        let mut at = sorted.len();
        while at > 0 {
            let before = &sorted[at - 1].0;
            match before.python_cmp(&key) {
                Some(Ordering::Less) => break,
                Some(Ordering::Greater) => at -= 1,
                Some(Ordering::Equal) | None => return Err((before.clone(), key)),
            }
        }
        sorted.insert(at, (key, item));
    }
    Ok(sorted)
}

/// A number without loss, in the order of the variants.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Exact {
    MinusInfinity,
    /// Below zero: the magnitude, larger first.
    Negative(std::cmp::Reverse<Natural>),
    /// Zero and above.
    Natural(Natural),
    Infinity,
}

/// A natural number in units of 2^-1074, the smallest float: its bytes little end first, without a zero at the end.
#[derive(PartialEq, Eq)]
struct Natural(Vec<u8>);

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl Exact {
    /// An integer of any size.
    fn integer(negative: bool, magnitude: &[u8]) -> Self {
        Self::shifted(negative, magnitude, 1074)
    }

    /// A float: its mantissa, shifted by its exponent.
    fn float(f: f64) -> Option<Self> {
        if f.is_nan() {
            return None;
        }
        if f.is_infinite() {
            return Some(if f > 0.0 { Self::Infinity } else { Self::MinusInfinity });
        }
        let exponent = (f.to_bits() >> 52) as usize & 0x7ff;
        let fraction = f.to_bits() & ((1 << 52) - 1);
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        Some(Self::shifted(f < 0.0, &mantissa.to_le_bytes(), exponent.saturating_sub(1)))
    }

    /// `magnitude * 2^shift` smallest units.
    fn shifted(negative: bool, magnitude: &[u8], shift: usize) -> Self {
        let mut bytes = vec![0; shift / 8];
        let mut carry = 0u16;
        for byte in magnitude {
            carry |= u16::from(*byte) << (shift % 8);
            bytes.push(carry as u8);
            carry >>= 8;
        }
        bytes.push(carry as u8);
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        let magnitude = Natural(bytes);
        if negative {
            Self::Negative(std::cmp::Reverse(magnitude))
        } else {
            Self::Natural(magnitude)
        }
    }
}
