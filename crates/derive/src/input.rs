//! Reads the type of the derive. A struct is read as one variant without a name.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Data, DeriveInput, Error, Expr, Fields, Generics, LitStr, Member, Result, Type};

use crate::attributes::{
    Container, FieldAttributes, Role, VariantAttributes, distinct, distinct_aliases, named,
    named_by, no_other_field, step,
};
use crate::rename::{self, Rule};
use crate::types::{is_phantom, part};

/// A struct or an enum that is a tree.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) container: Container,
    pub(crate) is_enum: bool,
    pub(crate) variants: Vec<Variant>,
}

/// A variant, or the whole struct.
pub(crate) struct Variant {
    /// `None` for a struct.
    ident: Option<Ident>,
    /// An expression: the type name in the treedef.
    pub(crate) name: TokenStream,
    /// The name of the variant; that of the type for a struct.
    pub(crate) short: String,
    /// Older names of the variant.
    aliases: Vec<LitStr>,
    pub(crate) fields: Vec<Field>,
    /// The name of the function that splits trees of this variant into fields.
    pub(crate) split: Ident,
    /// The name of the constant with the encoded head, if the variant has no meta fields.
    pub(crate) head: Ident,
}

/// A field.
pub(crate) struct Field {
    member: Member,
    pub(crate) ty: Type,
    pub(crate) role: Role,
    /// The value of the field if it is not stored.
    pub(crate) default: Option<Expr>,
    /// The name in the treedef.
    pub(crate) name: String,
    /// Its older names, or the paths that it had in the node.
    pub(crate) aliases: Vec<LitStr>,
    /// The variables for the field in generated code: of this tree, and of the other side of a zip.
    pub(crate) local: Ident,
    pub(crate) other: Ident,
}

impl Field {
    /// Whether the field is a subtree or a leaf.
    pub(crate) fn is_child(&self) -> bool {
        matches!(self.role, Role::Tree | Role::Leaf)
    }
}

impl Input {
    pub(crate) fn parse(input: DeriveInput) -> Result<Self> {
        let container = Container::parse(&input.attrs)?;
        let (is_enum, variants) = match input.data {
            Data::Union(data) => {
                let message = "a union cannot be a tree: it is not known which field is active";
                return Err(Error::new(data.union_token.span, message));
            }
            Data::Struct(data) => {
                let rename = container.rename;
                let variant =
                    Variant::parse(&input.ident, &container, None, &data.fields, rename, 0)?;
                (false, vec![variant])
            }
            Data::Enum(data) => {
                let mut names = Vec::new();
                let variants = data.variants.iter().enumerate().map(|(index, variant)| {
                    let VariantAttributes { name, rename, aliases } =
                        VariantAttributes::parse(&variant.attrs)?;
                    let name = named_by(&variant.ident, name.as_ref(), |own| {
                        rename::variant(container.rename, own)
                    });
                    names.push(name.clone());
                    distinct_aliases(&name.0, &aliases)?;
                    let name = Some((variant.ident.clone(), name.0));
                    let parsed = Variant::parse(
                        &input.ident,
                        &container,
                        name,
                        &variant.fields,
                        rename,
                        index,
                    )?;
                    Ok(Variant { aliases, ..parsed })
                });
                let variants = variants.collect::<Result<_>>()?;
                distinct(&names)?;
                (true, variants)
            }
        };
        Ok(Self { ident: input.ident, generics: input.generics, container, is_enum, variants })
    }

    /// The only child of a transparent struct, whose node is that of the struct.
    pub(crate) fn transparent(&self) -> Option<&Field> {
        self.container.transparent?;
        self.fields().find(|field| field.is_child())
    }

    /// All fields of all variants.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }

