//! One file per language.

pub(super) mod csharp;
pub(super) mod golang;
pub(super) mod javascript;
pub(super) mod lua;
pub(super) mod misc;
pub(super) mod php;
pub(super) mod python;
pub(super) mod rust;
