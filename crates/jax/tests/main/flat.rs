//! Writes FlatBuffers from front to back, valid or invalid as a test needs.

/// The bytes that are written. Positions are offsets into them.
#[derive(Default)]
pub(crate) struct Flat(pub(crate) Vec<u8>);

/// A table: its offset and the offsets of its fields, in the order in which they were requested.
pub(crate) struct Placed {
    pub(crate) at: usize,
    pub(crate) fields: Vec<usize>,
}

impl Flat {
    /// Begins with a root table with these fields: numbers in the schema, and sizes in bytes.
    pub(crate) fn root(fields: &[(usize, usize)]) -> (Self, Placed) {
        let mut flat = Self(vec![0; 4]);
        let root = flat.table_at(0, fields);
        (flat, root)
    }

    /// Adds a table with these fields: their number in the schema and their size.
    pub(crate) fn table(&mut self, fields: &[(usize, usize)]) -> Placed {
        let slots = fields.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
        let size = 4 + fields.iter().map(|(_, size)| size).sum::<usize>();
        let vtable = self.0.len();
        self.0.extend(u16::try_from(4 + 2 * slots).unwrap().to_le_bytes());
        self.0.extend(u16::try_from(size).unwrap().to_le_bytes());
        let (mut offsets, mut places, mut offset) = (vec![0u16; slots], Vec::new(), 4);
        let at = vtable + 4 + 2 * slots;
        for (number, size) in fields {
            offsets[*number] = u16::try_from(offset).unwrap();
            places.push(at + offset);
            offset += size;
        }
        self.0.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        self.0.extend(i32::try_from(at - vtable).unwrap().to_le_bytes());
        self.0.resize(at + size, 0);
        Placed { at, fields: places }
    }

    /// Adds a table, and points the offset at `from` to it.
    pub(crate) fn table_at(&mut self, from: usize, fields: &[(usize, usize)]) -> Placed {
        let placed = self.table(fields);
        self.point(from, placed.at);
        placed
    }

    /// Points the offset at `from` to `to`.
    pub(crate) fn point(&mut self, from: usize, to: usize) {
        self.write(from, &u32::try_from(to - from).unwrap().to_le_bytes());
    }

    /// Overwrites bytes.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Adds a vector of zeros, points the offset at `from` to it, and returns the offsets of its elements.
    pub(crate) fn vector_at(&mut self, from: usize, count: usize, width: usize) -> Vec<usize> {
        self.point(from, self.0.len());
        self.0.extend(u32::try_from(count).unwrap().to_le_bytes());
        let first = self.0.len();
        self.0.resize(first + count * width, 0);
        (0..count).map(|i| first + i * width).collect()
    }

    /// Adds a string, and points the offset at `from` to it.
    pub(crate) fn string_at(&mut self, from: usize, text: impl AsRef<[u8]>) {
        let places = self.vector_at(from, text.as_ref().len(), 1);
        if let Some(first) = places.first() {
            self.write(*first, text.as_ref());
        }
        self.0.push(0);
    }
}
