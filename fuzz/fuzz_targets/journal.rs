//! Whatever is in a journal: it is read up to what is damaged, and what is left of it can be resumed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nub_run::journal::{self, History, Journal, Reader};
use std::{fs, path::PathBuf, sync::LazyLock};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| tempfile::tempdir().unwrap().keep().join("fuzz.nub-journal"));

fuzz_target!(|data: &[u8]| {
    fs::write(&*FILE, with_checksums(data)).unwrap();
    if let Ok(reader) = Reader::open(&FILE) {
        let _ = History::read(reader);
    }
    let Ok((_, first, journal)) = Journal::resume(&FILE) else { return };
    drop(journal);
    let (_, second, _journal) = Journal::resume(&FILE).expect("resumed before");
    assert_eq!(second.damage(), None, "what is damaged was cut off");
    assert_eq!(second.executed(), first.executed());
    assert!(second.batches().eq(first.batches()));
    assert_eq!(journal::read(&FILE).expect("resumed before").damage, None);
});

/// The lines with the checksums that they should have, so that not all inputs end there; but not if the first byte is a
/// blank.
fn with_checksums(data: &[u8]) -> Vec<u8> {
    if data.starts_with(b" ") {
        return data[1..].to_vec();
    }
    let lines = data.split(|&byte| byte == b'\n');
    lines.flat_map(|line| [line, format!(" {:08x}\n", crc32fast::hash(line)).as_bytes()].concat()).collect()
}