    /// Matches on the variant of the first of `trees__`, which have the type `ty`, with an arm for each variant. `name`
    /// is `ty` without generic arguments.
    pub(crate) fn matching_first(
        &self,
        name: &TokenStream,
        ty: &Type,
        mut arm: impl FnMut(&Variant) -> TokenStream,
    ) -> TokenStream {
        if let (false, [variant]) = (self.is_enum, self.variants.as_slice()) {
            return arm(variant);
        }
        let first = quote!(L__::first::<#ty>(&trees__));
        if self.variants.is_empty() {
            return quote!(match *#first {});
        }
        let arms = self.variants.iter().map(|variant| {
            let (pattern, body) = (variant.any(name), arm(variant));
            quote!(#pattern => { #body })
        });
        quote!(match #first { #(#arms)* })
    }

    /// Matches on `on`, with an arm for each variant. An empty enum has no arms.
    pub(crate) fn matching(
        &self,
        on: &TokenStream,
        mut arm: impl FnMut(&Variant) -> TokenStream,
    ) -> TokenStream {
        if self.variants.is_empty() {
            return quote!(match *#on {});
        }
        let arms = self.variants.iter().map(|variant| {
            let (pattern, body) = (variant.pattern(), arm(variant));
            quote!(#pattern => { #body })
        });
        quote!(match #on { #(#arms)* })
    }
}

/// Returns the type without the invisible group that a macro puts around a `$ty:ty`.
fn ungrouped(ty: &Type) -> Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        other => other.clone(),
    }
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("str"))
}

/// Whether the size of a type is not known.
pub(crate) fn is_unsized(ty: &Type) -> bool {
    matches!(ty, Type::TraitObject(_) | Type::Slice(_)) || is_text(ty)
}

/// A type as a person writes it.
fn shown(ty: &impl ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    [("& ", "&"), (" < ", "<"), (" >", ">"), (" ,", ",")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// Refuses a type that is no tree, as far as its name says it, and a type without a size, which no field of a tree has.
fn refuse_type(role: Role, ty: &Type) -> Result<()> {
    match ungrouped(ty) {
        plain if is_unsized(&plain) => {
            let help = "the size of a field of a tree has to be known: put this type in a `Box` or behind a reference";
            Err(Error::new_spanned(ty, help))
        }
        _ if role != Role::Tree => Ok(()),
        plain => {
            let is_borrowed =
                |ty: &Type| matches!(ty, Type::Reference(text) if is_text(&text.elem));
            let is_object = |ty: &Type| matches!(ty, Type::TraitObject(_) | Type::FnPtr(_));
            if let Some(text) = part(&plain, &is_borrowed) {
                let shown = shown(text);
                let help = format!("a borrowed text is a leaf as `treedef::tree::AsLeaf<{shown}>`");
                return Err(Error::new_spanned(text, help));
            }
            let Some(object) = part(&plain, &is_object) else { return Ok(()) };
            let help = format!(
                "`dyn` objects and functions are no trees: mark the field with `#[tree(skip)]`, or make it a leaf: \
                 `treedef::tree::AsLeaf<{}>`",
                shown(&plain)
            );
            Err(Error::new_spanned(object, help))
        }
    }
}

/// The name of a type in the treedef, or of this variant of it.
fn type_name(ty: &Ident, container: &Container, variant: Option<&str>) -> TokenStream {
    let tail = variant.map(|name| format!("::{name}")).unwrap_or_default();
    match &container.name {
        Some(name) => quote!(::core::concat!(#name, #tail)),
        None => {
            let tail = format!("::{}{tail}", named(ty, None).0);
            quote!(::core::concat!(::core::module_path!(), #tail))
        }
    }
}

impl Variant {
    fn parse(
        ty: &Ident,
        container: &Container,
        variant: Option<(Ident, String)>,
        fields: &Fields,
        rename: Option<Rule>,
        index: usize,
    ) -> Result<Self> {
        let (own, _) = named(ty, None);
        let short = variant.as_ref().map_or_else(|| own.clone(), |(_, name)| name.clone());
        let name = type_name(ty, container, variant.as_ref().map(|(_, name)| name.as_str()));
        let mut names = Vec::new();
        let mut meta: Vec<_> = container.metas.iter().map(|(name, _)| named(name, None)).collect();
        let members = fields.members();
        let parsed = fields.iter().zip(members).enumerate().map(|(i, (field, member))| {
            let FieldAttributes { role, default, name, aliases } =
                FieldAttributes::parse(&field.attrs)?;
            if let (Some(_), Some(name)) =
                (container.transparent, name.as_ref().or(aliases.first()))
            {
                let message = "the field of a transparent struct has no name in the treedef";
                return Err(Error::new(name.span(), message));
            }
            let (name, span) = match &member {
                Member::Named(ident) => {
                    named_by(ident, name.as_ref(), |own| rename::field(rename, own))
                }
                Member::Unnamed(index) => match &name {
                    Some(name) => (name.value(), name.span()),
                    None => (index.index.to_string(), Span::call_site()),
                },
            };
            match role {
                Role::Tree | Role::Leaf => {
                    step(&name, span)?;
                    names.push((name.clone(), span));
                }
                Role::Meta => meta.push((name.clone(), span)),
                Role::Skip => {}
            }
            distinct_aliases(&name, &aliases)?;
            refuse_type(role, &field.ty)?;
            let (local, other) = (format_ident!("f{i}__"), format_ident!("o{i}__"));
            let ty = ungrouped(&field.ty);
            Ok(Field { member, ty, role, default, name, aliases, local, other })
        });
        let fields = parsed.collect::<Result<Vec<Field>>>()?;
        if let Some(alias) = fields.iter().flat_map(|field| &field.aliases).nth(64) {
            return Err(Error::new(alias.span(), "the fields of a type have at most 64 aliases"));
        }
        distinct(&names)?;
        distinct(&meta)?;
        for field in &fields {
            let others = if let Role::Meta = field.role { &meta } else { &names };
            no_other_field(others, &field.aliases)?;
        }
        let (split, head) = (format_ident!("split{index}__"), format_ident!("HEAD{index}__"));
        let (ident, aliases) = (variant.map(|(ident, _)| ident), Vec::new());
        Ok(Self { ident, name, short, aliases, fields, split, head })
    }

    /// The fields that hold trees and leaves, in order.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.is_child())
    }

    /// The fields that hold meta fields, in order.
    pub(crate) fn metas(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.role == Role::Meta)
    }

    /// The type names that the variant had: of older names of the type with each name of the variant, and of the type with its older
    /// ones.
    pub(crate) fn older_names(&self, ty: &Ident, container: &Container) -> Vec<TokenStream> {
        let older = self.aliases.iter().map(|alias| type_name(ty, container, Some(&alias.value())));
        let mut names: Vec<_> = older.collect();
        let own = self.ident.is_some().then(|| self.short.clone());
        let variants = own.into_iter().chain(self.aliases.iter().map(LitStr::value));
        let tails: Vec<_> = match self.ident {
            Some(_) => variants.map(|name| format!("::{name}")).collect(),
            None => vec![String::new()],
        };
        for alias in &container.aliases {
            names.extend(tails.iter().map(|tail| quote!(::core::concat!(#alias, #tail))));
        }
        names
    }

    /// The names of the children.
    pub(crate) fn child_names(&self) -> Vec<&String> {
        self.children().map(|field| &field.name).collect()
    }

    /// The fields that walks over several trees use: children, meta fields, and skipped fields, which a map clones.
    pub(crate) fn used(&self) -> impl DoubleEndedIterator<Item = &Field> {
        self.fields.iter().filter(|field| field.role != Role::Skip || !is_phantom(&field.ty))
    }

    fn path(&self, ty: &TokenStream) -> TokenStream {
        match &self.ident {
            Some(variant) => quote!(#ty::#variant),
            None => ty.clone(),
        }
    }

    fn binding<'f>(
        &self,
        ty: &TokenStream,
        fields: impl Iterator<Item = &'f Field>,
        of: impl Fn(&Field) -> &Ident,
    ) -> TokenStream {
        let path = self.path(ty);
        let bindings = fields.map(|field| {
            let (member, local) = (&field.member, of(field));
            quote!(#member: #local,)
        });
        quote!(#path { #(#bindings)* .. })
    }

    /// Binds the fields of `self`.
    pub(crate) fn pattern(&self) -> TokenStream {
        self.binding(&quote!(Self), self.fields.iter(), |field| &field.local)
    }

    /// Matches the variant of `ty` and binds nothing.
    pub(crate) fn any(&self, ty: &TokenStream) -> TokenStream {
        let path = self.path(ty);
        quote!(#path { .. })
    }

    /// Binds the fields of a value of `ty` that walks over several trees use. With `other` they get the variables of the
    /// other side.
    pub(crate) fn other_pattern(&self, ty: &Ident, other: bool) -> TokenStream {
        self.binding(
            &quote!(#ty),
            self.used(),
            |field| if other { &field.other } else { &field.local },
        )
    }

    /// Makes a value of `ty` with `value` for each field.
    pub(crate) fn construct(
        &self,
        ty: &TokenStream,
        value: impl Fn(&Field) -> TokenStream,
    ) -> TokenStream {
        let path = self.path(ty);
        let fields = self.fields.iter().map(|field| {
            let (member, value) = (&field.member, value(field));
            quote!(#member: #value,)
        });
        quote!(#path { #(#fields)* })
    }
}
