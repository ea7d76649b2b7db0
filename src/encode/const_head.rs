//! Encodes heads of structs at compile time.

use crate::encode::writer::Writer;

/// The number of bytes of the head of a struct without meta fields.
#[must_use]
pub const fn struct_head_len(name: &str, fields: &[&str]) -> usize {
    let mut out = Writer::count();
    _ = out.begin_struct(name, fields);
    out.len()
}

/// The encoded head of a struct without meta fields, whose [`struct_head_len`] is `N`.
#[must_use]
pub const fn struct_head<const N: usize>(name: &str, fields: &[&str]) -> [u8; N] {
    let mut bytes = [0; N];
    _ = Writer::new(&mut bytes).begin_struct(name, fields);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{struct_head, struct_head_len};
    use crate::format::heading::{self, head_into};

    #[test]
    fn a_head_is_the_one_that_is_written_at_run_time() {
        const NAMES: [&str; 40] = ["field"; 40];
        macro_rules! check {
            ($($fields:expr),*) => {$({
                const FIELDS: &[&str] = $fields;
                const HEAD: [u8; struct_head_len("a::Name", FIELDS)] =
                    struct_head("a::Name", FIELDS);
                let mut bytes = [0; 512];
                let spec = heading::Struct { name: "a::Name", fields: FIELDS, meta: &[] };
                assert_eq!(head_into(&spec, &mut bytes).unwrap().as_bytes(), HEAD);
            })*};
        }
        check!(
            &[],
            &["x"],
            NAMES.first_chunk::<30>().unwrap(),
            NAMES.first_chunk::<31>().unwrap(),
            &NAMES
        );
    }
}
