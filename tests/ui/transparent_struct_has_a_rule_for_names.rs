//~ error: a transparent struct has no names of fields in the treedef, so `rename_all` changes nothing
//~# 1

#[derive(treedef::Tree)]
#[tree(transparent, rename_all = "camelCase")]
struct Volt {
    in_volts: f32,
}
