#!/usr/bin/env run
#![allow(dead_code)]
use std::{fmt::{self, Display as D}, io::*}; extern crate alloc as a; mod inner { pub(crate) fn f() {} } mod other;
pub struct S<'a, T: ?Sized + 'a = u8, const N: usize> where T: Clone { pub x: &'a mut T, y: [u8; N] } struct Tuple(pub i32, f64); struct Unit;
enum E { A, B(i32), C { x: u8 }, D = 5 } union U { a: u32, b: f32 } type Alias<T> = Vec<Vec<T>>; const C: &str = "x"; static mut G: i32 = -1;
trait Tr<T>: Clone + 'static { type Item; const N: usize; fn m(&self) -> Self::Item where Self: Sized; fn d(self: Box<Self>) {} }
unsafe impl<'a, T> Tr<T> for S<'a, T> where T: Clone { type Item = i32; const N: usize = 1 << 2 >> 1; fn m(&self) -> i32 { 0 } }
pub async unsafe extern "C" fn f<T>(mut a: impl Fn(i32) -> i32, &(b, _): &(i32, i32), c: &mut dyn D) -> Result<(), Box<dyn std::error::Error + Send>> {
    let t = ((1, 2.0), 3); let z = t.0.1 + 1.0 + 1. + 1e3 + 2f32 + 0xFF_u8 as f32; let r = 0..=5; let v = vec![1, 2; 3]; let _ = ..; 1..2; x.0.0; 1.max(2);
    if let Some(x @ 1..=9 | x) = y && z { } else if a == b { } else { return Ok(()); }
    let c = match x { 0 | 1 if y > 2 => 'a', 'b'..='z' => '\'', S { x, ref y, .. } => "s\n", [a, .., b] => r#"raw "x""#, _ => { b"bytes"; b'x' } };
    'outer: loop { while let Some(i) = it.next() { break 'outer; } for (i, x) in v.iter().enumerate() { continue; } }
    let cl = move |x: i32, y| -> i32 { x + y }; cl(1, 2)?.await?; a.b::<Vec<_>>()[1] += *p & !q | r ^ s << 1 >> 2; x = y = -z; unsafe { G += 1; } (a, b) = (b, a); let S { x, .. } = s; panic!("no {}", x);
    Ok(())
}
macro_rules! m { ($x:expr, $($y:tt)*) => { $x + m!($($y)*) }; () => { 0 } } m! { a, b }
/* nested /* comment */ */ /// doc
fn g() -> ! { loop {} } fn generic(a: Option<Option<i32>>, b: fn(u8) -> *const u8, c: <S as Tr<u8>>::Item) where for<'a> F: Fn(&'a u8) {}
