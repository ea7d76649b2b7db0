//! Makes functions that split several values into their fields: one for each variant, which all walks call.
//!
//! For `struct Pair { a: f32, b: u8 }`:
//!
//! ```text
//! fn split0__<'a__, L__: Lanes>(
//!     _: PhantomData<(L__, Pair)>,
//!     trees__: Trees<'a__, L__, Pair>,
//! ) -> Result<(Trees<'a__, L__, f32>, Trees<'a__, L__, u8>), u32>
//! ```
//!
//! The error is the index of the first value of another variant. The functions have only the bounds of the type. They
//! are separate functions so that their temporary values are gone before the fields are walked: unoptimised programs
//! would keep them for each level of a recursive type.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Type, parse_quote};

use crate::bounds::Context;
use crate::code::{same_meta, value_from};
use crate::input::{Field, Variant};

/// Makes the functions.
pub(crate) fn functions(context: &Context<'_>) -> TokenStream {
    let (krate, input) = (context.krate, context.input);
    let own: Type = {
        let (ident, (_, args, _)) = (&input.ident, input.generics.split_for_impl());
        parse_quote!(#ident #args)
    };
    let mut substitution = context.substitution(Vec::new());
    substitution.own = own.clone();
    let functions = input.variants.iter().map(|variant| {
        let mut generics = input.generics.clone();
        substitution.visit_generics_mut(&mut generics);
        generics.params.insert(0, parse_quote!('a__));
        generics.params.push(parse_quote!(L__: #krate::tree::lanes::Lanes));
        generics.make_where_clause().predicates.push(parse_quote!(#own: 'a__));
        let (params, _, bounds) = generics.split_for_impl();
        let types = variant.used().map(|field| {
            let ty = substitution.apply(&field.ty);
            quote!(#krate::tree::lanes::Trees<'a__, L__, #ty>)
        });
        let types: Vec<_> = types.collect();
        let nested = variant
            .used()
            .rev()
            .fold(quote!(()), |rest, Field { local, .. }| quote!((#local, #rest)));
        let (name, pattern) = (&variant.split, variant.other_pattern(&input.ident, false));
        let locals: Vec<_> = variant.used().map(|field| &field.local).collect();
        let parts = quote! {
            |tree__| match tree__ {
                #pattern => ::core::option::Option::Some(#nested),
                _ => ::core::option::Option::None,
            }
        };
        quote! {
            #[inline]
            #[allow(unused_variables, unreachable_patterns, deprecated, clippy::all)]
            fn #name #params(
                _: ::core::marker::PhantomData<(L__, #own)>,
                trees__: #krate::tree::lanes::Trees<'a__, L__, #own>,
            ) -> ::core::result::Result<(#(#types,)*), ::core::primitive::u32> #bounds {
                let parts__ = L__::all(L__::map(trees__, #parts, #parts))?;
                #(let (#locals, parts__) = L__::unzip(parts__);)*
                ::core::result::Result::Ok((#(#locals,)*))
            }
        }
    });
    functions.collect()
}

/// Makes a statement that splits `trees`, values of `ty` in the lanes `lanes`: each field without `#[tree(skip)]` gets
/// a variable named by `local`. It returns `error` if a value is another variant; `tree__` is the index of that value.
pub(crate) fn split<'v>(
    krate: &syn::Path,
    (lanes, ty, trees): (&TokenStream, &Type, &TokenStream),
    variant: &'v Variant,
    local: impl Fn(&'v Field) -> &'v Ident,
    error: &TokenStream,
) -> TokenStream {
    let (split, locals) = (&variant.split, variant.used().map(local));
    quote! {
        let (#(#locals,)*) = match #split(#krate::__private::derive_support::phantom::<(#lanes, #ty)>(), #trees) {
            ::core::result::Result::Ok(fields__) => fields__,
            ::core::result::Result::Err(tree__) => {
                return ::core::result::Result::Err(::core::convert::From::from(#error));
            }
        };
    }
}

/// Makes a [`split`] of `trees__`, values of `ty` in the lanes `L__`, and a check that all have the same meta fields.
pub(crate) fn split_trees<'v>(
    krate: &syn::Path,
    ty: &Type,
    depth: &TokenStream,
    variant: &'v Variant,
    local: impl Fn(&'v Field) -> &'v Ident + Copy,
) -> TokenStream {
    let error = quote!(#krate::encode::Depth::differs(#depth, tree__));
    let split = split(krate, (&quote!(L__), ty, &quote!(trees__)), variant, local, &error);
    let meta = variant.metas().map(|field| {
        let (ty, local) = (&field.ty, local(field));
        let same = same_meta(krate, ty, &quote!(L__::first::<#ty>(&#local)), &quote!(tree__));
        let same = value_from(&quote!(L__::same::<#ty>(&#local, #depth, |tree__| #same)));
        quote!(#same;)
    });
    quote!(#split #(#meta)*)
}
