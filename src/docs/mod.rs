//! Pages of the documentation that belong to no item.

/// Makes modules of pages. After the file come the words by which the search of the documentation finds a page; `.ci/measure` holds
/// them. Where a feature is off that a page has links to, these lead to the pages with all features.
macro_rules! pages {
    ($(pub mod $name:ident = $file:literal $(, $word:literal)*;)+) => {$(
        #[doc = include_str!($file)]
        #[doc = ""] // The links that follow must not continue a paragraph.
        #[cfg_attr(all(feature = "alloc", feature = "derive"), doc = include_str!("links.md"))]
        #[cfg_attr(not(all(feature = "alloc", feature = "derive")), doc = include_str!("links_elsewhere.md"))]
        $(#[doc(alias = $word)])*
        pub mod $name {}
    )+};
}

pages! {
    pub mod names = "names.md", "flatten_with_path", "jax", "jax.tree.map", "leaves_with_path", "map_with_path", "optree", "tree.map",
        "tree_flatten_with_accessor", "tree_map_with_accessor";
    pub mod depth = "depth.md", "recursion", "stack";
}

#[doc = include_str!("guide/index.md")]
pub mod guide {
    pages! {
        pub mod typed_trees = "guide/typed_trees.md", "derive", "generic", "visitor";
        pub mod several_trees = "guide/several_trees.md", "adam", "clip", "ema", "freeze", "gradient", "mask", "optimiser", "optimizer", "sgd";
        pub mod dynamic_trees = "guide/dynamic_trees.md", "json";
        pub mod containers = "guide/containers.md";
        pub mod call_keys = "guide/call_keys.md", "HashMap", "jit";
        pub mod jit = "guide/jit.md", "front end", "trace", "tracer";
        pub mod python = "guide/python.md";
        pub mod firmware = "guide/firmware.md", "embedded", "flash", "no_std", "panic", "postcard";
        pub mod board = "guide/board.md", "Cortex-M0", "flash", "miniconf", "postcard", "size";
        pub mod checkpoints = "guide/checkpoints.md", "load", "safetensors", "save", "serialize", "version";
        pub mod recipes = "guide/recipes.md", "burn", "candle", "embassy", "pjrt", "safetensors";
        pub mod costs = "guide/costs.md", "benchmark", "performance", "speed", "stack";
        pub mod from_jax = "guide/from_jax.md", "jax", "pytree";
        pub mod faq = "guide/faq.md", "Box", "buffer size", "byte format", "closure", "dependencies", "enum", "HashMap", "leaf types",
            "license", "load", "msrv", "None", "Option", "panic", "save", "serde", "stability", "stack", "unsafe", "untrusted", "Vec";
    }
}
