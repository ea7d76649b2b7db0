//! Pages of the documentation that belong to no item.

#[doc = include_str!("names.md")]
#[cfg_attr(feature = "derive", doc = include_str!("links.md"))]
#[cfg_attr(not(feature = "derive"), doc = include_str!("links_without_derive.md"))]
pub mod names {}

#[doc = include_str!("depth.md")]
pub mod depth {}

#[doc = include_str!("guide/index.md")]
pub mod guide {
    #[doc = include_str!("guide/typed_trees.md")]
    #[doc = ""] // The links that follow must not continue a paragraph.
    #[cfg_attr(feature = "derive", doc = include_str!("links.md"))]
    #[cfg_attr(not(feature = "derive"), doc = include_str!("links_without_derive.md"))]
    pub mod typed_trees {}

    #[doc = include_str!("guide/several_trees.md")]
    pub mod several_trees {}

    #[doc = include_str!("guide/dynamic_trees.md")]
    pub mod dynamic_trees {}

    #[doc = include_str!("guide/containers.md")]
    pub mod containers {}

    #[doc = include_str!("guide/call_keys.md")]
    pub mod call_keys {}

    #[doc = include_str!("guide/python.md")]
    pub mod python {}

    #[doc = include_str!("guide/firmware.md")]
    pub mod firmware {}

    #[doc = include_str!("guide/checkpoints.md")]
    pub mod checkpoints {}

    #[doc = include_str!("guide/recipes.md")]
    pub mod recipes {}

    #[doc = include_str!("guide/costs.md")]
    pub mod costs {}

    #[doc = include_str!("guide/from_jax.md")]
    pub mod from_jax {}

    #[doc = include_str!("guide/faq.md")]
    pub mod faq {}
}
