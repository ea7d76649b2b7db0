//! Makes pieces of code that several implementations contain.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

/// Makes a statement that returns what `call` returns, if that is an error. The function returns the same type.
///
/// It works as `?` without the conversion, and takes a fifth of the stack in unoptimised programs: the result has one
/// place. This matters for recursive types, which take such a frame for each level.
pub(crate) fn attempt(call: &TokenStream) -> TokenStream {
    quote! {
        let done__ = #call;
        if let ::core::result::Result::Err(_) = done__ {
            return done__;
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

/// Makes an expression with the value of the option `call`. If there is none, it returns `None`.
pub(crate) fn some(call: &TokenStream) -> TokenStream {
    quote! {
        match #call {
            ::core::option::Option::Some(value__) => value__,
            ::core::option::Option::None => return ::core::option::Option::None,
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

/// Makes code that counts a level in `depth` around the statements `body`. `attempt` makes the statement that returns at
/// the bound.
pub(crate) fn deeper(
    krate: &syn::Path,
    depth: &TokenStream,
    attempt: impl FnOnce(&TokenStream) -> TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let enter = attempt(&quote!(#krate::__private::derive_support::enter::<Self, E__>(#depth)));
    quote! {
        #enter;
        #body
        #krate::__private::derive_support::leave::<Self>(#depth);
    }
}

/// Makes an expression that says whether two meta fields have the same value. Derived code calls the traits of meta
/// fields in the same words everywhere, so the compiler writes its error about a type without them once.
pub(crate) fn same_meta(
    krate: &syn::Path,
    ty: &Type,
    one: &TokenStream,
    other: &TokenStream,
) -> TokenStream {
    let with_value = quote_spanned!(ty.span()=> <#ty as #krate::format::ToValue>::with_value);
    quote!(#with_value(#one, |one__| #with_value(#other, |other__| one__ == other__)))
}

/// Makes an expression that copies a meta field through its value, and is `None` if the type does not read it back.
pub(crate) fn copied_meta(krate: &syn::Path, ty: &Type, field: &TokenStream) -> TokenStream {
    let with_value = quote_spanned!(ty.span()=> <#ty as #krate::format::ToValue>::with_value);
    let from_value = quote_spanned!(ty.span()=> <#ty as #krate::format::FromValue>::from_value);
    quote!(#with_value(#field, |value__| #from_value(value__)))
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
