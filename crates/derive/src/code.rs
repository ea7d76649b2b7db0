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
        if let d__::Err(_) = done__ {
            return done__;
        }
    }
}

/// Makes an expression with the value of `call`, which returns if `call` fails.
pub(crate) fn value(call: &TokenStream) -> TokenStream {
    quote! {
        match #call {
            d__::Ok(value__) => value__,
            d__::Err(error__) => {
                return d__::Err(error__);
            }
        }
    }
}

/// Makes an expression with the value of `call`, which returns if `call` fails with an error of the library.
pub(crate) fn value_from(call: &TokenStream) -> TokenStream {
    quote! {
        match #call {
            d__::Ok(value__) => value__,
            d__::Err(error__) => {
                return d__::Err(d__::From::from(error__));
            }
        }
    }
}

/// Makes code that counts a level in `depth` around the statements `body`. `attempt` makes the statement that returns at
/// the bound.
pub(crate) fn deeper(
    depth: &TokenStream,
    attempt: impl FnOnce(&TokenStream) -> TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let enter = attempt(&quote!(d__::enter::<Self, E__>(#depth)));
    quote! {
        #enter;
        #body
        d__::leave::<Self>(#depth);
    }
}

/// Makes an expression that says whether two meta fields have the same value. Derived code calls the traits of meta
/// fields in the same words everywhere, so the compiler writes its error about a type without them once.
pub(crate) fn same_meta(ty: &Type, one: &TokenStream, other: &TokenStream) -> TokenStream {
    let with_value = quote_spanned!(ty.span()=> <#ty as d__::ToValue>::with_value);
    quote!(#with_value(#one, |one__| #with_value(#other, |other__| one__ == other__)))
}

/// Makes an expression that copies a meta field through its value, and is `None` if the type does not read it back.
pub(crate) fn copied_meta(ty: &Type, field: &TokenStream) -> TokenStream {
    let with_value = quote_spanned!(ty.span()=> <#ty as d__::ToValue>::with_value);
    let from_value = quote_spanned!(ty.span()=> <#ty as d__::FromValue>::from_value);
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
