//~ the alias `hours` to `uptmie` leads nowhere: the type has no `uptmie`
//~ the alias `kp` to `app::Motor.kp` leads nowhere: the type has no `app::Motor.kp`
//~ the alias `Motor` to `app::Moter` leads nowhere: the type has no `app::Moter`
//~ the alias `motors[*].kp` to `kp` leads nowhere: the type has no `kp`
//~ the alias `a` to `.kp` leads nowhere: the type has no `.kp`
//~ the alias `a` to `motors.kp` leads nowhere: the type has no `motors.kp`
//~ the alias `a[*]` to `motors[*].gains[2]` leads nowhere: the type has no `motors[*].gains[2]`
//~ the alias `a` to `pair[2]` leads nowhere: the type has no `pair[2]`
//~ the alias `a` to `names[7].kp` leads nowhere: the type has no `names[7].kp`
//~ the alias `a` to `names['x.y` leads nowhere: the type has no `names['x.y`
//~ the alias `a` to `names['x']kp` leads nowhere: the type has no `names['x']kp`
//~ the alias `a` to `uptime.` leads nowhere: the type has no `uptime.`
//~ the alias `a` to `mode.x` leads nowhere: the type has no `mode.x`
//~# 13

use treedef::Tree;
use treedef::algebra::aliases;

#[derive(Tree)]
#[tree(name = "app::Motor")]
struct Motor {
    gains: [f32; 2],
    pid: Pid,
}

#[derive(Tree)]
#[tree(name = "app::Pid")]
struct Pid {
    kp: f32,
}

#[derive(Tree)]
#[tree(name = "app::Mode")]
enum Mode {
    Off,
    On { y: f32 },
}

#[derive(Tree)]
#[tree(name = "app::Settings")]
struct Settings {
    uptime: f32,
    motors: Vec<Motor>,
    pair: (f32, f32),
    names: std::collections::BTreeMap<u8, Motor>,
    mode: Option<Mode>,
}

type Pairs = &'static [(&'static str, &'static str)];

#[derive(Tree)]
#[tree(name = "app::Plain")]
struct Plain {
    uptime: f32,
    motors: Vec<Motor>,
}

pub const NAME: Pairs = aliases!(Plain, [("seconds", "uptime"), ("hours", "uptmie")]);
pub const NAME_OF_TYPE: Pairs = aliases!(Plain, [("kp", "app::Motor.kp")]);
pub const TYPE: Pairs = aliases!(Plain, [("Motor", "app::Moter")]);
pub const NOT_AT_THE_ROOT: Pairs = aliases!(Settings, [("motors[*].kp", "kp")]);
pub const NO_NAME: Pairs = aliases!(Plain, [("a", ".kp")]);
pub const LIST: Pairs = aliases!(Settings, [("a", "motors.kp")]);
pub const ARRAY: Pairs = aliases!(Settings, [("a[*]", "motors[*].gains[2]")]);
pub const TUPLE: Pairs = aliases!(Settings, [("a", "pair[2]")]);
pub const VALUE: Pairs = aliases!(Settings, [("a", "names[7].kp")]);
pub const QUOTE: Pairs = aliases!(Settings, [("a", "names['x.y")]);
pub const AFTER_A_BRACKET: Pairs = aliases!(Settings, [("a", "names['x']kp")]);
pub const LEAF: Pairs = aliases!(Settings, [("a", "uptime.")]);
pub const VARIANT: Pairs = aliases!(Settings, [("a", "mode.x")]);
