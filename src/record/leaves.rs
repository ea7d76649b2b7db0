//! The bytes of the leaf types of this crate.

use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::NonZero;
use core::time::Duration;

use crate::format::to_value::bounded_text;
use crate::record::bytes::{
    number32, number64, number128, save_bytes, take, take_byte, take_number32, take_number64,
    take_number128, take_text, unzigzag32, unzigzag64, unzigzag128, zigzag32, zigzag64, zigzag128,
};

use crate::record::leaf::{RecordLeaves, StoredLeaf};

/// A leaf type, how a leaf is written and how it is read.
macro_rules! leaves {
    ($([$($generics:tt)*] $leaf:ty: |$self:ident, $out:ident| $save:expr, |$bytes:ident| $load:expr;)*) => {$(
        impl<$($generics)*> $crate::record::leaf::StoredLeaf for $leaf {
            fn save(&$self, $out: &mut $crate::record::bytes::RecordWriter<'_>) {
                $save
            }

            fn load($bytes: &mut &[u8]) -> Option<Self> {
                $load
            }
        }
    )*};
}

leaves! {
    [] bool: |self, out| out.byte(u8::from(*self)), |bytes| match take_byte(bytes)? {
        byte @ 0..=1 => Some(byte == 1),
        _ => None,
    };
    [] u8: |self, out| out.byte(*self), |bytes| take_byte(bytes);
    [] i8: |self, out| out.byte(self.cast_unsigned()), |bytes| take_byte(bytes).map(u8::cast_signed);
    [] u16: |self, out| number32((*self).into(), out), |bytes| take_number32(bytes)?.try_into().ok();
    [] u32: |self, out| number32(*self, out), |bytes| take_number32(bytes);
    [] u64: |self, out| number64(*self, out), |bytes| take_number64(bytes);
    [] u128: |self, out| number128(*self, out), |bytes| take_number128(bytes);
    [] usize: |self, out| number64(*self as u64, out), |bytes| take_number64(bytes)?.try_into().ok();
    [] i16: |self, out| zigzag32((*self).into(), out), |bytes| unzigzag32(bytes)?.try_into().ok();
    [] i32: |self, out| zigzag32(*self, out), |bytes| unzigzag32(bytes);
    [] i64: |self, out| zigzag64(*self, out), |bytes| unzigzag64(bytes);
    [] i128: |self, out| zigzag128(*self, out), |bytes| unzigzag128(bytes);
    [] isize: |self, out| zigzag64(*self as i64, out), |bytes| unzigzag64(bytes)?.try_into().ok();
    [] f32: |self, out| out.all(&self.to_le_bytes()), |bytes| take(bytes).map(Self::from_le_bytes);
    [] f64: |self, out| out.all(&self.to_le_bytes()), |bytes| take(bytes).map(Self::from_le_bytes);
    [] char: |self, out| number32((*self).into(), out), |bytes| char::from_u32(take_number32(bytes)?);
    [] Duration: |self, out| {
        number64(self.as_secs(), out);
        number32(self.subsec_nanos(), out);
    }, |bytes| {
        let (seconds, nanos) = (take_number64(bytes)?, take_number32(bytes)?);
        // `Duration::new` panics where the nanoseconds are more than the seconds have room for.
        if nanos < 1_000_000_000 { Some(Self::new(seconds, nanos)) } else { None }
    };
    [] Ipv4Addr: |self, out| out.all(&self.octets()), |bytes| take::<4>(bytes).map(Self::from);
    [] Ipv6Addr: |self, out| out.all(&self.octets()), |bytes| take::<16>(bytes).map(Self::from);
    [const N: usize] heapless::String<N>: |self, out| save_bytes(self.as_bytes(), out), |bytes| {
        bounded_text(take_text(bytes)?)
    };
}

#[cfg(feature = "alloc")]
leaves! {
    [] alloc::string::String: |self, out| save_bytes(self.as_bytes(), out), |bytes| take_text(bytes).map(Self::from);
}

/// `NonZero` integers, as the integer.
macro_rules! non_zero {
    ($($int:ident)*) => {
        leaves! { $([] NonZero<$int>: |self, out| StoredLeaf::<RecordLeaves>::save(&self.get(), out), |bytes| {
            NonZero::new(<$int as StoredLeaf>::load(bytes)?)
        };)* }
    };
}
non_zero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

#[cfg(any(feature = "fixed", feature = "half"))]
pub(crate) use leaves;
