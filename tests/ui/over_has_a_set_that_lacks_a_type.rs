//~ error[E0277]: a tree of `Set` leaves cannot hold a `u64`
//~ this tree holds a `u64`
//~ error[E0277]: the trait bound `bool: Weight` is not satisfied

treedef::leaf_types! {
    struct Set { owned Value, read ValueRef, write ValueMut, Float(f32) }
}

pub trait Weight: 'static {}

impl Weight for f32 {}

treedef::leaf_trait! {
    pub struct Weights: dyn Weight
}

fn print(model: &(f32, u64)) {
    treedef::over(model).of::<Set>().for_each(|_| ()).ok();
}

fn sgd(model: &(f32, bool)) {
    treedef::over(model).of::<Weights>().for_each(|_| ()).ok();
}
