//! Refuses packed structs; and makes implementations without code for a type that a derive refuses. Without them, the
//! compiler would add an error for each use of the type.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Data, DeriveInput, Fields, GenericParam, Generics, LitInt, Result, Type, Variant,
    parenthesized, parse_quote, token,
};

use crate::attributes::Container;
use crate::input::is_unsized;
use crate::types::{NUMBERS, arguments};

/// The first name of a leaf type in the fields.
fn leaf(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if NUMBERS.iter().any(|leaf| ident == leaf) => Some(ident),
        TokenTree::Group(group) => leaf(group.stream()),
        _ => None,
    })
}

/// The largest alignment that a type of a field can have; `None` if its name does not say it.
fn alignment(ty: &Type) -> Option<u64> {
    match ty {
        Type::Array(array) => alignment(&array.elem),
        Type::Tuple(tuple) => {
            tuple.elems.iter().try_fold(1, |most, ty| Some(most.max(alignment(ty)?)))
        }
        Type::Paren(inner) => alignment(&inner.elem),
        Type::Group(inner) => alignment(&inner.elem),
        Type::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            NUMBERS.contains(&name.as_str()).then(|| {
                match name.trim_start_matches(['f', 'u', 'i']) {
                    "8" | "bool" => 1,
                    "16" => 2,
                    "32" | "char" => 4,
                    "128" => 16,
                    _ => 8,
                }
            })
        }
        _ => None,
    }
}

/// Refuses a packed struct with a field that a reference cannot point to; `advice` says what to do instead.
pub(crate) fn packed(input: &DeriveInput, advice: &str) -> Result<()> {
    let Data::Struct(data) = &input.data else { return Ok(()) };
    let mut reprs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr"));
    reprs.try_for_each(|attribute| {
        attribute.parse_nested_meta(|repr| {
            let mut bytes = 1;
            if repr.input.peek(token::Paren) {
                let inner;
                parenthesized!(inner in repr.input);
                bytes = inner.parse::<LitInt>()?.base10_parse()?;
            }
            let fits = |ty| alignment(ty).is_some_and(|alignment| alignment <= bytes);
            if repr.path.is_ident("packed") && !data.fields.iter().all(|field| fits(&field.ty)) {
                let message = format!("the fields of a packed struct cannot be borrowed: {advice}");
                return Err(repr.error(message));
            }
            Ok(())
        })
    })
}

/// The fields without a size: whether the last field of a struct is one, and whether another one is, of which the compiler
/// says it.
pub(crate) fn without_size(data: &Data) -> (bool, bool) {
    let unsized_ = |fields: &Fields| fields.iter().map(|field| is_unsized(&field.ty)).collect();
    match data {
        Data::Struct(data) => {
            let mut fields: Vec<bool> = unsized_(&data.fields);
            (fields.pop() == Some(true), fields.contains(&true))
        }
        Data::Enum(data) => {
            let all = |variant: &Variant| unsized_(&variant.fields);
            (false, data.variants.iter().flat_map(all).any(|is_unsized: bool| is_unsized))
        }
        Data::Union(_) => (false, false),
    }
}

/// Makes the header of an implementation with more parameters.
fn with(generics: &Generics, more: &[&GenericParam]) -> Generics {
    let mut generics = generics.clone();
    generics.params.extend(more.iter().copied().cloned());
    generics
}

pub(crate) fn tree(input: &DeriveInput) -> TokenStream {
    let (ident, generics) = (&input.ident, &input.generics);
    let (args, bounds) = (arguments(generics), &generics.where_clause);
    let implement = |more: &[&GenericParam], implemented: TokenStream, body: TokenStream| {
        let generics = with(generics, more);
        let (params, ..) = generics.split_for_impl();
        quote!(impl #params #implemented for #ident #args #bounds { #body })
    };
    let kinds: GenericParam = parse_quote!(K__: d__::LeafTypes);
    let one: GenericParam = parse_quote!(K__: d__::Leaf);
    let read = match leaf(input.to_token_stream()) {
        Some(leaf) => implement(&[], quote!(d__::TreeRead<#leaf>), quote!()),
        None => implement(&[&one], quote!(d__::TreeRead<K__>), quote!()),
    };
    let walk = quote! {
        fn walk<'a__, S__: d__::Sink<'a__, K__>>(&'a__ self, _: &mut S__)
        where
            K__: 'a__,
        {
        }

        fn walk_lanes<
            'a__,
            L__: d__::Lanes,
            E__: d__::From<d__::Error>,
            V__: d__::VisitLanes<'a__, K__, L__, E__>,
        >(
            _: d__::Trees<'a__, L__, Self>,
            _: &mut d__::Depth,
            _: &mut V__,
        ) -> d__::Result<(), E__>
        where
            K__: 'a__,
        {
            d__::Ok(())
        }
    };
    let build = quote! {
        fn take_leaves(self, _: &mut impl d__::FnMut(K__::Owned)) {}

        fn build<'d__, S__: d__::Source<'d__, K__>>(_: &mut S__) -> d__::Result<Self, S__::Error> {
            loop {}
        }
    };
    let map = quote! {
        type Output = Self;

        fn map_lanes<'a__, L__: d__::Lanes, E__: d__::From<d__::Error>>(
            _: d__::Trees<'a__, L__, Self>,
            _: &mut d__::Depth,
            _: &mut impl d__::VisitLanes<'a__, K__, L__, E__, M__>,
        ) -> d__::Result<Self, E__>
        where
            K__: 'a__,
        {
            loop {}
        }
    };
    let implementations = [
        implement(&[], quote!(d__::HasSchema), quote!()),
        implement(&[&kinds], quote!(d__::TreeWalk<K__>), walk),
        implement(&[&kinds], quote!(d__::TreeWrite<K__>), quote!()),
        read,
    ];
    // A value of a type without a size is neither rebuilt nor mapped.
    let rebuilt = (!without_size(&input.data).0).then(|| {
        let mapped: GenericParam = parse_quote!(M__);
        let (build, map) = (
            implement(&[&kinds], quote!(d__::TreeBuild<K__>), build),
            implement(&[&one, &mapped], quote!(d__::MapTree<K__, M__>), map),
        );
        quote!(#build #map)
    });
    let krate = Container::parse(&input.attrs)
        .map_or_else(|_| parse_quote!(::treedef), |container| container.krate);
    quote!(const _: () = { use #krate::__private as d__; #(#implementations)* #rebuilt };)
}
