//~ `record_of_a_type_without_a_name::Config` has the path of its module as its name: give it one by `#[tree(name = "..")]`
//~# 1

#[derive(treedef::Tree)]
struct Config {
    gain: f32,
}

const _: u64 = treedef::record::record_key::<(Option<Config>, u8)>();
