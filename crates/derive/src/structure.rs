//! Implements `Structure`: the shape, and the description of a value.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::attributes::{Role, named};
use crate::bounds::Context;
use crate::code::same_meta;
use crate::input::{Field, Variant};

/// Returns the meta fields of a variant as an array expression, if all values are literals, or there are none.
pub(crate) fn constants(context: &Context<'_>, variant: &Variant) -> Option<TokenStream> {
    if variant.metas().next().is_some() {
        return None;
    }
    let meta = context.input.container.metas.iter().map(|(name, expr)| {
        let (value, (name, _)) = (context.constant(expr)?, named(name, None));
        Some(quote!((#name, #value)))
    });
    let meta = meta.collect::<Option<Vec<_>>>()?;
    Some(quote!(&[#(#meta),*]))
}

/// Makes nested closures, one for each meta field of a variant, in which `body` gets the values as an array. Literals
/// need no closure.
fn with_meta(
    context: &Context<'_>,
    variant: &Variant,
    body: impl FnOnce(&TokenStream) -> TokenStream,
) -> TokenStream {
    let krate = context.krate;
    let metas = context.input.container.metas.iter().map(|(name, expr)| {
        let lend = quote_spanned!(expr.span()=> #krate::format::ToValue::with_value);
        (named(name, None).0, context.constant(expr), lend, quote!(&(#expr)))
    });
    let fields = variant.metas().map(|Field { name, ty, local, .. }| {
        let lend = quote_spanned!(ty.span()=> <#ty as #krate::format::ToValue>::with_value);
        (name.clone(), None, lend, quote!(#local))
    });
    let all: Vec<_> = metas.chain(fields).collect();
    let values: Vec<_> = (0..all.len()).map(|i| format_ident!("v{i}__")).collect();
    let names = all.iter().map(|(name, ..)| name);
    let body = body(&quote!(&[#((#names, #values)),*]));
    all.iter().zip(&values).rev().fold(body, |body, ((_, literal, lend, place), value)| {
        match literal {
            Some(literal) => quote!({ let #value = #literal; #body }),
            None => quote!(#lend(#place, |#value| { #body })),
        }
    })
}

/// Returns the constant of a variant without meta fields: its head, encoded at compile time.
pub(crate) fn const_head<'v>(context: &Context<'_>, variant: &'v Variant) -> Option<&'v Ident> {
    let has_meta = variant.metas().next().is_some() || !context.input.container.metas.is_empty();
    (!has_meta).then_some(&variant.head)
}

/// Makes the constants that [`const_head`] names. Neither name nor fields depend on type parameters, so they are no
/// constants of the trait, and are evaluated once for all uses.
pub(crate) fn const_heads(context: &Context<'_>) -> TokenStream {
    let krate = context.krate;
    let heads = context.input.variants.iter().filter_map(|variant| {
        let (head, name, fields) =
            (const_head(context, variant)?, &variant.name, variant.child_names());
        Some(quote! {
            const #head: #krate::__private::derive_support::ConstHead = {
                const HEAD: #krate::__private::derive_support::StructHead<
                    { #krate::__private::derive_support::struct_head_len(#name, &[#(#fields),*]) },
                > = #krate::__private::derive_support::StructHead::new(#name, &[#(#fields),*]).unwrap();
                HEAD.head()
            };
        })
    });
    heads.collect()
}

/// Makes the head of a variant. `meta` is an array expression.
pub(crate) fn heading(context: &Context<'_>, variant: &Variant, meta: &TokenStream) -> TokenStream {
    let (krate, name, fields) = (context.krate, &variant.name, variant.child_names());
    quote!(#krate::head::Struct { name: #name, fields: &[#(#fields),*], meta: #meta })
}

fn shape(context: &Context<'_>) -> TokenStream {
    let (krate, input) = (context.krate, context.input);
    let [variant] = input.variants.as_slice() else { return quote!(#krate::tree::Shape::Varies) };
    if input.is_enum {
        return quote!(#krate::tree::Shape::Varies);
    }
    let children = variant.children().map(|Field { ty, role, .. }| match role {
        Role::Leaf => quote!(&#krate::tree::Shape::Leaf(::core::option::Option::None)),
        _ => quote_spanned!(ty.span()=> <#ty as #krate::tree::Structure>::SHAPE),
    });
    let (name, fields) = (&variant.name, variant.child_names());
    let meta = match constants(context, variant) {
        Some(meta) => quote!(::core::option::Option::Some(#meta)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #krate::tree::Shape::Struct {
            name: #name,
            fields: &[#(#fields),*],
            children: #krate::tree::Shapes::new(&[#(#children),*]),
            meta: #meta,
        }
    }
}

/// Makes the bounds of the sizes: for an enum, those of its largest variant.
fn limits(context: &Context<'_>) -> TokenStream {
    let krate = context.krate;
    let variants = context.input.variants.iter().map(|variant| {
        let children = variant.children().map(|Field { ty, role, .. }| match role {
            Role::Leaf => quote!(#krate::tree::Limits::LEAF),
            _ => quote_spanned!(ty.span()=> #krate::tree::Limits::of::<#ty>()),
        });
        let (name, fields) = (&variant.name, variant.child_names());
        let meta = match constants(context, variant) {
            Some(meta) => quote!(::core::option::Option::Some(#meta)),
            None => quote!(::core::option::Option::None),
        };
        quote!(#krate::tree::Limits::fields(#name, &[#(#fields),*], [#(#children),*], #meta))
    });
    quote!(#krate::tree::Limits::one_of([#(#variants),*]))
}

/// Makes code that compares the structures of two values: they have the same variant, equal meta fields, and children
/// that are alike.
fn alike(context: &Context<'_>) -> TokenStream {
    let (krate, input) = (context.krate, context.input);
    if input.variants.is_empty() {
        return quote!(match *self {});
    }
    // `meta(..)` can be any expression, which can also depend on the value.
    if input.container.metas.iter().any(|(_, expr)| context.constant(expr).is_none()) {
        return quote!({
            let _ = other__;
            false
        });
    }
    let arms = input.variants.iter().map(|variant| {
        let (mine, theirs) = (variant.pattern(), variant.other_pattern(&input.ident, true));
        let metas = variant.metas().map(|Field { ty, local, other, .. }| {
            let same = same_meta(krate, ty, &quote!(#local), &quote!(#other));
            quote!(&& #same)
        });
        let children = variant.children().map(|Field { ty, role, local, other, .. }| match role {
            Role::Leaf => quote!(&& { let _ = (#local, #other); true }),
            _ => quote_spanned!(ty.span()=> && <#ty as #krate::tree::Structure>::alike(#local, #other)),
        });
        quote!((#mine, #theirs) => true #(#metas)* #(#children)*,)
    });
    let different = (input.variants.len() > 1).then(|| quote!(_ => false,));
    quote!(match (self, other__) { #(#arms)* #different })
}

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    let krate = context.krate;
    let mut header = context.header();
    for ty in context.trees() {
        header.bound_type(ty, &quote!(#krate::tree::Structure));
    }
    context.role_bound(&mut header, Role::Meta, &quote!(#krate::format::ToValue));
    let (shape, limits) = (shape(context), limits(context));
    let describe = context.input.matching(&quote!(self), |variant| {
        with_meta(context, variant, |meta| {
            let heading = match const_head(context, variant) {
                Some(head) => quote!(#head),
                None => heading(context, variant, meta),
            };
            let children = variant.children().map(|Field { ty, role, local, .. }| match role {
                Role::Leaf => quote!(#krate::Writer::leaves(out__, 1);),
                _ => {
                    let describe =
                        quote_spanned!(ty.span()=> <#ty as #krate::tree::Structure>::describe);
                    quote!(#describe(#local, out__);)
                }
            });
            quote! {
                let node__ = #krate::Writer::begin(out__, &#heading);
                if #krate::encode::OpenNode::is_open(&node__) {
                    #(#children)*
                    #krate::Writer::end(out__, node__);
                }
            }
        })
    });
    let alike = alike(context);
    let body = quote! {
        const SHAPE: &'static #krate::tree::Shape = &#shape;

        const LIMITS: #krate::tree::Limits = #limits;

        fn describe(&self, out__: &mut #krate::Writer<'_>) {
            if const { ::core::option::Option::is_some(&<Self as #krate::tree::Structure>::TREEDEF) } {
                return #krate::__private::derive_support::describe_fixed::<Self>(out__);
            }
            #describe
        }

        #[inline]
        fn alike(&self, other__: &Self) -> bool {
            if <Self as #krate::tree::Structure>::TREEDEF.is_some() {
                return true;
            }
            #alike
        }
    };
    context.implement(header, &quote!(#krate::tree::Structure), &body)
}
