//! Binary data: inference and reduction on many formats.

use nub_core::{
    Content as _, ListAlgorithm, Search as _,
    binary::{BinarySearch, Blob, Knowledge},
    drive,
    tree::{Splice, Splices},
};
use proptest::{collection::vec, prelude::*};

/// Encodes a list of items.
type Format = fn(&[Vec<u8>]) -> Vec<u8>;

fn leb(mut value: usize) -> Vec<u8> {
    let mut bytes = vec![];
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn join(items: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    items.into_iter().flatten().collect()
}

fn u32_be(value: usize) -> Vec<u8> {
    (value as u32).to_be_bytes().to_vec()
}

fn u32_le(value: usize) -> Vec<u8> {
    (value as u32).to_le_bytes().to_vec()
}

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { 0xedb8_8320 ^ crc >> 1 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

/// A count, and strings with their lengths.
fn strings(items: &[Vec<u8>]) -> Vec<u8> {
    [leb(items.len()), join(items.iter().map(|item| [leb(item.len()), item.clone()].concat()))].concat()
}

/// Tagged items with padded lengths, as linkers write them.
fn padded(items: &[Vec<u8>]) -> Vec<u8> {
    let size = |len: usize| vec![len as u8 & 0x7f | 0x80, (len >> 7) as u8 & 0x7f | 0x80, 0x80, 0x80, 0];
    join(items.iter().map(|item| [vec![1], size(item.len()), item.clone()].concat()))
}

/// A magic number and three sections; the second is a list.
fn sections(items: &[Vec<u8>]) -> Vec<u8> {
    let section = |id: u8, bytes: Vec<u8>| [vec![id], leb(bytes.len()), bytes].concat();
    [b"\0fmt\x01\0\0\0".to_vec(), section(9, vec![3; 40]), section(7, strings(items)), section(3, vec![8; 21])].concat()
}

/// Chunks with a size, a tag, and a checksum.
fn checked_chunks(items: &[Vec<u8>]) -> Vec<u8> {
    let chunk = |item: &Vec<u8>| {
        let body = [b"tEXt", &item[..]].concat();
        let sum = crc32(&body).to_be_bytes();
        [u32_be(item.len()), body, sum.to_vec()].concat()
    };
    [b"\x89PNG\r\n\x1a\n".to_vec(), join(items.iter().map(chunk))].concat()
}

/// Chunks inside a chunk, padded to even lengths.
fn even_chunks(items: &[Vec<u8>]) -> Vec<u8> {
    let chunk = |item: &Vec<u8>| [b"note".to_vec(), u32_le(item.len()), item.clone(), vec![0; item.len() % 2]].concat();
    let body = [b"WAVE".to_vec(), join(items.iter().map(chunk))].concat();
    [b"RIFF".to_vec(), u32_le(body.len()), body].concat()
}

/// Boxes whose size includes their header.
fn boxes(items: &[Vec<u8>]) -> Vec<u8> {
    join(items.iter().map(|item| [u32_be(item.len() + 8), b"free".to_vec(), item.clone()].concat()))
}

/// Nested ASN.1 values.
fn der(items: &[Vec<u8>]) -> Vec<u8> {
    let value = |tag: u8, bytes: Vec<u8>| match bytes.len() {
        len @ 0..0x80 => [vec![tag, len as u8], bytes].concat(),
        len @ 0x80..0x100 => [vec![tag, 0x81, len as u8], bytes].concat(),
        len => [vec![tag, 0x82, (len >> 8) as u8, len as u8], bytes].concat(),
    };
    value(0x30, join(items.iter().map(|item| value(0x04, item.clone()))))
}

/// A protocol buffer message.
fn message(items: &[Vec<u8>]) -> Vec<u8> {
    join(items.iter().map(|item| [vec![0x10, 5, 0x0a], leb(item.len()), item.clone()].concat()))
}

/// Archive members with their sizes in decimal digits.
fn archive(items: &[Vec<u8>]) -> Vec<u8> {
    let member = |item: &Vec<u8>| {
        let header = format!("{:<48}{:<10}`\n", "name/", item.len());
        [header.into_bytes(), item.clone(), vec![b'\n'; item.len() % 2]].concat()
    };
    [b"!<arch>\n".to_vec(), join(items.iter().map(member))].concat()
}

const FORMATS: [(&str, Format); 9] = [
    ("strings", strings),
    ("padded", padded),
    ("sections", sections),
    ("checked chunks", checked_chunks),
    ("even chunks", even_chunks),
    ("boxes", boxes),
    ("der", der),
    ("message", message),
    ("archive", archive),
];

/// Pseudo-random items of different lengths.
fn items(count: usize) -> Vec<Vec<u8>> {
    let mut seed = 1_u32;
    let mut next = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed >> 16
    };
    (0..count).map(|i| (0..20 + next() % 150 + i as u32 % 2).map(|_| next() as u8).collect()).collect()
}

/// The data without an item of a list.
fn without(blob: &Blob, list: usize, item: usize) -> Option<Vec<u8>> {
    let cut = Splice::cut(blob.lists()[list].items[item].span.clone());
    blob.repaired(&Splices::none().with([cut]), &[(list, 1)]).map(|repaired| repaired.to_vec())
}

#[test]
fn items_are_removed_in_many_formats() {
    let all = items(12);
    for (name, format) in FORMATS {
        let blob = Blob::infer(format(&all));
        // In a message, the numbers between the items are items, too.
        let each = if name == "message" { 2 } else { 1 };
        let list = blob.lists().iter().position(|list| list.items.len() == each * all.len());
        let list = list.unwrap_or_else(|| panic!("{name}: no list of all items in {:?}", blob.lists()));
        for removed in 0..all.len() {
            let left = without(&blob, list, each * removed + each - 1).unwrap();
            let mut kept = all.clone();
            kept.remove(removed);
            let mut expected = format(&kept);
            if name == "message" {
                let at =
                    join(kept[..removed].iter().map(|item| [vec![0; 3], leb(item.len()), item.clone()].concat())).len();
                expected.splice(at..at, [0x10, 5]);
            }
            assert_eq!(left, expected, "{name} without item {removed}");
        }
    }
}

#[test]
fn payloads_shrink_in_many_formats() {
    let all = items(12);
    for (name, format) in FORMATS {
        let blob = Blob::infer(format(&all));
        let block = blob.blocks().iter().find(|block| blob.bytes()[block.payload.clone()] == all[5]);
        let block = block.unwrap_or_else(|| panic!("{name}: no block for an item"));
        // Two bytes, because some formats pad odd lengths.
        let cut = Splice::cut(block.payload.start..block.payload.start + 2);
        let left = blob.repaired(&Splices::none().with([cut]), &[]).unwrap().to_vec();
        let mut kept = all.clone();
        kept[5].drain(..2);
        assert_eq!(left, format(&kept), "{name}");
    }
}

#[test]
fn knowledge_about_a_format_is_kept() {
    let all = items(40);
    let mut knowledge = Knowledge::default();
    Blob::infer_with(sections(&all), &mut knowledge);
    let little = sections(&[vec![1, 2]]);
    assert!(Blob::infer(little.clone()).lists().len() < 2, "too little to tell");
    let blob = Blob::infer_with(little, &mut knowledge);
    let list = blob.lists().iter().position(|list| list.count.is_some()).expect("the list of strings");
    assert_eq!(without(&blob, list, 0).unwrap(), sections(&[]));
}

#[test]
fn noise_has_hardly_any_structure() {
    let noise = items(400);
    let structured = noise.chunks(20).filter(|items| !Blob::infer(items.concat()).lists().is_empty()).count();
    assert!(structured <= 4, "{structured} of 20");
    assert!(Blob::infer(vec![0; 5000]).lists().is_empty());
    assert!(Blob::infer(*b"").lists().is_empty());
}

/// The strings in the output of `sections`, parsed strictly.
fn read_sections(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    fn number(bytes: &mut &[u8]) -> Option<usize> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = bytes.split_first()?;
            *bytes = rest;
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Some(value);
            }
            (shift < 28).then_some(())?;
        }
    }
    fn string<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
        let len = number(bytes)?;
        let (string, rest) = bytes.split_at_checked(len)?;
        *bytes = rest;
        Some(string)
    }
    let mut rest = bytes.strip_prefix(b"\0fmt\x01\0\0\0")?;
    let mut strings = None;
    while let Some((&id, after)) = rest.split_first() {
        rest = after;
        let mut section = string(&mut rest)?;
        if id == 7 {
            let count = number(&mut section)?;
            strings = Some((0..count).map(|_| string(&mut section).map(<[u8]>::to_vec)).collect::<Option<Vec<_>>>()?);
            section.is_empty().then_some(())?;
        }
    }
    strings
}

