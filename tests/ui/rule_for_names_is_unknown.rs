//~ error: `rename_all` is one of "lowercase", "UPPERCASE", "PascalCase", "camelCase", "snake_case", "SCREAMING_SNAKE_CASE", "kebab-case", "SCREAMING-KEBAB-CASE"
//~ | #[tree(rename_all = "camelcase")]
//~ error: unknown attribute `rename_all`: a field takes `meta`, `leaf`, `skip`, `default`, `name = ".."`
//~# 2

#[derive(treedef::Tree)]
#[tree(rename_all = "camelcase")]
struct Pid {
    max_gain: f32,
}

#[derive(treedef::Tree)]
struct Motor {
    #[tree(rename_all = "camelCase")]
    max_gain: f32,
}
