//~ error: the field of a transparent struct has no name in the treedef
//~ | struct Volt(#[tree(name = "volt")] f32);
//~ error: `default` is for a field of a node, and a transparent struct has none of its own: give it to the fields of this type
//~ | struct Meter(#[tree(default = 1.0)] f32);
//~ error: the field of a transparent struct has no name in the treedef
//~ | struct Ohm(#[tree(alias = "ohm")] f32);
//~# 3

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Volt(#[tree(name = "volt")] f32);

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Ohm(#[tree(alias = "ohm")] f32);

#[derive(treedef::Tree)]
#[tree(transparent)]
struct Meter(#[tree(default = 1.0)] f32);
