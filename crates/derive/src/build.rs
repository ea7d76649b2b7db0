//! Implements `TreeBuild`: takes a value apart, and rebuilds it.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::attributes::Role;
use crate::bounds::Context;
use crate::code::value;
use crate::input::{Field, Variant};

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    if context.lends || context.lends_mut {
        return TokenStream::new();
    }
    let mut header = context.leaf_types_header(&quote!(d__::TreeBuild<K__>));
    context.role_bound(&mut header, Role::Meta, &quote!(d__::ToValue + d__::FromValue));
    for Field { ty, .. } in context.fields(Role::Skip).filter(|field| field.default.is_none()) {
        header.bound_type(ty, &quote!(d__::Skipped<K__>));
    }
    for Field { ty, role, default, .. } in context.input.fields() {
        if *role == Role::Tree && default.is_some() {
            header.bound_type(ty, &quote!(d__::TreeWalk<K__>));
        }
    }
    let (never_fails, take) = (never_fails(context), take(context));
    let (answer, build) = (answer(context), build(context));
    let body = quote! {
        #never_fails

        #[inline]
        fn take_leaves(self, visit__: &mut impl d__::FnMut(K__::Owned)) {
            #take
        }

        fn answer(question__: &mut d__::Question<'_, K__>) -> d__::bool {
            #answer
        }

        #[inline]
        fn build<'d__, S__: d__::Source<'d__, K__>>(from__: &mut S__) -> d__::Result<Self, S__::Error> {
            #build
        }
    };
    context.implement(header, &quote!(d__::TreeBuild<K__>), &body)
}

