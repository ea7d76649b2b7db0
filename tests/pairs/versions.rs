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
mod old_8 { use super::*;
choice! { #[tree(name = "E6")] E6 { V5 { f4: Option<i64> } } }
choice! { #[tree(name = "E8")] E8 { V7 { f2: u16, f3: E6 } } }
record! { #[tree(name = "S13", meta(version = 2))] S13 { f12: i32 } }
record! { #[tree(name = "S10")] S10 { f1: E8, #[tree(meta)] m9: String, f11: S13, f14: Option<i32> } } }
mod new_8 { use super::*;
choice! { #[tree(name = "E6")] E6 { V5 { #[tree(alias = "f4")] f15: Option<i64> } } }
record! { #[tree(name = "S18", meta(version = 2))] S18 { f17: u8 } }
choice! { #[tree(name = "E8")] E8 { V19 {}, V7 { f2: u16, f3: E6, f16: S18 } } }
record! { #[tree(name = "S10")] S10 { #[tree(meta)] m20: String, f1: E8, #[tree(meta)] m9: String, f14: Option<i32> } } }
mod old_9 { use super::*;
record! { #[tree(name = "S8", meta(version = 2))] S8 { f5: Vec<f64>, f6: Option<u16>, f7: u8 } }
record! { #[tree(name = "S3")] S3 { f1: Option<bool>, f2: f32, f4: S8, f9: BTreeMap<i16, f64> } } }
mod new_9 { use super::*;
record! { #[tree(name = "S8", meta(version = 2))] S8 { f5: Option<Vec<f64>>, f7: u8 } }
record! { #[tree(name = "S3")] S3 { f4: S8, #[tree(alias = "f1")] f10: Option<bool>, f2: f32, f9: i64 } } }
mod old_10 { use super::*;
record! { #[tree(name = "S6", meta(version = 1))] S6 { f2: u16, f3: i32, f4: String, f5: u8 } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f11: u8, f12: String, f13: Option<String> } }
record! { #[tree(name = "S9", meta(version = 2))] S9 { f1: Option<heapless::Vec<S6, 2>>, f7: Option<f64>, f8: Option<BTreeMap<u8, bool>>, f10: S14, f15: Option<f32> } } }
mod new_10 { use super::*;
record! { #[tree(name = "S6", meta(version = 1))] S6 { f2: u16, f3: i32, f4: String, f5: u8 } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f11: u8, f12: String, f13: Option<String> } }
record! { #[tree(name = "S9", meta(version = 2))] S9 { f1: Option<Option<heapless::Vec<S6, 2>>>, f7: f64, f16: S14, f15: Option<u8> } } }
mod old_11 { use super::*;
choice! { #[tree(name = "E12")] E12 { V8 { f7: u16 }, V9 {}, V11 { f10: u16 } } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f6: E12, #[tree(meta)] m13: u8 } }
record! { #[tree(name = "S4", meta(version = 2))] S4 { f1: BTreeMap<String, Option<BTreeMap<u8, f32>>>, f2: BTreeMap<i16, i32>, #[tree(meta)] m3: String, f5: S14, f15: Option<f32> } } }
mod new_11 { use super::*;
record! { #[tree(name = "S14", meta(version = 1))] S14 { f16: u8, #[tree(meta)] m13: String } }
record! { #[tree(name = "S4", meta(version = 2))] S4 { f1: BTreeMap<String, BTreeMap<u8, f32>>, f2: BTreeMap<i16, String>, f5: S14, f15: Option<f32> } } }
mod old_12 { use super::*;
choice! { #[tree(name = "E10")] E10 { V9 { f7: f64, f8: i64 } } }
record! { #[tree(name = "S13")] S13 { f12: String } }
record! { #[tree(name = "S14", meta(version = 2))] S14 { f5: heapless::Vec<u16, 2>, f6: E10, f11: S13 } }
record! { #[tree(name = "S3", meta(version = 1))] S3 { f1: BTreeMap<u8, u8>, f2: Option<bool>, f4: S14, f15: i64 } } }
mod new_12 { use super::*;
record! { #[tree(name = "S13")] S13 { f12: Option<String>, f23: u8 } }
record! { #[tree(name = "S20")] S20 { f18: u16, f19: i64 } }
choice! { #[tree(name = "E10")] E10 { V9 { #[tree(default)] f22: i64, #[tree(alias = "f8")] f21: i64, f7: S20 } } }
record! { #[tree(name = "S14", meta(version = 2))] S14 { f11: S13, f5: (f64, i32, f64,), f6: E10 } }
record! { #[tree(name = "S3", meta(version = 1))] S3 { #[tree(alias = "f2")] f17: Option<bool>, #[tree(alias = "f1")] f16: BTreeMap<u8, u8>, f4: S14, f15: i64 } } }
mod old_13 { use super::*;
record! { #[tree(name = "S4")] S4 { f2: u16, #[tree(meta)] m3: String } }
record! { #[tree(name = "S9", meta(version = 2))] S9 { f8: u16 } }
record! { #[tree(name = "S15", meta(version = 1))] S15 { f11: String, f12: i32, f13: i64, f14: f32 } }
record! { #[tree(name = "S6", meta(version = 1))] S6 { f1: BTreeMap<u8, S4>, f5: heapless::Vec<i64, 2>, f7: S9, f10: S15 } } }
mod new_13 { use super::*;
record! { #[tree(name = "S15", meta(version = 1))] S15 { f11: String, f12: i32, f13: i64, f14: f64 } }
record! { #[tree(name = "S4", meta(version = 1))] S4 { f2: u16, f16: heapless::Vec<f32, 2>, #[tree(meta)] m3: String } }
record! { #[tree(name = "S9", meta(version = 2))] S9 { f8: u16 } }
record! { #[tree(name = "S6")] S6 { f10: S15, f1: BTreeMap<i16, S4>, f5: heapless::Vec<Option<i64>, 2>, #[tree(alias = "f7")] f17: S9 } } }
mod old_14 { use super::*;
choice! { #[tree(name = "E3")] E3 { V2 {} } }
record! { #[tree(name = "S10", meta(version = 1))] S10 { f6: heapless::Vec<f64, 2>, f7: f64, f8: i32, f9: u16 } }
choice! { #[tree(name = "E15")] E15 { V13 { f12: f64 }, V14 {} } }
record! { #[tree(name = "S4")] S4 { f1: (E3, (Option<i64>, (String,),),), f5: S10, f11: E15 } } }
mod new_14 { use super::*;
choice! { #[tree(name = "E21")] E21 { V19 { f18: String }, V20 {} } }
choice! { #[tree(name = "E3")] E3 { V2 {} } }
choice! { #[tree(name = "E15")] E15 { V13 { f12: f64 }, V14 {} } }
record! { #[tree(name = "S4")] S4 { f17: E21, f1: (E3, (Vec<i64>, (String,),), Option<bool>,), #[tree(alias = "f11")] f16: E15 } } }
mod old_15 { use super::*;
choice! { #[tree(name = "E7")] E7 { V6 { f5: (u16,) } } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f10: String, f11: heapless::Vec<i64, 2>, f12: f32, f13: Option<String> } }
record! { #[tree(name = "S21", meta(version = 2))] S21 { f16: String, f17: u16, f18: String, f19: f64, #[tree(meta)] m20: i16 } }
record! { #[tree(name = "S8", meta(version = 2))] S8 { f1: f64, f2: String, f3: String, f4: BTreeMap<String, E7>, f9: S14, f15: S21 } } }
mod new_15 { use super::*;
choice! { #[tree(name = "E7")] E7 { V6 { f5: (u16,) } } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f10: String, f11: heapless::Vec<i64, 2>, f12: f32, f13: Option<String> } }
record! { #[tree(name = "S8", meta(version = 2))] S8 { #[tree(alias = "f2")] f22: String, f3: String, f4: BTreeMap<String, E7>, #[tree(alias = "f9")] f23: S14, f15: bool } } }
mod old_16 { use super::*;
record! { #[tree(name = "S8", meta(version = 2))] S8 { f6: (String,), #[tree(meta)] m7: String } }
record! { #[tree(name = "S4", meta(version = 1))] S4 { f1: Option<Option<Option<f64>>>, f2: f64, #[tree(meta)] m3: u8, f5: S8, f9: Vec<f64> } } }
mod new_16 { use super::*;
record! { #[tree(name = "S8", meta(version = 2))] S8 { f6: (String,), #[tree(meta)] m7: String } }
record! { #[tree(name = "S4", meta(version = 1))] S4 { f1: Option<Option<f64>>, f2: f64, f10: Option<f64>, f5: Vec<S8>, f9: f64 } } }
mod old_17 { use super::*;
record! { #[tree(name = "S9")] S9 { f5: String, f6: bool, f7: u16, f8: f32 } }
record! { #[tree(name = "S11", meta(version = 2))] S11 { f2: bool, f3: (u8, Option<i32>,), f4: [S9; 2], f10: BTreeMap<String, [String; 2]> } }
choice! { #[tree(name = "E22")] E22 { V19 { f17: u16, f18: String }, V21 { f20: i32 } } }
record! { #[tree(name = "S24", meta(version = 2))] S24 { f14: i32, f15: bool, f16: Option<E22>, f23: ([u16; 3],) } }
choice! { #[tree(name = "E37")] E37 { V31 {}, V33 { f32: i64 }, V36 { f34: f32, f35: u16 } } }
record! { #[tree(name = "S39")] S39 { f27: heapless::Vec<bool, 2>, f28: Option<i32>, f29: BTreeMap<i16, u8>, f30: E37, #[tree(meta)] m38: u8 } }
record! { #[tree(name = "S25")] S25 { f1: S11, f12: bool, f13: S24, f26: S39, f40: bool } } }
mod new_17 { use super::*;
choice! { #[tree(name = "E44")] E44 { V43 { f41: f64, f42: u8 } } }
record! { #[tree(name = "S11", meta(version = 2))] S11 { f2: E44, f3: (u8, Option<i32>,), f4: [(String, f32,); 2], f10: BTreeMap<String, [String; 2]> } }
record! { #[tree(name = "S50", meta(version = 2))] S50 { f46: u8, f47: u16, f48: i32, f49: f32 } }
record! { #[tree(name = "S24", meta(version = 2))] S24 { f14: i32, f45: S50, f15: Option<f32>, f23: Vec<([u16; 3],)> } }
record! { #[tree(name = "S25")] S25 { f1: S11, f13: S24, f26: (i32,), f51: Option<String>, f40: u16 } } }
mod old_18 { use super::*;
record! { #[tree(name = "S6", meta(version = 2))] S6 { f4: i32, f5: [bool; 2] } }
record! { #[tree(name = "S2", meta(version = 1), alias = "S2")] S2 { f1: [i64; 2], f3: S6, f7: u16 } } }
mod new_18 { use super::*;
record! { #[tree(name = "S6", meta(version = 2))] S6 { f4: i32, f9: heapless::Vec<f64, 2>, #[tree(alias = "f5")] f8: [bool; 2] } }
record! { #[tree(name = "S10", meta(version = 1), alias = "S2")] S10 { f1: [i64; 2], f3: S6, f7: u16 } } }
mod old_19 { use super::*;
choice! { #[tree(name = "E3")] E3 { V2 {} } }
record! { #[tree(name = "S11")] S11 { f9: f64, f10: i64 } }
choice! { #[tree(name = "E22")] E22 { V15 { f13: u16, f14: f64 }, V18 { f16: u16, f17: u8 }, V21 { f19: i64, f20: u8 } } }
record! { #[tree(name = "S24", meta(version = 2))] S24 { f8: S11, f12: E22, f23: Option<i32> } }
record! { #[tree(name = "S28")] S28 { f26: i64, #[tree(meta)] m27: String } }
record! { #[tree(name = "S6", meta(version = 1))] S6 { f1: ([E3; 2], i32,), f4: Option<u8>, f5: Option<Option<heapless::Vec<u16, 2>>>, f7: S24, f25: S28 } } }
mod new_19 { use super::*;
choice! { #[tree(name = "E3")] E3 { V2 {} } }
choice! { #[tree(name = "E37")] E37 { V33 { f32: String }, V34 {}, V36 { f35: bool } } }
record! { #[tree(name = "S28")] S28 { f26: f64, f31: E37 } }
record! { #[tree(name = "S6")] S6 { #[tree(alias = "f1")] f29: ([E3; 2], i32,), f4: Option<Option<u8>>, #[tree(alias = "f5")] f30: Option<Option<heapless::Vec<u16, 2>>>, f7: Option<u8>, f25: S28 } } }
mod old_20 { use super::*;
choice! { #[tree(name = "E9")] E9 { V4 { f3: i64 }, V7 { f5: i32, f6: i64 }, V8 {} } }
choice! { #[tree(name = "E11")] E11 { V10 { f2: E9 } } }
choice! { #[tree(name = "E17")] E17 { V14 { f13: BTreeMap<i16, u8> }, V16 { f15: u8 } } }
record! { #[tree(name = "S25")] S25 { f24: u8 } }
record! { #[tree(name = "S28", meta(version = 1))] S28 { f23: S25, f26: f64, f27: [f64; 3] } }
record! { #[tree(name = "S21")] S21 { f1: BTreeMap<i16, E11>, f12: Option<E17>, f18: f64, f19: f64, #[tree(meta)] m20: u8, f22: S28, f29: String } } }
mod new_20 { use super::*;
choice! { #[tree(name = "E9")] E9 { V4 { f3: i64 }, V7 { f5: i32, f6: i64 }, V8 {} } }
choice! { #[tree(name = "E11")] E11 { V31 {}, V10 { #[tree(alias = "f2")] f30: E9 } } }
choice! { #[tree(name = "E17")] E17 { V14 { f13: BTreeMap<i16, u8> }, V16 { f15: u8 } } }
record! { #[tree(name = "S21")] S21 { f1: BTreeMap<i16, E11>, #[tree(default)] f32: u16, f18: i32, f12: Vec<E17>, f19: u16, f29: String } } }
mod old_21 { use super::*;
record! { #[tree(name = "S7", meta(version = 2))] S7 { f4: u8, f5: Option<u8>, f6: (u8,) } }
record! { #[tree(name = "S13")] S13 { f9: i32, f10: u8, f11: i32, #[tree(meta)] m12: String } }
record! { #[tree(name = "S2", meta(version = 1))] S2 { f1: BTreeMap<u8, Option<bool>>, f3: S7, f8: S13 } } }
mod new_21 { use super::*;
choice! { #[tree(name = "E18")] E18 { V16 { f15: f64 }, V17 {} } }
record! { #[tree(name = "S7", meta(version = 2))] S7 { f4: u8, f14: E18, f5: Option<u8> } }
record! { #[tree(name = "S13")] S13 { f9: i32, f10: u8, f11: i32, #[tree(meta)] m12: String } }
record! { #[tree(name = "S2", meta(version = 1))] S2 { f1: BTreeMap<String, Option<Vec<bool>>>, f3: S7, #[tree(alias = "f8")] f19: S13, f20: Option<u8> } } }
mod old_22 { use super::*;
choice! { #[tree(name = "E4")] E4 { V3 {} } }
choice! { #[tree(name = "E9")] E9 { V8 { f7: f64 } } }
record! { #[tree(name = "S10", meta(version = 2))] S10 { f6: E9 } }
record! { #[tree(name = "S19")] S19 { f15: bool, f16: f32, f17: f32, #[tree(meta)] m18: String } }
record! { #[tree(name = "S20", meta(version = 2))] S20 { f14: S19 } }
record! { #[tree(name = "S12")] S12 { f1: u8, f2: E4, f5: [S10; 2], f11: String, f13: S20, f21: Vec<f64> } } }
mod new_22 { use super::*;
choice! { #[tree(name = "E9")] E9 { V23 { f7: f64 } } }
record! { #[tree(name = "S10", meta(version = 2))] S10 { f6: E9 } }
record! { #[tree(name = "S12")] S12 { #[tree(alias = "f1")] f22: u8, f5: [S10; 3], f11: String, f21: Vec<i64> } } }
mod old_23 { use super::*;
choice! { #[tree(name = "E6")] E6 { V2 {}, V4 { f3: Option<Vec<i64>> }, V5 {} } }
record! { #[tree(name = "S16", meta(version = 1))] S16 { f14: u8, #[tree(meta)] m15: u8 } }
record! { #[tree(name = "S17")] S17 { f12: heapless::Vec<i32, 2>, f13: S16 } }
record! { #[tree(name = "S10", meta(version = 1))] S10 { f1: E6, f7: Option<u8>, f8: (BTreeMap<i16, Option<bool>>, BTreeMap<u8, BTreeMap<String, bool>>,), f9: Option<BTreeMap<u8, Option<i64>>>, f11: S17, f18: Option<i32> } } }
mod new_23 { use super::*;
choice! { #[tree(name = "E6")] E6 { V20 { f19: (f32, f32, u16,) }, V4 { #[tree(meta)] m21: String, f3: Option<Vec<i64>> }, V5 {} } }
record! { #[tree(name = "S16", meta(version = 1))] S16 { f14: u16, #[tree(meta)] m15: u8, #[tree(default)] f22: f32 } }
record! { #[tree(name = "S23")] S23 { f12: heapless::Vec<i32, 2>, f13: S16 } }
record! { #[tree(name = "S10", meta(version = 1))] S10 { f1: E6, #[tree(meta)] m24: i16, f7: Option<u8>, f8: (BTreeMap<i16, Option<bool>>,), f9: Option<BTreeMap<u8, Option<i64>>>, f11: S23, f18: Option<i32> } } }
mod old_24 { use super::*;
choice! { #[tree(name = "E6")] E6 { V5 { f3: bool, f4: f64 } } }
record! { #[tree(name = "S7", meta(version = 2))] S7 { f2: E6 } }
choice! { #[tree(name = "E17")] E17 { V12 { f11: String }, V13 {}, V16 { f14: u16, f15: i32 } } }
record! { #[tree(name = "S21", meta(version = 2))] S21 { f9: f32, f10: E17, f18: [String; 2], f19: Option<u8>, #[tree(meta)] m20: i16 } }
choice! { #[tree(name = "E28")] E28 { V27 { f26: bool } } }
record! { #[tree(name = "S29")] S29 { f24: (i64, u16, f64,), f25: E28 } }
record! { #[tree(name = "S33", meta(version = 2))] S33 { f23: S29, f30: heapless::Vec<BTreeMap<u8, bool>, 2>, f31: Option<Option<i32>>, f32: f32 } }
record! { #[tree(name = "S39", meta(version = 2))] S39 { f37: Option<bool>, f38: String } }
record! { #[tree(name = "S35")] S35 { f1: S7, f8: Option<S21>, f22: S33, #[tree(meta)] m34: i16, f36: S39, f40: BTreeMap<u8, i64> } } }
mod new_24 { use super::*;
choice! { #[tree(name = "E6")] E6 { V5 { f3: f32, f4: f64 } } }
record! { #[tree(name = "S46", meta(version = 1))] S46 { f42: u16, f43: u16, f44: bool, #[tree(meta)] m45: String } }
record! { #[tree(name = "S7", meta(version = 2))] S7 { f2: E6, f41: S46 } }
choice! { #[tree(name = "E17")] E17 { V12 { f11: String }, V13 {}, V16 { f14: u16, f15: i32 } } }
record! { #[tree(name = "S21", meta(version = 2))] S21 { f9: f32, f10: E17, f18: [String; 2], f19: Option<u8>, #[tree(meta)] m20: i16 } }
record! { #[tree(name = "S39", meta(version = 2))] S39 { f37: Option<bool>, #[tree(meta)] m49: u8, #[tree(alias = "f38")] f48: String } }
record! { #[tree(name = "S35")] S35 { f1: S7, #[tree(alias = "f8")] f47: Option<S21>, #[tree(meta)] m34: i16, f36: S39, f50: heapless::Vec<u16, 2>, f40: BTreeMap<u8, i64> } } }
mod old_25 { use super::*;
choice! { #[tree(name = "E5")] E5 { V4 {} } }
record! { #[tree(name = "S11", meta(version = 1))] S11 { f9: i64, #[tree(meta)] m10: String } }
choice! { #[tree(name = "E13")] E13 { V2 {}, V7 { f3: Vec<E5>, f6: Option<Vec<bool>> }, V12 { f8: (S11, f32,) } } }
record! { #[tree(name = "S20", meta(version = 1))] S20 { f17: Vec<u8>, f18: bool, f19: i64 } }
record! { #[tree(name = "S15")] S15 { f1: E13, f14: Option<u16>, f16: S20, f21: Option<i64> } } }
mod new_25 { use super::*;
record! { #[tree(name = "S20", meta(version = 1))] S20 { f17: Vec<f64>, f22: bool, #[tree(alias = "f19")] f23: i64 } }
record! { #[tree(name = "S15")] S15 { f14: Option<Option<u16>>, f16: S20, f21: Option<bool> } } }
mod old_26 { use super::*;
choice! { #[tree(name = "E10")] E10 { V8 { f6: String, f7: f32 }, V9 {} } }
choice! { #[tree(name = "E12")] E12 { V11 { f4: u16, f5: BTreeMap<i16, E10> } } }
record! { #[tree(name = "S21")] S21 { f17: bool, f18: String, f19: String, f20: i64 } }
record! { #[tree(name = "S24", meta(version = 2))] S24 { f16: S21, f22: f32, f23: (i32,) } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f1: u16, f2: Vec<(f64, BTreeMap<u8, String>, Option<bool>,)>, f3: E12, #[tree(meta)] m13: u8, f15: S24, f25: f32 } } }
mod new_26 { use super::*;
record! { #[tree(name = "S21")] S21 { f17: Option<bool>, f18: String, f28: [String; 2], f19: Option<String>, f20: u8 } }
record! { #[tree(name = "S24", meta(version = 2))] S24 { f16: S21, f22: f32, #[tree(alias = "f23")] f29: (i32,) } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f30: Option<i64>, f26: u16, f2: Option<Vec<(f64, BTreeMap<u8, String>, Option<bool>,)>>, #[tree(meta)] m27: u8, f15: S24, f25: u16 } } }
mod old_27 { use super::*;
choice! { #[tree(name = "E8")] E8 { V4 {}, V7 { f5: u8, f6: bool } } }
record! { #[tree(name = "S9", meta(version = 1))] S9 { f2: Option<u16>, f3: E8 } }
choice! { #[tree(name = "E13")] E13 { V12 { f10: heapless::Vec<i32, 2>, f11: BTreeMap<u8, u8> } } }
record! { #[tree(name = "S23", meta(version = 1))] S23 { f21: bool, f22: i32 } }
record! { #[tree(name = "S25")] S25 { f19: Option<i64>, f20: S23, f24: bool } }
record! { #[tree(name = "S17", meta(version = 1))] S17 { f1: (u8, S9, E13,), f14: Option<Option<(f32, f64, String,)>>, f15: String, #[tree(meta)] m16: String, f18: S25, f26: Option<i32> } } }
mod new_27 { use super::*;
choice! { #[tree(name = "E8")] E8 { V4 {}, V7 { f5: u8, f6: bool } } }
record! { #[tree(name = "S9", meta(version = 1))] S9 { f2: Option<u16>, f3: E8 } }
choice! { #[tree(name = "E13")] E13 { V12 { f10: heapless::Vec<i32, 2>, f11: BTreeMap<u8, u8> } } }
record! { #[tree(name = "S28", meta(version = 1), alias = "S23")] S28 { f21: bool, f22: i32 } }
record! { #[tree(name = "S25")] S25 { f19: Option<i64>, f20: S28, f30: (String,), #[tree(alias = "f24")] f29: bool } }
record! { #[tree(name = "S17", meta(version = 1))] S17 { #[tree(alias = "f1")] f27: (u8, S9, E13,), f14: Option<Option<(f32, Option<f64>, String, [u8; 2],)>>, f15: String, #[tree(meta)] m16: String, f18: S25, f31: i32, f26: Option<i32> } } }
mod old_28 { use super::*;
record! { #[tree(name = "S9", meta(version = 2))] S9 { f7: u8, #[tree(meta)] m8: u8 } }
record! { #[tree(name = "S10", meta(version = 2))] S10 { f5: i64, f6: S9 } }
record! { #[tree(name = "S3", meta(version = 1))] S3 { f1: f32, #[tree(meta)] m2: u8, f4: S10, f11: String } } }
mod new_28 { use super::*;
record! { #[tree(name = "S3", meta(version = 1))] S3 { f12: Option<i32>, f1: f32, #[tree(meta)] m2: u8, f11: String } } }
mod old_29 { use super::*;
record! { #[tree(name = "S5", meta(version = 2))] S5 { f2: [String; 2], f3: i64, #[tree(meta)] m4: i16 } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f10: BTreeMap<u8, f32>, f11: (i32,), f12: u16, f13: Option<i64> } }
record! { #[tree(name = "S8", meta(version = 2))] S8 { f1: Option<S5>, f6: Option<[(i64, bool,); 2]>, f7: heapless::Vec<[heapless::Vec<bool, 2>; 2], 2>, f9: S14, f15: Option<f64> } } }
mod new_29 { use super::*;
record! { #[tree(name = "S5", meta(version = 2))] S5 { f2: Vec<Vec<String>>, f3: i64 } }
record! { #[tree(name = "S8", meta(version = 2))] S8 { f1: Option<S5>, f6: Option<Option<[(i64, bool,); 2]>>, #[tree(alias = "f7")] f16: heapless::Vec<[heapless::Vec<bool, 2>; 2], 2>, f15: Option<f64> } } }
mod old_30 { use super::*;
choice! { #[tree(name = "E7")] E7 { V4 {}, V5 {}, V6 {} } }
choice! { #[tree(name = "E16")] E16 { V12 { f11: u8 }, V15 { f13: bool, f14: f64 } } }
record! { #[tree(name = "S21", meta(version = 2))] S21 { f10: E16, f17: BTreeMap<String, i64>, f18: Option<String>, f19: u8, #[tree(meta)] m20: u8 } }
record! { #[tree(name = "S8", meta(version = 1))] S8 { f1: u8, f2: heapless::Vec<i64, 2>, f3: BTreeMap<String, Option<E7>>, f9: S21, f22: Option<i32> } } }
mod new_30 { use super::*;
choice! { #[tree(name = "E16")] E16 { V12 { f11: u8 }, V15 { f13: bool, f14: f64 } } }
record! { #[tree(name = "S21", meta(version = 2))] S21 { f10: E16, f17: BTreeMap<String, i64>, f18: Option<String>, f19: u8, #[tree(meta)] m20: u8 } }
choice! { #[tree(name = "E7")] E7 { V4 { f23: Option<f64> }, V5 {}, V6 {} } }
record! { #[tree(name = "S8", meta(version = 1))] S8 { f1: u8, f2: heapless::Vec<i64, 2>, #[tree(alias = "f9")] f24: S21, f3: BTreeMap<String, Option<E7>>, f22: Option<i32> } } }
mod old_31 { use super::*;
record! { #[tree(name = "S6", meta(version = 1))] S6 { f4: bool, #[tree(meta)] m5: String } }
record! { #[tree(name = "S2")] S2 { f1: i64, f3: S6, f7: f32 } } }
mod new_31 { use super::*;
record! { #[tree(name = "S6", meta(version = 1))] S6 { f4: bool, #[tree(meta)] m5: String } }
record! { #[tree(name = "S2")] S2 { f1: u8, f3: S6, f7: (u16, f64, f64,), f8: Option<f64> } } }
mod old_32 { use super::*;
record! { #[tree(name = "S10", meta(version = 2))] S10 { f6: String, f7: u8, f8: u16, #[tree(meta)] m9: String } }
record! { #[tree(name = "S17")] S17 { f12: u8, f13: String, f14: u16, f15: u8, #[tree(meta)] m16: i16 } }
record! { #[tree(name = "S18", meta(version = 2))] S18 { f4: f32, f5: S10, f11: S17 } }
record! { #[tree(name = "S2", meta(version = 1))] S2 { f1: i32, f3: S18, f19: bool } } }
mod new_32 { use super::*;
record! { #[tree(name = "S10", meta(version = 2))] S10 { f7: Option<u16>, f8: u16, #[tree(meta)] m9: String } }
record! { #[tree(name = "S17")] S17 { f12: u8, f13: String, f15: i32, f14: u16, #[tree(meta)] m16: i16 } }
record! { #[tree(name = "S21", meta(version = 2))] S21 { f4: i64, f5: S10, f11: S17, #[tree(meta)] m20: u8 } }
record! { #[tree(name = "S2", meta(version = 1))] S2 { f1: i32, f3: S21, f19: i32 } } }
mod old_33 { use super::*;
choice! { #[tree(name = "E8")] E8 { V6 { f5: f64 }, V7 {} } }
record! { #[tree(name = "S15")] S15 { f11: f64, f12: u8, f13: i32, f14: String } }
record! { #[tree(name = "S17")] S17 { f3: f64, f4: [E8; 3], f9: Option<Option<f32>>, f10: (S15, Option<i32>,), #[tree(meta)] m16: i16 } }
record! { #[tree(name = "S26", meta(version = 1))] S26 { f22: u16, f23: i32, f24: i32, #[tree(meta)] m25: u8 } }
record! { #[tree(name = "S20", meta(version = 2))] S20 { f1: BTreeMap<i16, f64>, f2: S17, f18: Option<u8>, #[tree(meta)] m19: String, f21: S26, f27: Option<i32> } } }
mod new_33 { use super::*;
choice! { #[tree(name = "E8")] E8 { V6 { f5: f64 }, V7 { f28: [bool; 2] } } }
record! { #[tree(name = "S34")] S34 { f30: u16, f31: i32, f32: i64, #[tree(meta)] m33: u8 } }
record! { #[tree(name = "S15", meta(version = 1))] S15 { f29: S34, f11: Vec<f64>, f12: u8, f13: i32, f14: String } }
record! { #[tree(name = "S17")] S17 { f3: f64, f4: [E8; 3], #[tree(meta)] m16: i16, f9: Option<Option<f32>>, f10: (S15, i32, Option<i32>,), f35: (u16,) } }
record! { #[tree(name = "S26", meta(version = 1))] S26 { #[tree(default)] f37: u16, #[tree(alias = "f22")] f36: u16, f23: i32, f24: i32, #[tree(meta)] m25: u8 } }
record! { #[tree(name = "S20", meta(version = 2))] S20 { f1: BTreeMap<String, f64>, f2: S17, f18: Option<Option<u8>>, #[tree(meta)] m19: String, f21: S26, f27: Option<i32>, #[tree(meta)] m38: String } } }
mod old_34 { use super::*;
record! { #[tree(name = "S7", meta(version = 1))] S7 { f2: Option<i64>, f3: Option<f32>, f4: i32, f5: BTreeMap<i16, u8>, #[tree(meta)] m6: u8 } }
choice! { #[tree(name = "E13")] E13 { V11 { f10: i32 }, V12 {} } }
record! { #[tree(name = "S20")] S20 { f16: (u8, String, i64,), f17: (u8, String,), f18: Option<u16>, #[tree(meta)] m19: u8 } }
record! { #[tree(name = "S23", meta(version = 1))] S23 { f9: E13, f14: BTreeMap<u8, [u16; 2]>, f15: S20, f21: i32, #[tree(meta)] m22: i16 } }
choice! { #[tree(name = "E38")] E38 { V32 { f31: i32 }, V35 { f33: u16, f34: String }, V37 { f36: String } } }
record! { #[tree(name = "S40", meta(version = 1))] S40 { f27: (bool, f64, i32,), f28: (i32, String, i32,), f29: Vec<f32>, f30: E38, #[tree(meta)] m39: i16 } }
record! { #[tree(name = "S25", meta(version = 1))] S25 { f1: BTreeMap<i16, S7>, f8: S23, f24: String, f26: S40, f41: (f64,) } } }
mod new_34 { use super::*;
record! { #[tree(name = "S7", meta(version = 1))] S7 { f2: Option<i64>, f3: Option<f32>, f4: i32, f5: BTreeMap<i16, u8>, #[tree(meta)] m6: u8 } }
record! { #[tree(name = "S40", meta(version = 1))] S40 { f27: (i64, f64, String,), f28: (i32, String, String, [i64; 2],), f29: Vec<f32>, #[tree(meta)] m39: i16, #[tree(meta)] m42: u8 } }
record! { #[tree(name = "S25", meta(version = 1))] S25 { f43: Option<u8>, f8: Option<f32>, f1: BTreeMap<i16, S7>, f26: S40, f41: (f64,) } } }
mod old_35 { use super::*;
choice! { #[tree(name = "E9")] E9 { V5 { f3: String, f4: i32 }, V8 { f6: bool, f7: String } } }
record! { #[tree(name = "S11")] S11 { f2: E9, f10: f64 } }
choice! { #[tree(name = "E22")] E22 { V19 { f18: i32 }, V21 { f20: f32 } } }
record! { #[tree(name = "S27")] S27 { f17: E22, f23: (f64, u8, bool,), f24: Option<i32>, f25: heapless::Vec<bool, 2>, #[tree(meta)] m26: i16 } }
choice! { #[tree(name = "E30")] E30 { V29 {} } }
record! { #[tree(name = "S15", meta(version = 1))] S15 { f1: (S11, Vec<i32>, u16,), f12: bool, f13: u16, #[tree(meta)] m14: String, f16: S27, f28: E30 } } }
mod new_35 { use super::*;
choice! { #[tree(name = "E9")] E9 { V5 { f3: String, f4: i32 }, V8 { f6: bool, f7: String } } }
record! { #[tree(name = "S11")] S11 { f2: E9, f10: f64 } }
choice! { #[tree(name = "E22")] E22 { V19 { f18: i32 }, V21 { f20: f32 } } }
record! { #[tree(name = "S27")] S27 { f17: E22, f23: (f64, u8, bool,), f24: Option<i32>, f25: heapless::Vec<bool, 2>, #[tree(meta)] m26: i16 } }
choice! { #[tree(name = "E30")] E30 { V34 {}, V29 { f33: Option<f64> } } }
record! { #[tree(name = "S15", meta(version = 1))] S15 { f1: Option<(S11, Vec<i32>, u16,)>, f31: bool, f13: Option<u16>, #[tree(meta)] m14: String, #[tree(alias = "f16")] f32: S27, f28: E30 } } }
mod old_36 { use super::*;
choice! { #[tree(name = "E10")] E10 { V6 { f4: i64, f5: i64 }, V9 { f7: u16, f8: i32 } } }
choice! { #[tree(name = "E17")] E17 { V16 { f14: i32, f15: i64 } } }
choice! { #[tree(name = "E25")] E25 { V21 { f20: f32 }, V23 { f22: String }, V24 {} } }
choice! { #[tree(name = "E28")] E28 { V11 { f2: (f64, f64, Option<f32>,), f3: BTreeMap<i16, E10> }, V18 { f12: f32, f13: Option<E17> }, V27 { f19: E25, f26: u16 } } }
record! { #[tree(name = "S36", meta(version = 1))] S36 { f33: [f32; 2], f34: (u16,), f35: [u16; 2] } }
record! { #[tree(name = "S31", meta(version = 2))] S31 { f1: E28, f29: u8, #[tree(meta)] m30: i16, f32: S36, f37: String } } }
mod new_36 { use super::*;
choice! { #[tree(name = "E10")] E10 { V6 { f4: i64, f5: i64 }, V9 { f7: u16, f8: i32 } } }
choice! { #[tree(name = "E17")] E17 { V16 { f14: i32, f15: i64 } } }
choice! { #[tree(name = "E25")] E25 { V21 { f20: f32 }, V23 { f22: String }, V24 {} } }
choice! { #[tree(name = "E28")] E28 { V11 { f2: (f64, f64, Option<f32>,), f3: BTreeMap<i16, E10> }, V18 { f12: f32, f13: Option<E17> }, V27 { f19: E25, f26: u16 } } }
record! { #[tree(name = "S36", meta(version = 1))] S36 { f40: [String; 2], f38: [f32; 2], #[tree(alias = "f34")] f39: (u16,), f35: [u16; 2] } }
record! { #[tree(name = "S31", meta(version = 2))] S31 { f1: Option<E28>, f29: f64, #[tree(meta)] m30: u8, f37: String, f32: S36 } } }
mod old_37 { use super::*;
choice! { #[tree(name = "E13")] E13 { V8 { f6: u8, f7: i32 }, V11 { f9: f32, f10: f32 }, V12 {} } }
record! { #[tree(name = "S16")] S16 { f3: BTreeMap<u8, Option<u8>>, f4: BTreeMap<u8, i64>, f5: (E13, heapless::Vec<u8, 2>,), f14: BTreeMap<String, f32>, #[tree(meta)] m15: i16 } }
record! { #[tree(name = "S21")] S21 { f19: (String, i32, i64,), #[tree(meta)] m20: i16 } }
record! { #[tree(name = "S25", meta(version = 1))] S25 { f18: S21, f22: Option<Vec<u8>>, f23: [String; 2], #[tree(meta)] m24: u8 } }
record! { #[tree(name = "S32")] S32 { f29: [f64; 2], f30: Option<String>, f31: i32 } }
record! { #[tree(name = "S27", meta(version = 1), alias = "S27")] S27 { f1: f32, f2: S16, f17: S25, #[tree(meta)] m26: i16, f28: S32, f33: (u16, u8,) } } }
mod new_37 { use super::*;
choice! { #[tree(name = "E13")] E13 { V8 { f6: u8, f7: i32 }, V11 { f9: f32, f10: f32 }, V12 {} } }
record! { #[tree(name = "S16")] S16 { f3: BTreeMap<u8, Option<u8>>, f4: BTreeMap<u8, i64>, f5: (E13, heapless::Vec<u8, 2>,), f14: BTreeMap<String, f32>, #[tree(meta)] m15: i16 } }
record! { #[tree(name = "S21")] S21 { f19: (String, i32, i64,), #[tree(meta)] m20: i16 } }
record! { #[tree(name = "S25", meta(version = 1))] S25 { f18: S21, f22: Option<Vec<u8>>, f23: [String; 2], #[tree(meta)] m24: u8 } }
record! { #[tree(name = "S32")] S32 { f29: [f64; 2], f30: Option<String>, f31: i32 } }
record! { #[tree(name = "S35", meta(version = 1), alias = "S27")] S35 { f1: f32, f2: Vec<S16>, f34: S25, f28: Vec<S32>, f33: (u16, u8, Option<String>,) } } }
mod old_38 { use super::*;
choice! { #[tree(name = "E7")] E7 { V4 {}, V6 { f5: Vec<u8> } } }
record! { #[tree(name = "S14", meta(version = 1))] S14 { f12: i32, #[tree(meta)] m13: i16 } }
record! { #[tree(name = "S17")] S17 { f11: S14, f15: i32, f16: Option<u16> } }
record! { #[tree(name = "S9")] S9 { f1: Option<([u16; 2],)>, f2: Option<i32>, f3: (E7, Option<BTreeMap<u8, f32>>,), #[tree(meta)] m8: i16, f10: S17, f18: (u8,) } } }
mod new_38 { use super::*;
record! { #[tree(name = "S14", meta(version = 1))] S14 { #[tree(meta)] m13: i16, f12: i32 } }
record! { #[tree(name = "S17")] S17 { f11: S14, f15: i32, f19: Option<u16> } }
record! { #[tree(name = "S9")] S9 { f1: ((f32, String,),), f2: Option<u16>, f3: (BTreeMap<u8, u8>, Option<BTreeMap<i16, Option<f32>>>, BTreeMap<u8, f64>,), #[tree(meta)] m8: i16, f10: S17 } } }
mod old_39 { use super::*;
record! { #[tree(name = "S7", meta(version = 1))] S7 { f4: Option<bool>, f5: String, #[tree(meta)] m6: u8 } }
record! { #[tree(name = "S2", meta(version = 1))] S2 { f1: Option<i64>, f3: S7, f8: Option<bool> } } }
mod new_39 { use super::*;
record! { #[tree(name = "S2", meta(version = 1))] S2 { f1: i64, #[tree(alias = "f8")] f9: Option<bool> } } }
pairs! {
old_0::S26, new_0::S26, [];
old_1::S11, new_1::S11, [("f1.f2", "f1.f17")];
old_2::S33, new_2::S33, [("f4.f7", "f13.f47"), ("f4.f5", "f56")];
old_3::S2, new_3::S2, [];
old_4::S3, new_4::S3, [];
old_5::S25, new_5::S25, [("f26.f29.f30", "f26.f36")];
old_6::S15, new_6::S15, [("f7", "f1.f27")];
old_7::S3, new_7::S3, [];
old_8::S10, new_8::S10, [];
old_9::S3, new_9::S3, [];
old_10::S9, new_10::S9, [("f10.f11", "f16.f11")];
old_11::S4, new_11::S4, [("f5.f6", "f5.f16")];
old_12::S3, new_12::S3, [];
old_13::S6, new_13::S6, [];
old_14::S4, new_14::S4, [("f5.f7", "f17")];
old_15::S8, new_15::S8, [];
old_16::S4, new_16::S4, [("f5.f6", "f10")];
old_17::S25, new_17::S25, [("f26.f27", "f13.f45.f48")];
old_18::S2, new_18::S10, [];
old_19::S6, new_19::S6, [("f7.f8.f9", "f25.f31")];
old_20::S21, new_20::S21, [("f22.f26", "f32")];
old_21::S2, new_21::S2, [("f8.f10", "f20")];
old_22::S12, new_22::S12, [];
old_23::S10, new_23::S10, [];
old_24::S35, new_24::S35, [("f8.f18", "f1.f41.f42"), ("f22.f23.f25", "f1.f41.f44")];
old_25::S15, new_25::S15, [("f1", "f16.f22")];
old_26::S14, new_26::S14, [("f1", "f30")];
old_27::S17, new_27::S17, [];
old_28::S3, new_28::S3, [("f4.f5", "f12")];
old_29::S8, new_29::S8, [];
old_30::S8, new_30::S8, [];
old_31::S2, new_31::S2, [];
old_32::S2, new_32::S2, [];
old_33::S20, new_33::S20, [];
old_34::S25, new_34::S25, [("f24", "f43")];
old_35::S15, new_35::S15, [("f12", "f31")];
old_36::S31, new_36::S31, [("f32.f33", "f32.f38")];
old_37::S27, new_37::S35, [("f2.f3", "f34.f22"), ("f28.f31", "f34.f18.f19")];
old_38::S9, new_38::S9, [("f10.f16", "f10.f19")];
old_39::S2, new_39::S2, [];
}
