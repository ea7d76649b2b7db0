//~ error[E0277]: the trait bound `u64: Float` is not satisfied
//~ required for `Sgd` to implement `Visit<(&mut u64, &u64)>`

trait Float {
    fn minus(&mut self, other: &Self);
}

impl Float for f32 {
    fn minus(&mut self, other: &f32) {
        *self -= other;
    }
}

struct Sgd;

impl<'a, T: Float> treedef::tree::Visit<(&'a mut T, &'a T)> for Sgd {
    type Out = ();

    fn visit(&mut self, (p, g): (&'a mut T, &'a T)) {
        p.minus(g);
    }
}

fn step(model: &mut (f32, u64), gradient: &(f32, u64)) {
    treedef::over((model, gradient)).types::<(f32, u64)>().visit(Sgd).ok();
}
