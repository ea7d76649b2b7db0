//! Writes, at compile time, why a type has no constant treedef.
//!
//! The walk goes from the shape of the type to the first child that is not constant, as deep as that is inside. For
//! `struct Robot { name: f32, axes: [Axis; 2] }` and `struct Axis { limit: Option<f32> }` it writes the name, the steps and
//! the reason:
//!
//! ```text
//! `Robot` has no constant treedef: `.axes[0].limit` depends on its value (..): use structure_into, or CallKey::of_tree for a key
//! ```

use crate::encode::shape::Shape;

/// The reason, as text. It is cut off after 512 bytes.
pub(crate) struct WhyNotConst {
    bytes: [u8; 512],
    len: usize,
}

const VARIES: &str = " depends on its value (an enum, `Option`, `Vec`, a map): use structure_into, or CallKey::of_tree for a key";

const META: &str = " is not a constant (a field with `#[tree(meta)]`, or `meta(..)` without a literal): use structure_into, or CallKey::of_tree for a key";

impl WhyNotConst {
    /// The reason for a shape that is not constant or too large.
    pub(crate) const fn of(shape: &Shape) -> Self {
        let mut text = Self { bytes: [0; 512], len: 0 };
        match shape {
            Shape::Struct { name, .. } => {
                text.push("`");
                text.push(name);
                text.push("`");
            }
            _ => text.push("this type"),
        }
        text.push(" has no constant treedef: ");
        if shape.is_const() {
            text.push(
                "it is above MAX_CONST_BYTES: use structure_into, or CallKey::of_tree for a key",
            );
            return text;
        }
        let mut steps = Self { bytes: [0; 512], len: 0 };
        let end = steps.walk(shape);
        let is_meta = matches!(end, Shape::Struct { .. });
        match (steps.len, is_meta) {
            (0, true) => text.push("a meta field"),
            (0, false) => text.push("it"),
            (_, true) => text.push("a meta field of `"),
            (_, false) => text.push("`"),
        }
        if steps.len > 0 {
            text.push(steps.as_str());
            text.push("`");
        }
        text.push(if is_meta { META } else { VARIES });
        text
    }

    /// Writes the steps to the innermost shape that decides that `shape` is not constant, and returns it.
    const fn walk<'s>(&mut self, mut shape: &'s Shape) -> &'s Shape {
        loop {
            let (children, mut fields): (&[&Shape], &[&str]) = match shape {
                Shape::Struct { children, fields, meta: Some(_), .. } => {
                    (children.as_slice(), fields)
                }
                Shape::Tuple(children) => (children.as_slice(), &[]),
                Shape::List(_, of) => {
                    self.push("[0]");
                    shape = of;
                    continue;
                }
                Shape::Leaf(_)
                | Shape::ListOf(_)
                | Shape::Optional(_)
                | Shape::Varies
                | Shape::Struct { meta: None, .. } => return shape,
            };
            let (mut rest, mut index) = (children, 0u8);
            shape = loop {
                let [child, after @ ..] = rest else { return shape };
                if !child.is_const() {
                    break child;
                }
                rest = after;
                index = index.saturating_add(1);
                if let [_, after @ ..] = fields {
                    fields = after;
                }
            };
            match fields {
                [field, ..] => {
                    self.push(".");
                    self.push(field);
                }
                [] => self.push_index(index),
            }
        }
    }

    const fn push(&mut self, text: &str) {
        if let Some((_, rest)) = self.bytes.split_at_mut_checked(self.len)
            && let Some((target, _)) = rest.split_at_mut_checked(text.len())
        {
            target.copy_from_slice(text.as_bytes());
            self.len = self.len.saturating_add(text.len());
        }
    }

    /// Writes the index of an element of a tuple, which has at most 12.
    const fn push_index(&mut self, index: u8) {
        let (tens, ones) = (index.saturating_div(10), index.wrapping_rem(10));
        let digits = [b'0'.saturating_add(tens), b'0'.saturating_add(ones)];
        let (_, one) = digits.split_at(1);
        let digits = if tens > 0 { &digits } else { one };
        self.push("[");
        if let Ok(digits) = core::str::from_utf8(digits) {
            self.push(digits);
        }
        self.push("]");
    }

    pub(crate) const fn as_str(&self) -> &str {
        match self.bytes.split_at_checked(self.len) {
            Some((text, _)) => match core::str::from_utf8(text) {
                Ok(text) => text,
                Err(_) => "",
            },
            None => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::shape::Shapes;

    const AXIS: Shape = Shape::Struct {
        name: "Axis",
        fields: &["gain", "limit"],
        children: Shapes::new(&[&Shape::Leaf(None), &Shape::Varies]),
        meta: Some(&[]),
    };
    const MODE: Shape =
        Shape::Struct { name: "Mode", fields: &[], children: Shapes::new(&[]), meta: None };

    #[track_caller]
    fn check(shape: &Shape, parts: &[&str]) {
        let text = WhyNotConst::of(shape);
        let mut rest = text.as_str();
        for part in parts {
            rest = rest.strip_prefix(part).unwrap_or_else(|| panic!("{}", text.as_str()));
        }
        assert_eq!(rest, "");
    }

    #[test]
    fn the_reason_names_the_type_and_the_place() {
        let robot = |children| Shape::Struct {
            name: "Robot",
            fields: &["name", "part"],
            children: Shapes::new(children),
            meta: Some(&[]),
        };
        let no = "`Robot` has no constant treedef: ";
        check(
            &robot(&[&Shape::Leaf(None), &Shape::List(2, &AXIS)]),
            &[no, "`.part[0].limit`", VARIES],
        );
        check(&robot(&[&Shape::Leaf(None), &MODE]), &[no, "a meta field of `.part`", META]);
        check(&MODE, &["`Mode` has no constant treedef: a meta field", META]);
        check(&Shape::Varies, &["this type has no constant treedef: it", VARIES]);
        const WIDE: [&Shape; 11] = {
            let mut children = [&Shape::Leaf(None); 11];
            children[10] = &Shape::Varies;
            children
        };
        check(
            &Shape::Tuple(Shapes::new(&WIDE)),
            &["this type has no constant treedef: `[10]`", VARIES],
        );
    }
}
