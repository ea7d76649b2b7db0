//! Converts literals in meta fields to constant values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

/// Returns the `Value` of a literal, the same as from `ToValue`. Returns `None` for an expression that is no literal,
/// or a literal that does not fit its type: these go through `ToValue`, which gives the compiler's own errors.
///
/// Strings are only written and compared here, since `&str` cannot be read back.
pub(crate) fn value(expr: &Expr) -> Option<TokenStream> {
    let (negative, literal) = match inside(expr) {
        Expr::Lit(ExprLit { lit, .. }) => (false, lit),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match inside(expr) {
            Expr::Lit(ExprLit { lit, .. }) => (true, lit),
            _ => return None,
        },
        _ => return None,
    };
    let value = match literal {
        Lit::Int(literal) => number(negative, literal.base10_digits(), literal.suffix())?,
        Lit::Float(literal) if literal.suffix().is_empty() => {
            number(negative, literal.base10_digits(), "f64")?
        }
        Lit::Float(literal) => number(negative, literal.base10_digits(), literal.suffix())?,
        _ if negative => return None,
        Lit::Byte(literal) => {
            let int = i64::from(literal.value());
            quote!(Int(#int))
        }
        Lit::Bool(literal) => quote!(Bool(#literal)),
        Lit::Char(literal) => {
            let text = literal.value().to_string();
            quote!(Str(#text))
        }
        Lit::Str(literal) => quote!(Str(#literal)),
        _ => return None,
    };
    Some(quote!(d__::Value::#value))
}

/// Returns the expression in parentheses, or in the group around an argument of a macro.
fn inside(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Group(group) => &group.expr,
            Expr::Paren(paren) => &paren.expr,
            _ => return expr,
        };
    }
}

/// Parses a number that fits its type. `isize` and `usize` must fit 32 bits, as on the smallest machines.
fn number(negative: bool, digits: &str, suffix: &str) -> Option<TokenStream> {
    let digits = format!("{}{digits}", if negative { "-" } else { "" });
    let int: i64 = match suffix {
        "" | "i32" | "isize" => digits.parse::<i32>().ok()?.into(),
        "i8" => digits.parse::<i8>().ok()?.into(),
        "i16" => digits.parse::<i16>().ok()?.into(),
        "u8" => digits.parse::<u8>().ok()?.into(),
        "u16" => digits.parse::<u16>().ok()?.into(),
        "u32" | "usize" => digits.parse::<u32>().ok()?.into(),
        "u64" | "u128" => digits.parse::<u64>().ok()?.try_into().ok()?,
        "i64" | "i128" => digits.parse().ok()?,
        "f32" => {
            let float = digits.parse::<f32>().ok().filter(|float| float.is_finite())?;
            return Some(quote!(Float32(#float)));
        }
        "f64" => {
            let float = digits.parse::<f64>().ok().filter(|float| float.is_finite())?;
            return Some(quote!(Float(#float)));
        }
        _ => return None,
    };
    Some(quote!(Int(#int)))
}
