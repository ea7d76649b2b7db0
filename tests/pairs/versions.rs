// Written by `versions.py`.
mod old_0 { use super::*;
choice! { #[tree(name = "E14")] E14 { V7 { f5: i32, f6: String }, V10 { f8: u8, f9: f32 }, V13 { f11: i64, f12: i32 } } }
record! { #[tree(name = "S19")] S19 { f16: f64, f17: Option<f64>, f18: i64 } }
choice! { #[tree(name = "E21")] E21 { V3 {}, V20 { f4: heapless::Vec<E14, 2>, f15: S19 } } }
record! { #[tree(name = "S24")] S24 { f23: heapless::Vec<bool, 2> } }
record! { #[tree(name = "S32", meta(version = 2))] S32 { f28: BTreeMap<String, f32>, f29: Option<i64>, f30: [u16; 2], f31: BTreeMap<u8, u8> } }
choice! { #[tree(name = "E41")] E41 { V36 { f34: f32, f35: f64 }, V37 {}, V40 { f38: String, f39: String } } }
record! { #[tree(name = "S26", meta(version = 1))] S26 { f1: (f32, Option<(f32,)>,), f2: E21, f22: Option<S24>, f25: Option<BTreeMap<String, f32>>, f27: S32, f33: E41 } } }
mod new_0 { use super::*;
record! { #[tree(name = "S24")] S24 { #[tree(meta)] m42: u8 } }
record! { #[tree(name = "S32", meta(version = 2))] S32 { f28: String, f29: Option<i64>, f30: [i64; 2], f31: BTreeMap<u8, f64> } }
choice! { #[tree(name = "E41")] E41 { V36 { f34: f32, f35: f64 }, V37 {}, V40 { f39: String } } }
record! { #[tree(name = "S26", meta(version = 1))] S26 { f1: (f32,), f22: Option<S24>, f2: BTreeMap<String, f64>, #[tree(alias = "f25")] f43: Option<BTreeMap<String, f32>>, f27: S32, f33: E41 } } }
mod old_1 { use super::*;
record! { #[tree(name = "S7")] S7 { f5: (f64,), f6: String } }
record! { #[tree(name = "S9", meta(version = 1))] S9 { f2: i64, f3: Option<BTreeMap<i16, u8>>, f4: S7, f8: f32 } }
record! { #[tree(name = "S15", meta(version = 1))] S15 { f13: Option<u16>, #[tree(meta)] m14: u8 } }
record! { #[tree(name = "S11")] S11 { f1: S9, #[tree(meta)] m10: i16, f12: S15, f16: u8 } } }
mod new_1 { use super::*;
record! { #[tree(name = "S7")] S7 { f5: (f64,), f6: String } }
record! { #[tree(name = "S9", meta(version = 1))] S9 { f8: f32, f17: i64, #[tree(alias = "f3")] f18: Option<BTreeMap<i16, u8>>, f4: S7 } }
record! { #[tree(name = "S15", meta(version = 1))] S15 { f13: Option<u16> } }
record! { #[tree(name = "S11")] S11 { f1: S9, #[tree(meta, alias = "m10")] m19: i16, f12: S15, f16: u8 } } }
mod old_2 { use super::*;
choice! { #[tree(name = "E3")] E3 { V2 {} } }
choice! { #[tree(name = "E11")] E11 { V9 { f8: u8 }, V10 {} } }
record! { #[tree(name = "S12")] S12 { f5: [BTreeMap<u8, u16>; 2], f6: Option<Option<String>>, f7: E11 } }
choice! { #[tree(name = "E24")] E24 { V17 {}, V20 { f18: f64, f19: bool }, V23 { f21: String, f22: u16 } } }
record! { #[tree(name = "S25", meta(version = 2))] S25 { f14: heapless::Vec<i32, 2>, f15: f32, f16: E24 } }
choice! { #[tree(name = "E32")] E32 { V29 { f27: String, f28: i64 }, V31 { f30: f64 } } }
choice! { #[tree(name = "E40")] E40 { V39 { f37: f32, f38: f64 } } }
record! { #[tree(name = "S41")] S41 { f35: heapless::Vec<i32, 2>, f36: E40 } }
record! { #[tree(name = "S33")] S33 { f1: E3, f4: S12, f13: Option<S25>, f26: Option<[E32; 3]>, f34: S41, f42: f32 } } }
mod new_2 { use super::*;
choice! { #[tree(name = "E3")] E3 { V43 {}, V2 {} } }
choice! { #[tree(name = "E24")] E24 { V20 { f19: bool, #[tree(alias = "f18")] f45: f64 }, V23 { f21: String, f22: u16, f46: Option<u16> } } }
record! { #[tree(name = "S25", meta(version = 2))] S25 { f15: f64, f14: heapless::Vec<i32, 2>, #[tree(default)] f47: u16, f16: E24 } }
choice! { #[tree(name = "E32")] E32 { #[tree(alias = "V31")] V50 { f30: f64 } } }
record! { #[tree(name = "S55", meta(version = 1))] S55 { f52: f64, f53: f64, f54: f64 } }
choice! { #[tree(name = "E40")] E40 { V39 { f38: bool } } }
record! { #[tree(name = "S41")] S41 { f35: heapless::Vec<Vec<bool>, 2>, f51: S55, f36: E40 } }
record! { #[tree(name = "S33")] S33 { f1: E3, f13: Option<S25>, f26: Option<E32>, f34: S41, f56: Option<i64>, f42: f32 } } }
mod old_3 { use super::*;
choice! { #[tree(name = "E11")] E11 { V7 { f5: f64, f6: f64 }, V10 { f8: f64, f9: u8 } } }
record! { #[tree(name = "S12", meta(version = 1))] S12 { f4: E11 } }
record! { #[tree(name = "S2")] S2 { f1: [BTreeMap<u8, u8>; 2], f3: S12, f13: Option<bool> } } }
mod new_3 { use super::*;
record! { #[tree(name = "S17")] S17 { f16: u8 } }
choice! { #[tree(name = "E11")] E11 { V7 { f5: f64, f6: f64, #[tree(meta)] m14: String }, V10 { f8: f64, f9: u8, f15: S17 } } }
record! { #[tree(name = "S12", meta(version = 1))] S12 { f18: Option<u16>, f4: E11 } }
record! { #[tree(name = "S2")] S2 { f1: BTreeMap<u8, u8>, f3: S12, f13: Option<bool> } } }
mod old_4 { use super::*;
record! { #[tree(name = "S10", meta(version = 2))] S10 { f6: f32, f7: u16, f8: u16, f9: bool } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f5: S10, f11: i32, f12: BTreeMap<i16, String>, f13: f32 } }
record! { #[tree(name = "S3", meta(version = 1))] S3 { f1: i64, #[tree(meta)] m2: u8, f4: S14, f15: i64 } } }
mod new_4 { use super::*;
record! { #[tree(name = "S10", meta(version = 2))] S10 { f6: f32, f7: Option<u16>, f8: u16, #[tree(alias = "f9")] f16: bool } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f5: S10, f13: f32, f11: u8, f12: String } }
record! { #[tree(name = "S3")] S3 { #[tree(meta)] m17: u8, #[tree(meta)] m2: u8, f4: S14, f15: i64 } } }
mod old_5 { use super::*;
choice! { #[tree(name = "E9")] E9 { V6 { f4: i64, f5: f32 }, V8 { f7: u16 } } }
choice! { #[tree(name = "E15")] E15 { V10 { f2: i64, f3: E9 }, V11 {}, V14 { f12: (u16,), f13: Vec<bool> } } }
choice! { #[tree(name = "E22")] E22 { V16 {}, V19 { f17: BTreeMap<u8, String>, f18: BTreeMap<String, i32> }, V21 { f20: u16 } } }
record! { #[tree(name = "S31")] S31 { f30: i32 } }
record! { #[tree(name = "S33", meta(version = 2))] S33 { f27: String, f28: f64, f29: S31, #[tree(meta)] m32: u8 } }
record! { #[tree(name = "S25", meta(version = 1))] S25 { f1: (E15, u16, E22,), f23: i32, f24: Vec<[Option<i64>; 2]>, f26: S33, f34: bool } } }
mod new_5 { use super::*;
choice! { #[tree(name = "E15")] E15 { V10 { f2: i64 }, V11 {}, V14 { f13: [bool; 3], f12: (f64,) } } }
choice! { #[tree(name = "E22")] E22 { V16 {}, V19 { f17: String, f18: BTreeMap<String, i32> }, V21 { f20: u16 } } }
record! { #[tree(name = "S33")] S33 { f36: Vec<u16>, f27: String, f28: f64, #[tree(meta, alias = "m32")] m35: u8 } }
record! { #[tree(name = "S25", meta(version = 1))] S25 { f1: (E15, bool, E22,), f23: i32, f24: Vec<[Option<i64>; 2]>, f26: S33 } } }
mod old_6 { use super::*;
record! { #[tree(name = "S4", meta(version = 1))] S4 { f2: u8, f3: [(i32, f64,); 3] } }
choice! { #[tree(name = "E13")] E13 { V10 {}, V12 { f11: String } } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f8: u16, f9: [E13; 2] } }
choice! { #[tree(name = "E20")] E20 { V19 { f18: i32 } } }
record! { #[tree(name = "S25", meta(version = 2))] S25 { f17: E20, f21: Vec<f32>, f22: f64, f23: Option<i64>, #[tree(meta)] m24: u8 } }
record! { #[tree(name = "S15", meta(version = 2))] S15 { f1: S4, f5: heapless::Vec<BTreeMap<i16, bool>, 2>, f6: BTreeMap<i16, Option<bool>>, f7: S14, f16: S25, f26: Vec<u8> } } }
mod new_6 { use super::*;
record! { #[tree(name = "S4", meta(version = 1))] S4 { f2: String, f27: (u8,), f3: [(i32, f64,); 3] } }
record! { #[tree(name = "S15", meta(version = 2))] S15 { f1: S4, f5: heapless::Vec<bool, 2>, f6: BTreeMap<i16, Option<bool>>, f16: bool, f26: Vec<String> } } }
mod old_7 { use super::*;
record! { #[tree(name = "S9", meta(version = 2))] S9 { f5: i64, f6: u8, f7: Option<u8>, #[tree(meta)] m8: i16 } }
record! { #[tree(name = "S3")] S3 { f1: f64, f2: f32, f4: S9, f10: [u8; 2] } } }
mod new_7 { use super::*;
record! { #[tree(name = "S9", meta(version = 1))] S9 { f6: u8, f7: Option<u8>, #[tree(meta)] m8: i16 } }
record! { #[tree(name = "S3")] S3 { f1: i32, #[tree(alias = "f2")] f11: f32, f4: S9, f10: BTreeMap<i16, String> } } }
pairs! {
0: old_0::S26, new_0::S26, [];
1: old_1::S11, new_1::S11, [("f1.f2", "f1.f17")];
2: old_2::S33, new_2::S33, [("f4.f7", "f13.f47"), ("f4.f5", "f56")];
3: old_3::S2, new_3::S2, [];
4: old_4::S3, new_4::S3, [];
5: old_5::S25, new_5::S25, [("f26.f29.f30", "f26.f36")];
6: old_6::S15, new_6::S15, [("f7", "f1.f27")];
7: old_7::S3, new_7::S3, [];
}
