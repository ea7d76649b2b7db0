//~ error[E0277]: the leaves of this tree are `i32` and cannot become `f32`
//~ a map cannot change the type of this field
//~ a map gives all leaves one type: to keep several leaf types, change a copy with `treedef::for_each_mut`

treedef::leaf_types! {
    struct Param {
        owned Value,
        read ValueRef,
        write ValueMut,
        run ValueRun,
        Float(f32),
        Count(i32),
    }
}

#[derive(treedef::Tree)]
struct Pid {
    kp: f32,
    steps: i32,
}

fn floats(pid: &Pid) {
    let float = |leaf: ValueRef<'_>| match leaf {
        ValueRef::Float(x) => *x,
        ValueRef::Count(x) => *x as f32,
    };
    treedef::map(pid, float).ok();
}
