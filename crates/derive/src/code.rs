//! Pieces of code that several implementations contain.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::input::{Field, Variant};

/// A statement that stops where `call` fails.
///
/// As `?`, without its conversion and with a third of its stack in unoptimised programs: recursive types hold these
/// frames as often as they are deep.
pub(crate) fn attempt(call: &TokenStream) -> TokenStream {
    quote! {
        if let ::core::result::Result::Err(error__) = #call {
            return ::core::result::Result::Err(error__);
        }
    }
}

/// The value of `call`, or a stop where it fails.
pub(crate) fn value(call: &TokenStream) -> TokenStream {
    quote! {
        match #call {
            ::core::result::Result::Ok(value__) => value__,
            ::core::result::Result::Err(error__) => {
                return ::core::result::Result::Err(error__);
            }
        }
    }
}

/// Statements that take trees apart, which are all to be this variant: for each field that is no `#[tree(skip)]` a
/// variable, named by `local`, that holds the field of all trees. `pattern` binds those names.
///
/// `call` is a function that gets `args` and two closures, one for trees that are read, one for trees that are changed.
pub(crate) fn split(
    lanes: &TokenStream,
    call: &TokenStream,
    args: &TokenStream,
    variant: &Variant,
    pattern: &TokenStream,
    local: impl Fn(&Field) -> &Ident,
) -> TokenStream {
    let nested = variant.used().rev().fold(quote!(()), |rest, field| {
        let local = local(field);
        quote!((#local, #rest))
    });
    let parts = quote! {
        |tree__| match tree__ {
            #pattern => ::core::option::Option::Some(#nested),
            _ => ::core::option::Option::None,
        }
    };
    let locals = variant.used().map(local);
    quote! {
        let parts__ = #call(#args, #parts, #parts)?;
        #(let (#locals, parts__) = #lanes::unzip(parts__);)*
    }
}

/// [`split`] of `trees__`, which `L__` holds, and a check that all of them have the same static data.
pub(crate) fn split_trees(
    krate: &syn::Path,
    depth: &TokenStream,
    variant: &Variant,
    pattern: &TokenStream,
    local: impl Fn(&Field) -> &Ident + Copy,
) -> TokenStream {
    let (lanes, call) = (quote!(L__), quote!(L__::split));
    let split = split(&lanes, &call, &quote!(trees__, #depth), variant, pattern, local);
    let statics = variant.metas().map(|field| {
        let (ty, local) = (&field.ty, local(field));
        let same = quote_spanned!(ty.span()=> #krate::derive_support::same_statics::<L__, #ty>);
        quote!(#same(&#local, #depth)?;)
    });
    quote!(#split #(#statics)*)
}

/// Runs `before`, statements that set `locals` and may stop by `?`, and then `body`, an expression, one level deeper.
///
/// The first part is a closure, so that its temporary values are gone in the second: unoptimised programs would keep
/// them on each level of a recursive type.
pub(crate) fn then_deeper<'i>(
    krate: &syn::Path,
    depth: &TokenStream,
    before: &TokenStream,
    locals: impl Iterator<Item = &'i Ident>,
    body: &TokenStream,
) -> TokenStream {
    let locals: Vec<_> = locals.collect();
    quote! {
        match (|| -> ::core::result::Result<_, E__> {
            #before
            #krate::derive_support::enter::<Self, E__>(#depth)?;
            ::core::result::Result::Ok((#(#locals,)*))
        })() {
            ::core::result::Result::Ok((#(#locals,)*)) => { #body }
            ::core::result::Result::Err(error__) => ::core::result::Result::Err(error__),
        }
    }
}

/// Counts a level around `body`, a list of statements.
pub(crate) fn deeper(krate: &syn::Path, error: &TokenStream, body: &TokenStream) -> TokenStream {
    let enter = attempt(&quote!(#krate::derive_support::enter::<Self, #error>(depth__)));
    quote! {
        #enter
        #body
        #krate::derive_support::leave::<Self>(depth__);
    }
}

/// The number of leaves of a child of fixed shape.
pub(crate) fn leaves_of(krate: &syn::Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.role {
        Role::Leaf => quote!(1usize),
        _ => quote!(::core::option::Option::unwrap_or(<#ty as #krate::Structure>::LEAVES, 0)),
    }
}

/// The tokens, as if they stood where `ty` stands: there the compiler then shows what is wrong with them.
pub(crate) fn at(ty: &Type, tokens: TokenStream) -> TokenStream {
    let span = ty.span();
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(span.resolved_at(token.span()));
        token
    });
    moved.collect()
}
