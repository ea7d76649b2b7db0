//~ error: an alias of a field is an older name, or a path in its node such as `gains.p` or `taps[0]`: no name in it is empty, and each `[` is closed
//~ #[tree(alias = "a.")]
//~ #[tree(alias = "gains..p")]
//~ #[tree(alias = "taps[0")]
//~ #[tree(alias = "taps[].p")]
//~ error: an alias is an older name: it is not empty, and no space is at its ends
//~ #[tree(alias = " a ")]
//~ #[tree(alias = "Hann ")]
//~ #[tree(name = "app::Motor", alias = " app::Axis")]
//~ error: the name `kp` is given twice
//~ error: the name `ki` is given twice
//~ error: the name `old` is given twice
//~ error: the name `Off` is given twice
//~ error: the name `"app::Now"` is given twice
//~ error: the name `"app::Old"` is given twice
//~ error: `gain` is also the name of a field, and what is stored under it would go to both: give the function that loads a pair of paths, which moves it
//~ error: `unit` is also the name of a field, and what is stored under it would go to both: give the function that loads a pair of paths, which moves it
//~# 17

use treedef::{Meta, Tree};

#[derive(Tree)]
struct Dot {
    #[tree(alias = "a.")]
    b: f32,
}

#[derive(Tree)]
struct Dots {
    #[tree(alias = "gains..p")]
    p: f32,
}

#[derive(Tree)]
struct Bracket {
    #[tree(alias = "taps[0")]
    first: f32,
}

#[derive(Tree)]
struct Brackets {
    #[tree(alias = "taps[].p")]
    first: f32,
}

#[derive(Tree)]
struct Space {
    #[tree(alias = " a ")]
    b: f32,
}

#[derive(Meta)]
enum Window {
    #[tree(alias = "Hann ")]
    Hann,
}

#[derive(Tree)]
#[tree(name = "app::Motor", alias = " app::Axis")]
struct Motor(f32);

#[derive(Tree)]
struct Own {
    #[tree(alias = "kp")]
    kp: f32,
}

#[derive(Tree)]
struct Renamed {
    #[tree(name = "ki", alias = "p", alias = "ki")]
    kp: f32,
}

#[derive(Tree)]
struct Twice {
    #[tree(alias = "old", alias = "older", alias = "old")]
    new: f32,
}

#[derive(Tree)]
enum Mode {
    #[tree(alias = "Off")]
    Off,
    // Two variants that had each other's names.
    #[tree(alias = "Last")]
    First,
    #[tree(alias = "First")]
    Last,
}

#[derive(Tree)]
#[tree(name = "app::Now", alias = "app::Now")]
struct Now(f32);

#[derive(Tree)]
#[tree(alias = "app::Old", alias = "app::Old")]
struct New(f32);

#[derive(Tree)]
struct Empty {
    #[tree(alias = "")]
    a: f32,
}

#[derive(Tree)]
struct OfMeta {
    #[tree(meta, alias = "unit", alias = "unit")]
    a: u8,
}

#[derive(Tree)]
struct Other {
    #[tree(alias = "gain")]
    kp: f32,
    gain: f32,
}

#[derive(Tree)]
struct OtherMeta {
    #[tree(meta, alias = "unit")]
    scale: u8,
    #[tree(meta)]
    unit: u8,
}

// What is fine.
#[derive(Tree)]
#[tree(name = "app::Fine", alias = "Fine", alias = concat!("old::", "Fine"))]
struct Fine {
    #[tree(alias = ".a", alias = "a.b[0]['x.y[']", alias = "[3]", alias = "a/b c", alias = "list[*][1]")]
    b: f32,
    #[tree(meta, alias = "a.")]
    unit: u8,
    #[tree(name = "p", alias = "kp")]
    kp: f32,
}

#[derive(Tree)]
struct Again {
    #[tree(alias = "a")]
    one: f32,
    #[tree(alias = "a")]
    other: f32,
}
