//! Implements `Debug`, in which strings are printed as Python prints them: core's formatter of strings can panic.
//!
//! A `Debug` text is one line, with and without `#`.

use core::fmt::{self, Debug, Display, Formatter};

use crate::base::python;

/// A number with its noun in the singular or plural: `1 child`, `2 children`.
pub(crate) struct Counted<T>(pub(crate) T, pub(crate) &'static str, pub(crate) &'static str);

/// `count` children.
pub(crate) const fn children<T>(count: T) -> Counted<T> {
    Counted(count, " child", " children")
}

impl<T: Display + PartialEq + From<bool>> Display for Counted<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let noun = if self.0 == T::from(true) { self.1 } else { self.2 };
        write!(f, "{}{noun}", self.0)
    }
}

/// Shows a string.
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl Debug for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        python::string(f, self.0)
    }
}

/// Shows what is displayed.
pub(crate) struct Shown<'a>(pub(crate) &'a dyn Display);

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Shows strings.
pub(crate) struct Texts<'a>(pub(crate) &'a [&'a str]);

impl Debug for Texts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self.0.iter().map(|text| Text(text)))
    }
}

/// Shows values, each with its name.
pub(crate) struct Named<'a, T>(pub(crate) &'a [(&'a str, T)]);

impl<T: Debug> Debug for Named<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self.0.iter().map(|(name, value)| (Text(name), value)))
    }
}

/// Writes items, with a text between two.
pub(crate) fn separated<T>(
    f: &mut Formatter<'_>,
    between: &str,
    items: impl IntoIterator<Item = T>,
    put: impl Fn(&mut Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    let mut before = "";
    for item in items {
        f.write_str(before)?;
        put(f, item)?;
        before = between;
    }
    Ok(())
}

/// Writes `[item, item]`, each in the format that is asked for, such as `{:.2?}`.
pub(crate) fn list<T: Debug>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    f.write_str("[")?;
    separated(f, ", ", items, |f, item| item.fmt(f))?;
    f.write_str("]")
}

/// Writes `name { field: value }`; the name alone where there are no fields.
pub(crate) fn record(
    f: &mut Formatter<'_>,
    name: &str,
    fields: &[(&str, &dyn Debug)],
) -> fmt::Result {
    if fields.is_empty() {
        return f.write_str(name);
    }
    write!(f, "{name} {{ ")?;
    separated(f, ", ", fields, |f, (field, value)| write!(f, "{field}: {value:?}"))?;
    f.write_str(" }")
}

/// Writes `name(value, value)`.
pub(crate) fn tuple(f: &mut Formatter<'_>, name: &str, values: &[&dyn Debug]) -> fmt::Result {
    write!(f, "{name}(")?;
    separated(f, ", ", values, |f, value| write!(f, "{value:?}"))?;
    f.write_str(")")
}

/// Implements `Debug` by what `Display` writes, in a format.
macro_rules! debug_as_text {
    ($(#[$doc:meta])* $type:ty, $format:literal) => {
        $(#[$doc])*
        impl ::core::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, $format, self)
            }
        }
    };
}
pub(crate) use debug_as_text;

/// Implements `Debug` of a struct: its name and the named fields. `name as Text` shows a field through a type of this file;
/// `|own| { name: value }` shows values that are no fields.
macro_rules! debug_struct {
    ([$($generics:tt)*] $name:ident $(<$($arg:tt),+>)? { $($field:ident $(as $shown:ident)?),* }) => {
        $crate::base::show::debug_struct!([$($generics)*] $name $(<$($arg),+>)? |own| {
            $($field: $($crate::base::show::$shown)?(own.$field)),*
        });
    };
    ([$($generics:tt)*] $name:ident $(<$($arg:tt),+>)? |$own:ident| { $($field:ident: $value:expr),* }) => {
        impl<$($generics)*> ::core::fmt::Debug for $name $(<$($arg),+>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #[allow(unused_variables)]
                let $own = self;
                let fields = [$((stringify!($field), &$value as &dyn ::core::fmt::Debug)),*];
                $crate::base::show::record(f, stringify!($name), &fields)
            }
        }
    };
}
pub(crate) use debug_struct;

/// Implements `Debug` of an enum as `#[derive(Debug)]` does; `as` is that of [`debug_struct`].
macro_rules! debug_enum {
    ($name:ident $(<$($arg:lifetime),+>)? {
        $($variant:ident $(($($item:ident $(as $shown:ident)?),+))? $({
            $($field:ident $(as $text:ident)?),+
        })?),* $(,)?
    }) => {
        impl ::core::fmt::Debug for $name $(<$($arg),+>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        $(return $crate::base::show::tuple(
                            f,
                            stringify!($variant),
                            &[$(&$($crate::base::show::$shown)?($item)),+],
                        );)?
                        #[allow(unreachable_code)]
                        $crate::base::show::record(f, stringify!($variant), &[
                            $($((stringify!($field), &$($crate::base::show::$text)?($field))),+)?
                        ])
                    })*
                }
            }
        }
    };
}
pub(crate) use debug_enum;

/// Implements `Debug` of an error, and `sentence`, which writes what is wrong.
macro_rules! sentences {
    ($name:ident {
        $($variant:ident $(($item:ident))? $({ $($field:ident),+ })?:
            $text:literal $(, $noun:ident = $words:expr)?;)*
    }) => {
        $crate::base::show::debug_enum!($name { $($variant $(($item))? $({ $($field),+ })?),* });

        impl $name {
            fn sentence(self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$variant $(($item))? $({ $($field),+ })? => {
                        write!(f, $text $(, $noun = $words)?)
                    })*
                }
            }
        }
    };
}
pub(crate) use sentences;
