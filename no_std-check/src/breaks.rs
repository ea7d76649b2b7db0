//! Broken promises, one behind each feature: what the proof has to refuse.

use core::hint::black_box;

/// Calls what the features ask for.
pub(super) fn all() {
    #[cfg(feature = "break_index")]
    index();
    #[cfg(feature = "break_alloc")]
    alloc();
    #[cfg(feature = "break_float_text")]
    float_text();
}

/// Indexes without a check the optimiser could remove.
#[cfg(feature = "break_index")]
fn index() {
    let bytes: &[u8] = black_box(&[0; 4]);
    black_box(bytes[black_box(2)]);
}

/// Puts a value on a heap that the program does not have.
#[cfg(feature = "break_alloc")]
fn alloc() {
    extern crate alloc;
    black_box(alloc::boxed::Box::new(black_box(1u8)));
}

/// Prints a float as `core` does, whose digit generator can panic.
#[cfg(feature = "break_float_text")]
fn float_text() {
    use core::fmt::Write;

    struct Void;

    impl Write for Void {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            black_box(text);
            Ok(())
        }
    }

    let _ = write!(Void, "{:?}", black_box(1.5f32));
}
