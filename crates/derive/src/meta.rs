//! Implements `#[derive(Meta)]`: `ToValue` and `FromValue` for enums without data, and for structs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Path, Result, parse_quote};

use crate::attributes::{distinct, meta_crate, named, no_attributes, variant_name};

pub(crate) fn derive(input: DeriveInput) -> Result<TokenStream> {
    let krate = meta_crate(&input.attrs)?;
    let (mut written, mut read_back) = (input.generics.clone(), input.generics);
    let (write, read) = match &input.data {
        Data::Enum(data) => of_enum(&krate, data)?,
        Data::Struct(data) => {
            data.fields.iter().try_for_each(|field| no_attributes(&field.attrs))?;
            if written.type_params().next().is_some() {
                for ty in data.fields.iter().map(|field| &field.ty) {
                    let to_value =
                        parse_quote!(#ty: #krate::format::ToValue + ::core::marker::Sync);
                    written.make_where_clause().predicates.push(to_value);
                    let from_value = parse_quote!(#ty: #krate::format::FromValue);
                    read_back.make_where_clause().predicates.push(from_value);
                }
            }
            of_struct(&krate, &data.fields)
        }
        Data::Union(data) => {
            let message =
                "a union cannot be data of a structure: which field is alive is not known";
            return Err(Error::new(data.union_token.span, message));
        }
    };
    let ident = &input.ident;
    let (params, args, bounds) = written.split_for_impl();
    let (_, _, read_bounds) = read_back.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, unused_mut, unused_qualifications, deprecated, clippy::all)]
        impl #params #krate::format::ToValue for #ident #args #bounds {
            fn with_value<R__>(
                &self,
                take__: impl ::core::ops::FnOnce(#krate::Value<'_>) -> R__,
            ) -> R__ {
                #write
            }
        }

        #[automatically_derived]
        #[allow(unused_variables, unused_mut, unused_qualifications, deprecated, clippy::all)]
        impl #params #krate::format::FromValue for #ident #args #read_bounds {
            fn from_value(value__: #krate::Value<'_>) -> ::core::option::Option<Self> {
                #read
            }
        }
    })
}

/// The value of a variant is its name.
fn of_enum(krate: &Path, data: &DataEnum) -> Result<(TokenStream, TokenStream)> {
    let mut names = Vec::new();
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            let message = "an enum with data cannot be a meta field; \
                use a struct, or an enum without data and further fields";
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
    let write = quote! {
        take__(#krate::Value::Str(match self { #(Self::#idents { .. } => #names,)* }))
    };
    let read = quote! {
        match value__ {
            #(#krate::Value::Str(#names) => ::core::option::Option::Some(Self::#idents {}),)*
            _ => ::core::option::Option::None,
        }
    };
    Ok((write, read))
}

/// The value of a struct is the tuple of its fields.
fn of_struct(krate: &Path, fields: &Fields) -> (TokenStream, TokenStream) {
    let members: Vec<_> = fields.members().collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let borrowed = members.iter().zip(&types).map(|(member, ty)| {
        let field = quote_spanned!(ty.span()=> &self.#member);
        quote!(#field)
    });
    let write = quote!(take__(#krate::__private::derive_support::fields_value(&[#(#borrowed),*])));
    let reads = types.iter().map(|ty| {
        let read = quote_spanned!(ty.span()=> <#ty as #krate::format::FromValue>::from_value);
        quote!(values__.next(#read)??)
    });
    let read = quote! {
        let #krate::Value::Tuple(tuple__) = value__ else {
            return ::core::option::Option::None;
        };
        let mut values__ = tuple__.elements();
        let own__ = Self { #(#members: #reads),* };
        match values__.next(|_| ()) {
            ::core::option::Option::None => ::core::option::Option::Some(own__),
            ::core::option::Option::Some(()) => ::core::option::Option::None,
        }
    };
    (write, read)
}