#[test]
fn sections_are_reduced_to_the_needed_string() {
    let mut all = items(60);
    all[41] = b"the needle in it".to_vec();
    let input = sections(&all);
    let interesting = |bytes: &[u8]| {
        read_sections(bytes)
            .is_some_and(|strings| strings.iter().any(|string| string.windows(6).any(|w| w == b"needle")))
    };
    assert!(interesting(&input));
    let algorithm = ListAlgorithm { star: true, ..ListAlgorithm::default() };
    let mut search = BinarySearch::new(algorithm, input);
    let mut best = search.current().content.to_vec();
    let tests = drive(&mut search, |candidate| {
        let bytes = candidate.what.content.to_vec();
        let accepted = interesting(&bytes);
        if accepted {
            assert!((bytes.len(), &bytes) < (best.len(), &best), "every commit is smaller");
            best = bytes;
        }
        accepted
    });
    assert_eq!(search.current().content.to_vec(), b"\0fmt\x01\0\0\0\x07\x08\x01\x06needle");
    assert!(tests < 1000, "{tests} tests");
}

/// Two parallel tables of the same length, as in formats that store the parts of one object in several places.
#[test]
fn parallel_tables_lose_items_together() {
    let names: Vec<Vec<u8>> = items(30);
    let tables = |kinds: &[u8], names: &[Vec<u8>]| {
        let section = |id: u8, bytes: Vec<u8>| [vec![id], leb(bytes.len()), bytes].concat();
        let first = [leb(kinds.len()), kinds.to_vec()].concat();
        [b"\0fmt\x01\0\0\0".to_vec(), section(1, first), section(7, strings(names))].concat()
    };
    let kinds: Vec<u8> = (0..30).map(|kind| kind % 4).collect();
    let interesting = |bytes: &[u8]| {
        let Some(&[1, size, count]) = bytes.get(8..11) else { return false };
        let strings = read_sections(bytes).unwrap_or_default();
        size == count + 1 && strings.len() == usize::from(count) && strings.contains(&names[17])
    };
    let input = tables(&kinds, &names);
    assert!(interesting(&input));
    let algorithm = ListAlgorithm { star: true, ..ListAlgorithm::default() };
    let mut search = BinarySearch::new(algorithm, input);
    drive(&mut search, |candidate| interesting(&candidate.what.content.to_vec()));
    assert_eq!(search.current().content.to_vec(), tables(&[0], &names[17..18]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn unedited_bytes_are_written_unchanged(bytes in vec(prop_oneof![Just(0), 0..5_u8, any::<u8>()], 0..300)) {
        let blob = Blob::infer(bytes.clone());
        prop_assert_eq!(blob.repaired(&Splices::none(), &[]).unwrap().to_vec(), bytes);
    }

    #[test]
    fn sizes_around_a_removed_item_are_correct(
        all in vec(vec(any::<u8>(), 10..60), 4..12),
        format in 0..FORMATS.len(),
        removed in any::<prop::sample::Index>(),
    ) {
        let (name, format) = FORMATS[format];
        let blob = Blob::infer(format(&all));
        let payload = |block: usize| &blob.bytes()[blob.blocks()[block].payload.clone()];
        // If all items were found, removing one gives the same bytes as encoding the others.
        let found = blob.lists().iter().position(|list| {
            list.items.len() == all.len()
                && list.items.iter().zip(&all).all(|(found, item)| found.blocks.clone().any(|block| payload(block) == item))
        });
        if let (Some(list), true) = (found, name != "message") {
            let (mut kept, removed) = (all.clone(), removed.index(all.len()));
            kept.remove(removed);
            prop_assert_eq!(without(&blob, list, removed), Some(format(&kept)));
        }
    }

    #[test]
    fn the_result_of_any_reduction_is_interesting(
        all in vec(vec(any::<u8>(), 0..12), 1..6),
        format in 0..FORMATS.len(),
        needed in any::<u8>(),
    ) {
        let mut all = all;
        all[0].push(needed);
        let input = FORMATS[format].1(&all);
        let mut search = BinarySearch::new(ListAlgorithm::default(), input.clone());
        drive(&mut search, |candidate| candidate.what.content.to_vec().contains(&needed));
        let left = search.current().content.to_vec();
        prop_assert!(left.contains(&needed) && left.len() <= input.len());
    }
}
