//! Calls a macro for tuples of each length.

/// Calls the macro `$call` with each front of a list that has more items than those in brackets: `each_front!(call; [a] b c)` is
/// `call!(a b)` and `call!(a b c)`.
macro_rules! each_front {
    ($call:ident; [$($front:tt)*]) => {};
    ($call:ident; [$($front:tt)*] $next:tt $($rest:tt)*) => {
        $call! { $($front)* $next }
        $crate::base::fronts::each_front! { $call; [$($front)* $next] $($rest)* }
    };
}
pub(crate) use each_front;
