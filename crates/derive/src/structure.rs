//! Implements `HasSchema`, and makes the heads of nodes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use crate::attributes::{Role, named};
use crate::bounds::Context;
use crate::input::{Field, Input, Variant};
use crate::types;

/// Makes nested closures, one for each meta field of a variant, in which `body` gets the values as an array. Literals
/// need no closure.
fn with_meta(
    context: &Context<'_>,
    variant: &Variant,
    body: impl FnOnce(&TokenStream) -> TokenStream,
) -> TokenStream {
    let metas = context.input.container.metas.iter().map(|(name, expr)| {
        let lend = quote_spanned!(expr.span()=> d__::ToValue::with_value);
        (named(name, None).0, context.constant(expr), lend, quote!(&(#expr)))
    });
    let fields = variant.metas().map(|Field { name, ty, local, .. }| {
        let lend = quote_spanned!(ty.span()=> <#ty as d__::ToValue>::with_value);
        (name.clone(), None, lend, quote!(#local))
    });
    let all: Vec<_> = metas.chain(fields).collect();
    let values: Vec<_> = (0..all.len()).map(|i| format_ident!("v{i}__")).collect();
    let names = all.iter().map(|(name, ..)| name);
    let body = body(&quote!(&[#((#names, #values)),*]));
    // What is no literal is open.
    let open = all.iter().zip(&values).filter(|((_, literal, ..), _)| literal.is_none());
    let open = open.map(|(_, value)| quote!(d__::Sink::value(out__, &#value);));
    let body = quote!({ #(#open)* #body });
    all.iter().zip(&values).rev().fold(body, |body, ((_, literal, lend, place), value)| {
        match literal {
            Some(literal) => quote!({ let #value = #literal; #body }),
            None => quote!(#lend(#place, |#value| { #body })),
        }
    })
}

/// Makes an expression that begins the node of a variant in a sink: the open node, or `None`.
pub(crate) fn begin(context: &Context<'_>, variant: &Variant) -> TokenStream {
    match const_head(context, variant) {
        Some(head) => quote!(d__::Sink::begin(out__, &#head)),
        None => with_meta(context, variant, |meta| {
            let heading = heading(variant, meta);
            quote!(d__::Sink::begin(out__, &#heading))
        }),
    }
}

/// Returns the constant of a variant without meta fields: its head, encoded at compile time.
pub(crate) fn const_head<'v>(context: &Context<'_>, variant: &'v Variant) -> Option<&'v Ident> {
    let has_meta = variant.metas().next().is_some() || !context.input.container.metas.is_empty();
    (!has_meta && context.input.transparent().is_none()).then_some(&variant.head)
}

/// Makes the constants of the heads of variants without meta fields. Neither name nor fields depend on type parameters, so they are no
/// constants of the trait, and are evaluated once for all uses.
pub(crate) fn const_heads(context: &Context<'_>) -> TokenStream {
    if context.input.transparent().is_some() {
        return TokenStream::new();
    }
    let heads = context.input.variants.iter().map(|variant| {
        let (head, name, fields) = (&variant.head, &variant.name, variant.child_names());
        quote! {
            const #head: d__::Head<'static> = d__::head_of(
                &d__::struct_head::<{ d__::struct_head_len(#name, &[#(#fields),*]) }>(#name, &[#(#fields),*])
            );
        }
    });
    heads.collect()
}

/// Makes the aliases of a variant: pairs of what is stored and the name of a field, and the older names of its type.
fn aliases(input: &Input, variant: &Variant) -> Vec<TokenStream> {
    let of_fields = variant.fields.iter().flat_map(|Field { aliases, name, .. }| {
        aliases.iter().map(move |alias| quote!((#alias, #name)))
    });
    let older = variant.older_names(&input.ident, &input.container);
    let older = older.into_iter().map(|name| quote!((#name, "")));
    of_fields.chain(older).collect()
}

/// Makes the head of a variant. `meta` is an array expression.
pub(crate) fn heading(variant: &Variant, meta: &TokenStream) -> TokenStream {
    let (name, fields) = (&variant.name, variant.child_names());
    quote!(d__::Struct { name: #name, fields: &[#(#fields),*], meta: #meta })
}

/// Makes the schema of a field with `#[tree(leaf)]`. Its name is the type as it is written, so one name is that of several types if it
/// has a parameter.
fn leaf(context: &Context<'_>, ty: &Type) -> TokenStream {
    let (generics, name) = (&context.input.generics, ty.to_token_stream().to_string());
    let is_named = |param: &Ident| types::names(ty.to_token_stream(), param);
    let is_shared = generics.type_params().any(|param| is_named(&param.ident))
        || generics.const_params().any(|param| is_named(&param.ident));
    quote!(&d__::Schema::Leaf(#name, d__::None, #is_shared))
}

/// Makes the constants of a transparent struct: those of its field.
fn of_field(context: &Context<'_>, Field { ty, role, .. }: &Field) -> TokenStream {
    if *role == Role::Leaf {
        let schema = leaf(context, ty);
        return quote!(const SCHEMA: &'static d__::Schema = #schema;);
    }
    let field = quote_spanned!(ty.span()=> <#ty as d__::HasSchema>);
    quote! {
        const SCHEMA: &'static d__::Schema = #field::SCHEMA;

        const NULLABLE: d__::bool = #field::NULLABLE;
    }
}

/// Makes the schema: what all values can be. A static has no bounds, and asks for the schemas of its fields without them.
fn schema(context: &Context<'_>, is_static: bool) -> TokenStream {
    let input = context.input;
    let (mut is_recursive, mut around) = (false, Vec::new());
    let of = |span: Span, ty: &Type| match is_static {
        true => quote_spanned!(span=> d__::Known::<#ty>::SCHEMA),
        false => quote_spanned!(span=> <#ty as d__::HasSchema>::SCHEMA),
    };
    // A constant of types that contain each other would have no end.
    let pointer = |ty: &Type| {
        let schema = of(ty.span(), ty);
        quote!(&d__::Schema::Pointer(|| #schema))
    };
    let mut schema_of = |ty: &Type| {
        // Types that name each other have bounds by hand. Their schemas would have no end.
        let is_bounded = input.container.bound.is_some() && !context.is_tree(ty);
        if is_bounded && !types::holds_no_other_type(ty, &input.generics) {
            return pointer(ty);
        }
        if !context.is_recursive(ty) {
            return of(ty.span(), ty);
        }
        match types::with_marker(ty, &input.ident, &input.generics) {
            Some((ty, containers)) => {
                is_recursive = true;
                around.extend(containers.iter().map(|ty| of(Span::call_site(), ty)));
                of(Span::call_site(), &ty)
            }
            None => pointer(ty),
        }
    };
    let records = input.variants.iter().map(|variant| {
        let children = variant.children().map(|Field { ty, role, .. }| match role {
            Role::Leaf => leaf(context, ty),
            _ => schema_of(ty),
        });
        let children: Vec<_> = children.collect();
        let metas = input.container.metas.iter().map(|(name, expr)| {
            let value = context.constant(expr).unwrap_or_else(|| quote!(d__::Value::None));
            (named(name, None).0, value)
        });
        let fields = variant.metas().map(|Field { name, ty, .. }| {
            let ty = quote_spanned!(ty.span()=> <#ty as d__::ToValue>::TYPE);
            (name.clone(), quote!(d__::Value::Opaque(#ty)))
        });
        let (metas, values): (Vec<_>, Vec<_>) = metas.chain(fields).unzip();
        let (name, fields, is_named) =
            (&variant.name, variant.child_names(), input.container.name.is_some());
        let (head, aliases) = (&variant.head, aliases(input, variant));
        quote! {
            d__::Fields {
                name: #name,
                head: d__::Some(#head),
                is_named: #is_named,
                fields: &[#(#fields),*],
                children: d__::Schemas::new(&[#(#children),*]),
                meta: &[#((#metas, #values)),*],
                aliases: &[#(#aliases),*],
            }
        }
    });
    let records: Vec<_> = records.collect();
    let names = input.variants.iter().map(|variant| &variant.short);
    let schema = match input.is_enum {
        true => quote!(&d__::Schema::Enum(&[#(#names),*], &[#(#records),*])),
        false => quote!(&d__::Schema::Struct(#(&#records)*)),
    };
    if !is_recursive {
        return schema;
    }
    // The type of a field is its own with this marker in the place of the derived type.
    let name = input.variants.first().map(|variant| &variant.name);
    quote!({
        #[derive(d__::Clone)]
        struct Again__;

        impl d__::HasSchema for Again__ {
            const SCHEMA: &'static d__::Schema = &d__::Schema::Recursive(#name);
        }

        d__::check_recursion(#name, &[#(#around),*]);
        #schema
    })
}

pub(crate) fn derive(context: &Context<'_>) -> TokenStream {
    let mut header = context.header();
    // An incremental compiler hashes a constant with all that it points to, once for each way to it, and a static by its name.
    let is_static =
        context.input.generics.params.is_empty() && context.input.transparent().is_none();
    for ty in context.trees().filter(|_| !is_static) {
        header.bound_type(ty, &quote!(d__::HasSchema));
    }
    context.role_bound(&mut header, Role::Meta, &quote!(d__::ToValue));
    if let Some(field) = context.input.transparent() {
        let body = of_field(context, field);
        return context.implement(header, &quote!(d__::HasSchema), &body);
    }
    let mut schema = schema(context, is_static);
    let mut declared = TokenStream::new();
    if is_static {
        declared = quote! {
            #[allow(unused_imports)]
            use d__::Unknown as _;
            static SCHEMA__: d__::Schema = *#schema;
        };
        schema = quote!(&SCHEMA__);
    }
    let body = quote!(const SCHEMA: &'static d__::Schema = #schema;);
    let implemented = context.implement(header, &quote!(d__::HasSchema), &body);
    quote!(#declared #implemented)
}
