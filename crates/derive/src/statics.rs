//! `#[derive(Static)]`: enums without data, and structs.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Path, Result, parse_quote};

use crate::attributes::{distinct, named, no_attributes, static_crate, variant_name};

pub(crate) fn derive(input: DeriveInput) -> Result<TokenStream> {
    let krate = static_crate(&input.attrs)?;
    let mut generics = input.generics;
    let (lend, read) = match &input.data {
        Data::Enum(data) => of_enum(&krate, data)?,
        Data::Struct(data) => {
            data.fields.iter().try_for_each(|field| no_attributes(&field.attrs))?;
            if generics.type_params().next().is_some() {
                let clause = generics.make_where_clause();
                for ty in data.fields.iter().map(|field| &field.ty) {
                    clause.predicates.push(parse_quote!(#ty: #krate::Static));
                }
            }
            of_struct(&krate, &data.fields)
        }
        Data::Union(data) => {
            let message = "a union cannot be static data: which field is alive is not known";
            return Err(Error::new(data.union_token.span, message));
        }
    };
    let (ident, (params, args, bounds)) = (&input.ident, generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, unused_mut, unused_qualifications, deprecated, clippy::all)]
        impl #params #krate::Static for #ident #args #bounds {
            fn with_value<R__>(
                &self,
                lend__: impl ::core::ops::FnOnce(#krate::Value<'_>) -> R__,
            ) -> R__ {
                #lend
            }

            fn from_value(value__: #krate::Value<'_>) -> ::core::option::Option<Self> {
                #read
            }
        }
    })
}

/// A variant is its name.
fn of_enum(krate: &Path, data: &DataEnum) -> Result<(TokenStream, TokenStream)> {
    let mut names = Vec::new();
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            let message = "a variant with data cannot be static data; \
                use a struct, or an enum without data beside the fields";
            return Err(Error::new(variant.fields.span(), message));
        }
        names.push(named(&variant.ident, variant_name(&variant.attrs)?.as_ref()));
    }
    distinct(&names)?;
    if data.variants.is_empty() {
        return Ok((quote!(match *self {}), quote!(::core::option::Option::None)));
    }
    let idents: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let names: Vec<_> = names.into_iter().map(|(name, _)| name).collect();
    let lend = quote! {
        lend__(#krate::Value::Str(match self { #(Self::#idents { .. } => #names,)* }))
    };
    let read = quote! {
        match value__ {
            #(#krate::Value::Str(#names) => ::core::option::Option::Some(Self::#idents {}),)*
            _ => ::core::option::Option::None,
        }
    };
    Ok((lend, read))
}

/// A struct is the tuple of its fields.
fn of_struct(krate: &Path, fields: &Fields) -> (TokenStream, TokenStream) {
    let members: Vec<_> = fields.members().collect();
    let values: Vec<_> = (0..members.len()).map(|i| format_ident!("v{i}__")).collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let whole = quote!(lend__(#krate::Value::Tuple(#krate::Tuple::new(&[#(#values),*]))));
    let nested = members.iter().zip(&types).zip(&values).rev();
    let lend = nested.fold(whole, |body, ((member, ty), value)| {
        let lend = quote_spanned!(ty.span()=> <#ty as #krate::Static>::with_value);
        quote!(#lend(&self.#member, |#value| #body))
    });
    let reads = types.iter().map(|ty| {
        let read = quote_spanned!(ty.span()=> <#ty as #krate::Static>::from_value);
        quote!(#read(::core::iter::Iterator::next(&mut values__)?)?)
    });
    let read = quote! {
        let #krate::Value::Tuple(tuple__) = value__ else {
            return ::core::option::Option::None;
        };
        let mut values__ = tuple__.iter();
        let own__ = Self { #(#members: #reads),* };
        match ::core::iter::Iterator::next(&mut values__) {
            ::core::option::Option::None => ::core::option::Option::Some(own__),
            ::core::option::Option::Some(_) => ::core::option::Option::None,
        }
    };
    (lend, read)
}
