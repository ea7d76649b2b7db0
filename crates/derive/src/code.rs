//! Makes pieces of code that several implementations contain.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::input::Field;

/// Makes a statement that returns if `call` fails.
///
/// It works as `?` without the conversion, and takes a third of the stack in unoptimised programs. This matters for
/// recursive types, which take such a frame for each level.
pub(crate) fn attempt(call: &TokenStream) -> TokenStream {
    quote! {
        if let ::core::result::Result::Err(error__) = #call {
            return ::core::result::Result::Err(error__);
        }
    }
}

/// Makes an expression with the value of `call`, which returns if `call` fails.
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

/// Makes an expression with the value of `call`, which returns if `call` fails with an error of the library.
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

/// Makes code that counts a level in `depth` around the statements `body`.
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

/// Returns the number of leaves of a child of fixed shape.
pub(crate) fn leaves_of(krate: &syn::Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.role {
        Role::Leaf => quote!(1usize),
        _ => quote!(::core::option::Option::unwrap_or(<#ty as #krate::tree::Structure>::LEAVES, 0)),
    }
}

/// Returns the tokens with the span of `ty`, so that the compiler shows errors there.
pub(crate) fn at(ty: &Type, tokens: TokenStream) -> TokenStream {
    let span = ty.span();
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(span.resolved_at(token.span()));
        token
    });
    moved.collect()
}
