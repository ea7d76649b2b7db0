//~# 2
//~ error: a borrowed text is a leaf as `treedef::tree::AsLeaf<&'static str>`
//~ 7 |     name: Option<&'static str>,
#[derive(treedef::Tree)]
struct Device {
    rate: f32,
    name: Option<&'static str>,
}

//~ 13 |     names: std::collections::BTreeMap<&'static str, [&'a str; 2]>,
#[derive(treedef::Tree)]
struct Rack<'a> {
    names: std::collections::BTreeMap<&'static str, [&'a str; 2]>,
}

#[derive(treedef::Tree)]
struct Names<'a> {
    rates: std::collections::BTreeMap<&'a str, f32>,
    skipped: treedef::tree::AsLeaf<&'a str>,
}
