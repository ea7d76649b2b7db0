//! Generic parameters in the structure: what a type's own parameters say that its fields do not.
//!
//! A const parameter is a meta field of its name, unless it is the length of an array. A type parameter in
//! [`PhantomData`](core::marker::PhantomData) alone has no value to write, so it has to be declared.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Expr, Generics, Path, Result, Type, parse_quote};

use crate::attributes::{Container, Role};
use crate::input::{Field, Variant};
use crate::types::{as_param, is_phantom, names};

/// Adds the const parameters that the fields do not show to the meta fields, and asks for the type parameters that
/// nothing shows.
pub(crate) fn declare(
    generics: &Generics,
    container: &mut Container,
    variants: &[Variant],
) -> Result<()> {
    let consts: Vec<_> = generics.const_params().map(|param| &param.ident).collect();
    let types: Vec<_> = generics.type_params().map(|param| &param.ident).collect();
    for skipped in &container.skipped {
        if !consts.contains(&skipped) && !types.contains(&skipped) {
            let message =
                format!("`{skipped}` is no type parameter or const parameter of this type");
            return Err(Error::new(skipped.span(), message));
        }
    }
    let is_declared = |param: &Ident, container: &Container| {
        container.skipped.contains(param)
            || container.metas.iter().any(|(_, expr)| names(expr.to_token_stream(), param))
    };
    for param in consts {
        let is_length = |variant: &Variant| {
            variant.fields.iter().any(|field| {
                matches!(field.role, Role::Tree | Role::Meta) && has_length(&field.ty, param)
            })
        };
        if !is_declared(param, container) && !variants.iter().all(is_length) {
            container.metas.push((param.clone(), parse_quote!(#param)));
        }
    }
    let fields = || variants.iter().flat_map(|variant| &variant.fields);
    for param in types.into_iter().filter(|param| !is_declared(param, container)) {
        let of =
            |field: &&Field| field.role != Role::Skip && names(field.ty.to_token_stream(), param);
        if let Some(field) = fields().find(of)
            && fields().filter(of).all(|field| is_phantom(&field.ty))
        {
            let message = format!(
                "`{param}` is in `PhantomData` alone, so types with another `{param}` would have one structure: say what \
                 differs by `#[tree(meta(name = ..))]` on the type, or that nothing does by `#[tree(skip({param}))]`"
            );
            return Err(Error::new_spanned(&field.ty, message));
        }
    }
    Ok(())
}

/// Whether a type is an array with this length, or a tuple or an array of such.
fn has_length(ty: &Type, param: &Ident) -> bool {
    match ty {
        Type::Array(array) => is_param(&array.len, param) || has_length(&array.elem, param),
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| has_length(ty, param)),
        Type::Paren(inner) => has_length(&inner.elem, param),
        Type::Group(inner) => has_length(&inner.elem, param),
        _ => false,
    }
}

fn is_param(expr: &Expr, param: &Ident) -> bool {
    matches!(expr, Expr::Path(path) if path.qself.is_none() && path.path.is_ident(param))
}

/// The `Value` of a const parameter, also in `const`; `None` for another expression, and for types of which no value is
/// made in `const`.
pub(crate) fn value(krate: &Path, generics: &Generics, expr: &Expr) -> Option<TokenStream> {
    let param = generics.const_params().find(|param| is_param(expr, &param.ident))?;
    let (name, ty) = (&param.ident, as_param(&param.ty)?);
    let types = ["bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    types
        .iter()
        .any(|known| ty == known)
        .then(|| quote!(#krate::__private::derive_support::value_of::#ty(#name)))
}
