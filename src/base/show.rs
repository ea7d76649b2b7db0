//! Implements `Debug`, and numbers in sentences, without core's formatters of integers, floats and strings, which can
//! panic in some builds.
//!
//! A `Debug` text is one line, with and without `#`.

use core::fmt::{self, Formatter};

use crate::base::python;

/// A value that `Debug` can show.
pub(crate) trait Show {
    /// Writes it.
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

/// Displays a value in a sentence.
pub(crate) struct Shown<T>(pub(crate) T);

impl<T: Show> fmt::Display for Shown<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

/// A number with its noun in the singular or plural: `1 child`, `2 children`.
pub(crate) struct Counted<T>(pub(crate) T, pub(crate) &'static str, pub(crate) &'static str);

/// `count` children.
pub(crate) const fn children<T>(count: T) -> Counted<T> {
    Counted(count, " child", " children")
}

impl<T: Show + PartialEq + From<bool>> fmt::Display for Counted<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(f)?;
        f.write_str(if self.0 == T::from(true) { self.1 } else { self.2 })
    }
}

macro_rules! counts {
    ($($count:ty)*) => {$(
        impl Show for $count {
            fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
                python::natural(f, u64::try_from(*self).unwrap_or(u64::MAX))
            }
        }
    )*};
}
counts!(u8 u16 u32 u64 usize);

impl Show for bool {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if *self { "true" } else { "false" })
    }
}

impl Show for str {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        python::string(f, self)
    }
}

impl<T: Show + ?Sized> Show for &T {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).show(f)
    }
}

impl<T: Show> Show for Option<T> {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Some(value) => tuple(f, "Some", &[value]),
            None => f.write_str("None"),
        }
    }
}

impl<A: Show, B: Show> Show for (A, B) {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        tuple(f, "", &[&self.0, &self.1])
    }
}

impl<T: Show> Show for [T] {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self)
    }
}

impl<T: Show, const N: usize> Show for [T; N] {
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self)
    }
}

/// Writes `[item, item]`.
pub(crate) fn list<T: Show>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut before = "";
    f.write_str("[")?;
    for item in items {
        f.write_str(before)?;
        item.show(f)?;
        before = ", ";
    }
    f.write_str("]")
}

/// Writes `name { field: value }`; the name alone where there are no fields.
pub(crate) fn record(
    f: &mut Formatter<'_>,
    name: &str,
    fields: &[(&str, &dyn Show)],
) -> fmt::Result {
    f.write_str(name)?;
    let mut before = " { ";
    for (field, value) in fields {
        f.write_str(before)?;
        f.write_str(field)?;
        f.write_str(": ")?;
        value.show(f)?;
        before = ", ";
    }
    f.write_str(if fields.is_empty() { "" } else { " }" })
}

/// Writes `name(value)`.
pub(crate) fn tuple(f: &mut Formatter<'_>, name: &str, values: &[&dyn Show]) -> fmt::Result {
    f.write_str(name)?;
    let mut before = "(";
    for value in values {
        f.write_str(before)?;
        value.show(f)?;
        before = ", ";
    }
    f.write_str(")")
}

/// Implements [`Show`] for a type by its `Debug`.
macro_rules! show_by_debug {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> $crate::base::show::Show for $type {
            fn show(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(self, f)
            }
        }
    )*};
}
pub(crate) use show_by_debug;

/// Implements `Debug` of a struct: its name and the named fields.
macro_rules! debug_struct {
    ([$($generics:tt)*] $name:ident $(<$($arg:tt),+>)? { $($field:tt),* }) => {
        impl<$($generics)*> ::core::fmt::Debug for $name $(<$($arg),+>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::base::show::record(f, stringify!($name), &[$((stringify!($field), &self.$field)),*])
            }
        }

        $crate::base::show::show_by_debug!([$($generics)*] $name $(<$($arg),+>)?);
    };
    ([] $name:ident(0)) => {
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::base::show::tuple(f, stringify!($name), &[&self.0])
            }
        }
    };
}
pub(crate) use debug_struct;

/// Implements `Debug` of an enum as `#[derive(Debug)]` does.
macro_rules! debug_enum {
    ($name:ident $(<$arg:lifetime>)? {
        $($variant:ident $(($($item:ident),+))? $({ $($field:ident),+ })?),* $(,)?
    }) => {
        impl ::core::fmt::Debug for $name $(<$arg>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        $(return $crate::base::show::tuple(f, stringify!($variant), &[$($item),+]);)?
                        #[allow(unreachable_code)]
                        $crate::base::show::record(f, stringify!($variant), &[$($((stringify!($field), $field)),+)?])
                    })*
                }
            }
        }

        $crate::base::show::show_by_debug!([] $name $(<$arg>)?);
    };
}
pub(crate) use debug_enum;
