//! Pieces of code that several implementations contain.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::input::Field;

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

/// The value of `call`, or a stop where it fails with an error of the library.
pub(crate) fn value_from(call: &TokenStream) -> TokenStream {
    quote! {
        match #call {
            ::core::result::Result::Ok(value__) => value__,
            ::core::result::Result::Err(error__) => {
                return ::core::result::Result::Err(::core::convert::From::from(error__));
            }
        }
    }
}

/// Counts a level in `depth` around `body`, a list of statements.
pub(crate) fn deeper(
    krate: &syn::Path,
    depth: &TokenStream,
    error: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let enter = attempt(&quote!(#krate::__private::derive_support::enter::<Self, #error>(#depth)));
    quote! {
        #enter
        #body
        #krate::__private::derive_support::leave::<Self>(#depth);
    }
}

/// The number of leaves of a child of fixed shape.
pub(crate) fn leaves_of(krate: &syn::Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.role {
        Role::Leaf => quote!(1usize),
        _ => quote!(::core::option::Option::unwrap_or(<#ty as #krate::tree::Structure>::LEAVES, 0)),
    }
}

/// The tokens with the span of `ty`: there the compiler then shows what is wrong with them.
pub(crate) fn at(ty: &Type, tokens: TokenStream) -> TokenStream {
    let span = ty.span();
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(span.resolved_at(token.span()));
        token
    });
    moved.collect()
}
