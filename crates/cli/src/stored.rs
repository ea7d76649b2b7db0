//! Reads the parts of records: leaves by the names of their types, numbers, and values of keys and meta fields.

/// What the bytes of a leaf are.
pub(crate) enum Stored {
    Bool,
    Integer {
        is_signed: bool,
        bits: u32,
        is_zero: bool,
        fraction: u32,
    },
    Float(u32),
    Brain,
    Char,
    Duration,
    Ip(usize),
    /// The most bytes.
    Text(Option<usize>),
    /// A leaf type of the program.
    Other,
}

/// Why bytes are no leaf.
pub(crate) enum Fault {
    Ends,
    NoValue(String),
}

impl Stored {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "bool" => return Self::Bool,
            "float16" => return Self::Float(16),
            "float32" => return Self::Float(32),
            "float64" => return Self::Float(64),
            "bfloat16" => return Self::Brain,
            "char" => return Self::Char,
            "Duration" => return Self::Duration,
            "Ipv4Addr" => return Self::Ip(4),
            "Ipv6Addr" => return Self::Ip(16),
            "alloc::string::String" => return Self::Text(None),
            _ => {}
        }
        let inside = |start: &str| name.strip_prefix(start)?.strip_suffix('>');
        if let Some(most) = inside("str<") {
            return Self::Text(most.parse().ok());
        }
        let (integer, is_zero) = match inside("NonZero<") {
            Some(integer) => (integer, false),
            None => (name, true),
        };
        integer_of(integer, is_zero).unwrap_or(Self::Other)
    }

    pub(crate) fn read(&self, rest: &mut &[u8]) -> Result<String, Fault> {
        let no = |what: String| Fault::NoValue(what);
        Ok(match *self {
            Self::Bool => match byte(rest)? {
                0 => "false".into(),
                1 => "true".into(),
                other => return Err(no(format!("the byte {other:02X}"))),
            },
            Self::Integer { is_signed, bits, is_zero, fraction } => {
                let stored = match bits {
                    8 => u128::from(byte(rest)?),
                    _ => wide(rest, bits.max(32))?,
                };
                if bits < 128 && stored >> bits != 0 {
                    return Err(no(format!("{stored} has more than {bits} bits")));
                }
                if stored == 0 && !is_zero {
                    return Err(no("zero".into()));
                }
                let (is_negative, size) = match (is_signed, bits) {
                    (false, _) => (false, stored),
                    (true, 8) if stored > 127 => (true, 256 - stored),
                    (true, 8) => (false, stored),
                    // The zigzag of -2^127 has all bits.
                    (true, _) => (stored & 1 == 1, (stored >> 1) + (stored & 1)),
                };
                let sign = if is_negative { "-" } else { "" };
                match fraction {
                    0 => format!("{sign}{size}"),
                    _ => format!("{sign}{}", size as f64 / 2f64.powi(fraction as i32)),
                }
            }
            Self::Float(16) => f16(u16::from_le_bytes(chunk(rest)?)).to_string(),
            Self::Float(32) => format!("{:?}", f32::from_le_bytes(chunk(rest)?)),
            Self::Float(_) => format!("{:?}", f64::from_le_bytes(chunk(rest)?)),
            Self::Brain => {
                let [low, high] = chunk(rest)?;
                f32::from_le_bytes([0, 0, low, high]).to_string()
            }
            Self::Char => {
                let code = wide(rest, 32)?;
                let found = u32::try_from(code).ok().and_then(char::from_u32);
                format!("{:?}", found.ok_or_else(|| no(format!("code point {code:X}")))?)
            }
            Self::Duration => {
                let (seconds, nanos) = (wide(rest, 64)?, wide(rest, 32)?);
                if nanos >= 1_000_000_000 {
                    return Err(no(format!("{seconds} s and {nanos} ns")));
                }
                let fraction = format!("{nanos:09}");
                let fraction = fraction.trim_end_matches('0');
                if fraction.is_empty() {
                    format!("{seconds} s")
                } else {
                    format!("{seconds}.{fraction} s")
                }
            }
            Self::Ip(4) => std::net::Ipv4Addr::from(chunk::<4>(rest)?).to_string(),
            Self::Ip(_) => std::net::Ipv6Addr::from(chunk::<16>(rest)?).to_string(),
            Self::Text(most) => {
                let bytes = run(rest)?;
                if let Some(most) = most.filter(|most| bytes.len() > *most) {
                    return Err(no(format!("{} bytes, with room for {most}", bytes.len())));
                }
                str::from_utf8(bytes).map_err(|error| no(error.to_string()))?.into()
            }
            Self::Other => {
                let bytes: Vec<_> = run(rest)?.iter().map(|byte| format!("{byte:02X}")).collect();
                format!("[{}]", bytes.join(" "))
            }
        })
    }
}

