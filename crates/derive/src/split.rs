//! Makes functions that split several values into their fields: one for each variant, which all walks call.
//!
//! For `struct Pair { a: f32, b: u8 }`:
//!
//! ```text
//! fn split0__<'a__, L__: Lanes>(
//!     _: PhantomData<(L__, Pair)>,
//!     trees__: Trees<'a__, L__, Pair>,
//! ) -> (Trees<'a__, L__, f32>, Trees<'a__, L__, u8>)
//! ```
//!
//! For an enum they return a `Result`, whose error is the index of the first value of another variant. The functions have only the bounds of the type. They
//! are separate functions so that their temporary values are gone before the fields are walked: unoptimised programs
//! would keep them for each level of a recursive type.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Type, parse_quote};

use crate::bounds::Context;
use crate::code::{same_meta, value_from};
use crate::input::{Field, Variant};
use crate::types::arguments;

/// Makes the functions.
pub(crate) fn functions(context: &Context<'_>) -> TokenStream {
    let input = context.input;
    let own: Type = {
        let (ident, args) = (&input.ident, arguments(&input.generics));
        parse_quote!(#ident #args)
    };
    let mut substitution = context.substitution(Vec::new());
    substitution.own = own.clone();
    let functions = input.variants.iter().map(|variant| {
        let mut generics = input.generics.clone();
        substitution.visit_generics_mut(&mut generics);
        generics.params.insert(0, parse_quote!('a__));
        generics.params.push(parse_quote!(L__: d__::Lanes));
        generics.make_where_clause().predicates.push(parse_quote!(#own: 'a__));
        let (params, _, bounds) = generics.split_for_impl();
        let types = variant.used().map(|field| {
            let ty = substitution.apply(&field.ty);
            quote!(d__::Trees<'a__, L__, #ty>)
        });
        let types: Vec<_> = types.collect();
        let (name, pattern) = (&variant.split, variant.other_pattern(&input.ident, false));
        let locals: Vec<_> = variant.used().map(|field| field.local.clone()).collect();
        let (pairs, all, separate) = pairs(&locals);
        let signature = quote! {
            #[inline]
            fn #name #params(
                _: d__::PhantomData<(L__, #own)>,
                trees__: d__::Trees<'a__, L__, #own>,
            )
        };
        // The only variant of a struct needs no error.
        if !input.is_enum {
            let parts = quote!(|#pattern| #pairs);
            return quote! {
                #signature -> (#(#types,)*) #bounds {
                    let #all = L__::map(trees__, #parts, #parts);
                    #separate
                    (#(#locals,)*)
                }
            };
        }
        let parts = quote! {
            |tree__| match tree__ {
                #pattern => d__::Some(#pairs),
                #[allow(unreachable_patterns)]
                _ => d__::None,
            }
        };
        quote! {
            #signature -> d__::Result<(#(#types,)*), d__::u32> #bounds {
                let #all = L__::all(L__::map(trees__, #parts, #parts))?;
                #separate
                d__::Ok((#(#locals,)*))
            }
        }
    });
    functions.collect()
}

/// Makes an expression that nests the fields of one value in pairs, the name of these pairs of all lanes, and statements that
/// separate them into the fields of all lanes. Each pair has half of the fields, so the types have few levels.
fn pairs(fields: &[Ident]) -> (TokenStream, Ident, TokenStream) {
    match fields {
        [] => (quote!(()), format_ident!("parts__"), quote!()),
        [field] => (quote!(#field), field.clone(), quote!()),
        [first, ..] => {
            let name = format_ident!("{first}{}", fields.len());
            let (front, back) = fields.split_at(fields.len() / 2);
            let (front, front_name, separate_front) = pairs(front);
            let (back, back_name, separate_back) = pairs(back);
            let separate = quote! {
                let (#front_name, #back_name) = L__::unzip(#name);
                #separate_front
                #separate_back
            };
            (quote!((#front, #back)), name, separate)
        }
    }
}

/// Makes a statement that splits `trees`, values of `ty` in the lanes `lanes`: each field without `#[tree(skip)]` gets
/// a variable named by `local`. For an enum it returns `error`, a result, if a value is another variant; `tree__` is the index
/// of that value.
pub(crate) fn split<'v>(
    context: &Context<'_>,
    (lanes, ty, trees): (&TokenStream, &Type, &TokenStream),
    variant: &'v Variant,
    local: impl Fn(&'v Field) -> &'v Ident,
    error: &TokenStream,
) -> TokenStream {
    let (split, locals) = (&variant.split, variant.used().map(local));
    let parts = quote! {
        #split(d__::PhantomData::<(#lanes, #ty)>, #trees)
    };
    if !context.input.is_enum {
        return quote!(let (#(#locals,)*) = #parts;);
    }
    quote! {
        let (#(#locals,)*) = match #parts {
            d__::Ok(fields__) => fields__,
            d__::Err(tree__) => {
                return #error;
            }
        };
    }
}

/// Makes a [`split`] of `trees__`, values of `ty` in the lanes `L__`, and a check that all have the same meta fields.
pub(crate) fn split_trees<'v>(
    context: &Context<'_>,
    ty: &Type,
    depth: &TokenStream,
    variant: &'v Variant,
    local: impl Fn(&'v Field) -> &'v Ident + Copy,
) -> TokenStream {
    let error = quote!(d__::differs(#depth, tree__));
    let split = split(context, (&quote!(L__), ty, &quote!(trees__)), variant, local, &error);
    let meta = variant.metas().map(|field| {
        let (ty, local) = (&field.ty, local(field));
        let same = same_meta(ty, &quote!(L__::first::<#ty>(&#local)), &quote!(tree__));
        let same = value_from(&quote!(d__::require::<L__, #ty>(&#local, #depth, |tree__| #same)));
        quote!(#same;)
    });
    quote!(#split #(#meta)*)
}
