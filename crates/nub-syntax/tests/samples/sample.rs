//! A crate.
use std::{collections::HashMap, fmt::{self, Display as D}};

/// A point.
#[derive(Clone, Debug)]
pub struct Point<'a, T: 'a + Copy = i32> where T: Display { x: T, pub(crate) y: &'a mut [T; 3] }
struct Unit;
struct Pair(u8, pub String);
enum E { A, B(i32, f64), C { x: u8 } = 3 }
const N: usize = 1 << 4;
trait Shape: Send { type Out; const K: u8 = 1; fn area(&self) -> Self::Out { loop {} } fn name(self: Box<Self>); }
impl<T> Shape for Point<'_, T> where T: Copy { type Out = T; fn name(self: Box<Self>) {} }
macro_rules! m { ($x:expr, $($y:ident),* $(,)?) => { $x + 1 }; () => {}; }

pub async unsafe fn f<const M: usize>(mut a: &str, (b, _): (u8, char)) -> Result<Vec<u8>, Box<dyn fmt::Error>> {
    let Some(x) = a.parse::<u8>().ok() else { return Err("x".into()) };
    let y = if let Some(1..=3 | 7) = z && x > 2 { 1 } else if b { 2 } else { loop { break 3 } };
    'outer: for (i, c) in a.chars().enumerate().filter(|&(i, _)| i % 2 == 0) { while !c { continue 'outer; } }
    match y { 0 => {}, n @ 1.. if n < 5 => println!("{n:?} {}", r#"raw"#), E::C { x, .. } => (), _ => unreachable!() }
    let s = Point { x: 1, ..Default::default() };
    let closure = move |a: u8| -> u8 { a as u8 ^ !0b1 };
    Ok(vec![1, 2, 3; 4]?.await[0..])
}