/// Makes the constant that says whether a build from exactly its leaves never fails.
fn never_fails(context: &Context<'_>) -> Option<TokenStream> {
    let [variant] = context.input.variants.as_slice() else { return None };
    let is_open = |(_, expr): &(_, _)| context.constant(expr).is_none();
    if context.input.is_enum
        || variant.metas().next().is_some()
        || context.input.container.metas.iter().any(is_open)
    {
        return None;
    }
    let trees = variant.children().filter(|field| field.role != Role::Leaf);
    let trees = trees.map(|Field { ty, .. }| quote!(<#ty as d__::TreeBuild<K__>>::NEVER_FAILS));
    Some(quote! {
        const NEVER_FAILS: d__::bool =
            d__::Later::<Self, K__>::HAS_TREEDEF #(&& #trees)*;
    })
}

fn take(context: &Context<'_>) -> TokenStream {
    if context.input.variants.is_empty() {
        return quote!(match self {});
    }
    context.input.matching(&quote!(self), |variant| {
        let children = variant.children().map(|Field { ty, role, local, .. }| match role {
            Role::Leaf => quote!(visit__(<#ty as d__::LeafAs<K__>>::owned(#local));),
            _ => quote!(<#ty as d__::TreeBuild<K__>>::take_leaves(#local, visit__);),
        });
        quote!(#(#children)*)
    })
}

/// Makes code that answers a question of a migration, or passes it on. Fields and meta fields have indices over all variants.
fn answer(context: &Context<'_>) -> TokenStream {
    match context.input.transparent() {
        Some(Field { ty, role: Role::Leaf, .. }) => return quote!(question__.leaf::<#ty>()),
        Some(Field { ty, .. }) => return quote!(<#ty as d__::TreeBuild<K__>>::answer(question__)),
        None => {}
    }
    let (mut children, mut values) = (0u32.., 0u32..);
    let arms = context.input.variants.iter().map(|variant| {
        let children = variant.children().zip(&mut children).map(|(field, index)| {
            let Field { ty, role, default, .. } = field;
            let (answer, own) = match role {
                Role::Leaf => (quote!(question__.leaf::<#ty>()), quote!(give_leaf)),
                _ => {
                    let answer = quote_spanned!(ty.span()=> <#ty as d__::TreeBuild<K__>>::answer);
                    (quote!(#answer(question__)), quote!(give_tree))
                }
            };
            let default = default.as_ref().map(|default| {
                quote! {
                    d__::Part::Default(#index) => question__.default(|take__| {
                        d__::#own::<K__, #ty>(#default, take__)
                    }),
                }
            });
            quote!(d__::Part::Child(#index) => #answer, #default)
        });
        let children: Vec<_> = children.collect();
        let constants = context.input.container.metas.iter().zip(&mut values);
        let constants = constants.filter_map(|((_, expr), index)| {
            let answer = quote_spanned!(expr.span()=> d__::Question::constant);
            let is_open = context.constant(expr).is_none();
            is_open.then(|| quote!(d__::Part::Value(#index) => #answer(question__, &(#expr)),))
        });
        let constants: Vec<_> = constants.collect();
        let metas = variant.metas().zip(&mut values);
        let metas = metas.map(|(Field { ty, .. }, index)| {
            let from_stored = quote_spanned!(ty.span()=> <#ty as d__::FromValue>::from_stored);
            let with_value = quote_spanned!(ty.span()=> <#ty as d__::ToValue>::with_value);
            quote! {
                d__::Part::Value(#index) => question__.value(
                    |value__| #from_stored(value__),
                    |own__, give__| #with_value(own__, |value__| give__(&value__)),
                ),
            }
        });
        quote!(#(#children)* #(#constants)* #(#metas)*)
    });
    quote! {
        match question__.part() {
            #(#arms)*
            _ => false,
        }
    }
}

/// Returns the expression for a field of a rebuilt value. Children and meta fields are in variables.
fn rebuilt(field: &Field) -> TokenStream {
    let (ty, local) = (&field.ty, &field.local);
    match (field.role, &field.default) {
        (Role::Skip, Some(default)) => quote!(#default),
        (Role::Skip, None) => quote!(<#ty as d__::Skipped<K__>>::skipped()),
        _ => quote!(#local),
    }
}

/// Makes code that builds one variant: what its meta fields have, then its children.
fn build_variant(context: &Context<'_>, variant: &Variant) -> TokenStream {
    let metas = context.input.container.metas.iter().map(|(_, expr)| {
        let expected = value(&quote!(d__::expect_meta::<K__, _, _>(from__, &(#expr))));
        context.constant(expr).is_none().then(|| quote!(#expected;))
    });
    let fields = variant.metas().map(|Field { ty, local, .. }| {
        let from_value = quote_spanned!(ty.span()=> <#ty as d__::FromValue>::from_value);
        let read =
            value(&quote!(d__::read_meta::<K__, _, _>(from__, |value__| #from_value(value__))));
        quote!(let #local = #read;)
    });
    let children = variant.children().map(|Field { ty, role, local, .. }| {
        let child = match role {
            Role::Leaf => value(&quote!(d__::Source::leaf::<#ty>(from__))),
            _ => value(&quote!(d__::Source::child::<#ty>(from__))),
        };
        quote!(let #local = #child;)
    });
    let whole = variant.construct(&quote!(Self), rebuilt);
    quote! {
        #(#metas)*
        #(#fields)*
        #(#children)*
        d__::Ok(#whole)
    }
}

fn build(context: &Context<'_>) -> TokenStream {
    let variants: Vec<_> =
        context.input.variants.iter().map(|variant| build_variant(context, variant)).collect();
    let choice = value(&quote!(d__::Source::begin(from__, <Self as d__::HasSchema>::SCHEMA)));
    match variants.as_slice() {
        [variant] if context.input.transparent().is_some() => variant.clone(),
        [variant] => quote!(#choice; #variant),
        _ => {
            let indices = (0..variants.len()).map(Literal::usize_unsuffixed);
            quote! {
                match #choice {
                    #(#indices => { #variants })*
                    // It begins none of them.
                    _ => d__::Source::refuse(from__, d__::Source::place(from__)),
                }
            }
        }
    }
}
