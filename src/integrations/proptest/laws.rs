//! The laws of a tree type: what the operations of this crate rely on and the compiler does not check.
//!
//! `#[derive(Tree)]` keeps them. An implementation by hand keeps them if its methods agree: on the order of the leaves, on
//! their number, on the structure. [`check`] asks for all of it.
//!
//! | law | broken by, for example |
//! |---|---|
//! | a structure is described the same each time, in exactly the bytes it asks for | a description that depends on a counter |
//! | the bytes are a treedef, and the value matches it and no other | a name or key that `describe` does not tell |
//! | `LEAVES`, `IMAGE` and `num_leaves` are those of the described structure | a `SHAPE` with a field too few |
//! | every way to read gives the same leaves in the same order | `walk_mut` in another order than `walk` |
//! | what is built has the structure and the leaves it was built from | `build` that swaps two fields |
//! | too few, too many leaves and the treedef of another structure are errors | `build` that reads no head |
//! | in a list, elements are described and read one after the other | `fill` that skips a slot |
//! | a map keeps the structure; two maps one after the other are one | `map_ref` that drops a field |
//! | a tree is a prefix of itself, leaf by leaf | `zip` that stops early |
//!
//! Each law answers a [`TestCaseError`] that says which it was and shows both sides, so that `?` ends a case of
//! `proptest!` and `unwrap` a test without it.
