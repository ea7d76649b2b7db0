//! The smallest pieces of the byte format: bijective varints, strings, and a cursor that reads them.

/// Appends `v` as a bijective varint.
pub fn put_varint(out: &mut Vec<u8>, mut v: u64) {
    while v >= 128 {
        out.push(v as u8 | 128);
        v = (v >> 7) - 1;
    }
    out.push(v as u8);
}

/// Appends a signed integer as the varint of its zigzag form: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
pub fn put_zigzag(out: &mut Vec<u8>, v: i64) {
    put_varint(out, if v < 0 { !((v as u64) << 1) } else { (v as u64) << 1 });
}

/// Appends a length and the bytes.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend(bytes);
}

/// Appends a length and the UTF-8 of `text`.
pub fn put_str(out: &mut Vec<u8>, text: &str) {
    put_bytes(out, text.as_bytes());
}

/// The bytes not yet read. A method either reads what it names or says why it cannot.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (head, tail) = self.0.split_at_checked(n).ok_or("the bytes end early")?;
        self.0 = tail;
        Ok(head)
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// A varint of 64 bits: the sum of `((b_i & 127) + (1 if i > 0 else 0)) << 7i`, the last byte below 128.
    pub fn varint(&mut self) -> Result<u64, String> {
        let mut sum = 0u128;
        for i in 0..10 {
            let byte = self.byte()?;
            sum += (u128::from(byte & 127) + u128::from(i > 0)) << (7 * i);
            if byte < 128 {
                return u64::try_from(sum).map_err(|_| "a varint above 64 bits".into());
            }
        }
        Err("a varint of more than 10 bytes".into())
    }

    /// A count or a length: a varint of at most 32 bits.
    pub fn count(&mut self) -> Result<u64, String> {
        let v = self.varint()?;
        if v > u64::from(u32::MAX) { Err("a count above 32 bits".into()) } else { Ok(v) }
    }

    /// A signed integer.
    pub fn zigzag(&mut self) -> Result<i64, String> {
        let v = self.varint()?;
        let half = (v / 2) as i64;
        Ok(if v % 2 == 1 { !half } else { half })
    }

    /// A length and as many bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], String> {
        let n = self.count()?;
        self.take(n as usize)
    }

    /// A length and as many bytes of UTF-8.
    pub fn string(&mut self) -> Result<String, String> {
        String::from_utf8(self.bytes()?.to_vec()).map_err(|_| "a string that is not UTF-8".into())
    }
}
