//! Whatever structure is found in bytes, each item of it can go, and what is left can be looked at again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nub_core::{
    Content as _,
    binary::{Blob, Knowledge},
    tree::{Splice, Splices},
};

fuzz_target!(|data: &[u8]| {
    let mut knowledge = Knowledge::default();
    let blob = Blob::infer_with(data, &mut knowledge);
    for (number, list) in blob.lists().iter().enumerate() {
        for item in list.items.iter() {
            let cut = Splices::none().with([Splice::cut(item.span.clone())]);
            let Some(left) = blob.repaired(&cut, &[(number, 1)]) else { continue };
            let bytes = left.to_vec();
            assert_eq!(bytes.len(), left.len());
            Blob::infer_with(bytes, &mut knowledge);
        }
    }
});