/// The integer or fixed-point number with this name: `uint8`, `i128`, `usize`, `FixedI16<U4>`.
fn integer_of(name: &str, is_zero: bool) -> Option<Stored> {
    let prefixes = [
        ("FixedU", false),
        ("FixedI", true),
        ("uint", false),
        ("int", true),
        ("u", false),
        ("i", true),
    ];
    let (rest, is_signed) = prefixes
        .iter()
        .find_map(|(prefix, is_signed)| Some((name.strip_prefix(prefix)?, *is_signed)))?;
    let (bits, fraction) = match rest.split_once('<') {
        Some((bits, scale)) => (bits, scale.strip_prefix('U')?.strip_suffix('>')?.parse().ok()?),
        None => (rest, 0),
    };
    let bits = match bits {
        "size" => 64,
        "8" | "16" | "32" | "64" | "128" => bits.parse().ok()?,
        _ => return None,
    };
    Some(Stored::Integer { is_signed, bits, is_zero, fraction })
}

/// The value of a float of 16 bits.
fn f16(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Reads a number of seven bits a byte, the lowest first.
pub(crate) fn number(rest: &mut &[u8]) -> Option<u64> {
    u64::try_from(wide(rest, 64).ok()?).ok()
}

/// Reads a number of at most this many bits, which has no more bytes than a program takes for one.
fn wide(rest: &mut &[u8], bits: u32) -> Result<u128, Fault> {
    let (mut number, mut shift) = (0u128, 0u32);
    loop {
        let byte = byte(rest)?;
        let part = u128::from(byte & 127);
        let shifted = if shift < bits { part << shift } else { u128::MAX };
        if shifted.unbounded_shr(bits) != 0 || shifted >> shift.min(127) != part {
            return Err(Fault::NoValue(format!("a number of more than {bits} bits")));
        }
        number |= shifted;
        if byte < 128 {
            return Ok(number);
        }
        shift += 7;
    }
}

fn byte(rest: &mut &[u8]) -> Result<u8, Fault> {
    rest.split_off_first().copied().ok_or(Fault::Ends)
}

fn chunk<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Fault> {
    let (first, after) = rest.split_first_chunk().ok_or(Fault::Ends)?;
    *rest = after;
    Ok(*first)
}

/// Reads a length and that many bytes.
fn run<'r>(rest: &mut &'r [u8]) -> Result<&'r [u8], Fault> {
    let len = usize::try_from(wide(rest, 32)?).map_err(|_| Fault::Ends)?;
    rest.split_off(..len).ok_or(Fault::Ends)
}

/// Steps over a value, as it is in a treedef.
pub(crate) fn skip_value(rest: &mut &[u8], levels: usize) -> Option<()> {
    let bytes = match rest.split_off_first()? {
        0..=2 => 0,
        3 => {
            varint(rest)?;
            0
        }
        4 => {
            rest.split_off_first()?;
            varint(rest)?
        }
        5 => 8,
        0x0A => 4,
        6 | 7 | 9 => varint(rest)?,
        8 if levels < treedef::format::MAX_VALUE_DEPTH => {
            let count = varint(rest)?;
            for _ in 0..count {
                skip_value(rest, levels + 1)?;
            }
            0
        }
        _ => return None,
    };
    rest.split_off(..usize::try_from(bytes).ok()?).map(drop)
}

/// Reads a number of a treedef, of which each has one form.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0u64, 0u32);
    loop {
        let byte = *rest.split_off_first()?;
        let part = u64::from(byte & 127) + u64::from(shift > 0);
        number = number.checked_add(part.checked_mul(1u64.checked_shl(shift)?)?)?;
        if byte < 128 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::f16;

    #[test]
    fn floats_of_16_bits_have_their_values() {
        assert_eq!([0x3C00, 0xC100, 0x7BFF].map(f16), [1.0, -2.5, 65504.0]);
        assert_eq!([0x0001, 0x03FF].map(f16), [5.960_464_5e-8, 6.097_555e-5]);
        assert!(f16(0xFC00) == f32::NEG_INFINITY && f16(0x7E00).is_nan());
    }
}
