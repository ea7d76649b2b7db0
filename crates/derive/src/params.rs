//! Adds generic parameters to the structure of a type, if its fields do not show them.
//!
//! A const parameter becomes a meta field with its name, unless the type of a field has it: then the structure of the field shows
//! it, as the length of an array, or does not depend on it, as on the capacity of a vector. A type parameter that is
//! only in [`PhantomData`](core::marker::PhantomData) has no value to write, so the user has to declare it.
//!
//! The names of the generated code end in `__`. Parameters with such names get others, which nobody sees outside of the code.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Data, DeriveInput, Error, Expr, Fields, GenericParam, Generics, Result, Type, parse_quote,
};

use crate::attributes::{Container, Role};
use crate::input::{Field, Input, Variant};
use crate::types::{as_param, is_phantom, names};

/// Reads the type of a derive. Its parameters have other names than the generated code.
pub(crate) fn parse(input: proc_macro::TokenStream) -> Result<DeriveInput> {
    let input: DeriveInput = syn::parse(input)?;
    let name = |param: &GenericParam| match param {
        GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    };
    let mut names: Vec<_> = input.generics.params.iter().map(name).collect();
    names.retain(|name| name.ends_with("__"));
    if names.is_empty() {
        return Ok(input);
    }
    let mut longer: DeriveInput = syn::parse2(longer(input.to_token_stream(), &names))?;
    // What is no parameter keeps its name.
    longer.ident = input.ident;
    match (&mut longer.data, input.data) {
        (Data::Struct(longer), Data::Struct(input)) => keep_names(&mut longer.fields, input.fields),
        (Data::Enum(longer), Data::Enum(input)) => {
            for (longer, input) in longer.variants.iter_mut().zip(input.variants) {
                longer.ident = input.ident;
                keep_names(&mut longer.fields, input.fields);
            }
        }
        _ => {}
    }
    Ok(longer)
}

/// Gives fields the names that they have in `input`.
fn keep_names(fields: &mut Fields, input: Fields) {
    for (field, input) in fields.iter_mut().zip(input) {
        field.ident = input.ident;
    }
}

/// The name that the user wrote for a parameter.
fn own_name(param: &Ident) -> Ident {
    let name = param.to_string();
    match name.strip_suffix('_').filter(|own| own.ends_with("__")) {
        Some(own) => Ident::new(own, param.span()),
        None => param.clone(),
    }
}

/// The tokens with another `_` after each of these names.
fn longer(tokens: TokenStream, names: &[String]) -> TokenStream {
    let token = |token| match token {
        TokenTree::Ident(ident) if names.iter().any(|name| ident == name) => {
            format_ident!("{ident}_").into()
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), longer(group.stream(), names));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    };
    tokens.into_iter().map(token).collect()
}

/// Adds the const parameters that the fields do not show to the meta fields. Returns an error for a type parameter that
/// neither the fields nor the attributes show.
pub(crate) fn declare(input: &mut Input) -> Result<()> {
    let Input { generics, container, variants, .. } = input;
    let consts: Vec<_> = generics.const_params().map(|param| &param.ident).collect();
    let types: Vec<_> = generics.type_params().map(|param| &param.ident).collect();
    for skipped in &container.skipped {
        if !consts.contains(&skipped) && !types.contains(&skipped) {
            let message = format!("`{skipped}` is not a type or const parameter of this type");
            return Err(Error::new(skipped.span(), message));
        }
    }
    let is_declared = |param: &Ident, container: &Container| {
        container.skipped.contains(param)
            || container.metas.iter().any(|(_, expr)| names(expr.to_token_stream(), param))
    };
    for param in consts {
        let has = |field: &Field, name: &Ident| names(field.ty.to_token_stream(), name);
        // A leaf does not show its type.
        let hides = |field: &Field| match field.role {
            Role::Leaf => has(field, param),
            _ => has(field, param) && has(field, &format_ident!("AsLeaf")),
        };
        let shows = |field: &Field| match field.role {
            Role::Tree => !is_phantom(&field.ty) && has(field, param),
            Role::Meta => has_length(&field.ty, param),
            _ => false,
        };
        let is_shown = |variant: &Variant| {
            let fields = &variant.fields;
            fields.iter().any(shows) && !fields.iter().any(hides)
        };
        if !is_declared(param, container) && !variants.iter().all(is_shown) {
            container.metas.push((param.clone(), parse_quote!(#param)));
        }
    }
    for (name, _) in &mut container.metas {
        if generics.params.iter().any(|param| is_named(param, name)) {
            *name = own_name(name);
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
                "`{param}` is only in `PhantomData`, so types that differ in `{param}` would have the same structure: write \
                 `#[tree(meta(name = ..))]` on the type with a value that differs, or `#[tree(skip({param}))]` if none does"
            );
            return Err(Error::new_spanned(&field.ty, message));
        }
    }
    Ok(())
}

/// Whether a type is an array with this length, or a tuple or an array that contains one.
fn has_length(ty: &Type, param: &Ident) -> bool {
    match ty {
        Type::Array(array) => is_param(&array.len, param) || has_length(&array.elem, param),
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| has_length(ty, param)),
        Type::Paren(inner) => has_length(&inner.elem, param),
        Type::Group(inner) => has_length(&inner.elem, param),
        _ => false,
    }
}

/// Whether a type or const parameter has this name.
fn is_named(param: &GenericParam, name: &Ident) -> bool {
    match param {
        GenericParam::Lifetime(_) => false,
        GenericParam::Type(param) => param.ident == *name,
        GenericParam::Const(param) => param.ident == *name,
    }
}

fn is_param(expr: &Expr, param: &Ident) -> bool {
    matches!(expr, Expr::Path(path) if path.qself.is_none() && path.path.is_ident(param))
}

/// Returns the `Value` of a const parameter, which can be used in `const`. Returns `None` for another expression, or if
/// a value of the type cannot be made in `const`.
pub(crate) fn value(generics: &Generics, expr: &Expr) -> Option<TokenStream> {
    let param = generics.const_params().find(|param| is_param(expr, &param.ident))?;
    let (name, ty) = (&param.ident, as_param(&param.ty)?);
    let types = ["bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    types.iter().any(|known| ty == known).then(|| quote!(d__::value_of::#ty::<{ #name }>()))
}
