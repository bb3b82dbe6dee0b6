//! Outcome caches: never run the same test twice, and remember as little as possible for it.
//!
//! Vince, *Enhancements of Automated Test Case Reduction*, chapter 4, has three savings, each of which can be switched
//! off here for study:
//!
//! 1. Only *uninteresting* outcomes are stored. An interesting candidate becomes the new best and is not asked for
//!    again ([`CacheSettings::interesting`] stores both).
//! 2. When something of size *s* is found interesting, whatever is larger than *s* is evicted: nothing larger will be
//!    asked for again ([`CacheSettings::evict`]).
//! 3. A fixed-width hash is stored instead of the content ([`CacheKind::ContentHash`]). A collision can cost optimality,
//!    never correctness, because only "uninteresting" is answered from a hash.
//!
//! The entries are kept in a B-tree ordered by size first. That makes an eviction a few removals at its end, where a
//! hash table would have to be scanned, and it costs fewer bytes per entry than a hash table that can grow.

use crate::{Fingerprint, Outcome};
use nub_core::{Content, Edit};
use std::{collections::BTreeMap, sync::Arc};

/// What identifies a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CacheKind {
    /// Nothing is remembered.
    None,
    /// The set of units that are kept: valid inside one list only.
    Config,
    /// The bytes.
    Content,
    /// A hash of the bytes.
    #[default]
    ContentHash,
}

impl CacheKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::None, Self::Config, Self::Content, Self::ContentHash];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Config => "config",
            Self::Content => "content",
            Self::ContentHash => "content-hash",
        }
    }

    /// The kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What is remembered, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// What identifies a candidate.
    pub kind: CacheKind,
    /// Whether interesting outcomes are stored too. Has no effect on [`CacheKind::ContentHash`].
    pub interesting: bool,
    /// Whether entries larger than the best are evicted.
    pub evict: bool,
    /// Whether every phase of a reduction begins with an empty cache, as the reference tool's phases on trees do.
    pub per_phase: bool,
}

impl Default for CacheSettings {
    fn default() -> Self {
        Self { kind: CacheKind::default(), interesting: false, evict: true, per_phase: false }
    }
}

/// The identity of a candidate for one kind of cache, its size first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// Units or bytes, and 96 bits of a hash.
    Hash(u32, [u32; 3]),
    /// How many bytes, the phase that they are valid in, and the bytes themselves.
    Content(usize, u32, Arc<[u8]>),
}

impl Key {
    fn hash(size: usize, fingerprint: Fingerprint) -> Self {
        let bits = fingerprint.bits();
        // A size of 4 GiB or more cannot occur; if it did, entries would only be evicted late.
        Self::Hash(u32::try_from(size).unwrap_or(u32::MAX), [bits as u32, (bits >> 32) as u32, (bits >> 64) as u32])
    }
}

/// What identifies a configuration, as if it were a text.
struct Identity<'a>(&'a Edit);

impl Content for Identity<'_> {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) {
        sink(&self.0.scope.to_le_bytes());
        self.0.content.identify(sink);
    }

    fn identify(&self, sink: &mut dyn FnMut(&[u8])) {
        self.write(sink);
    }
}

/// Remembers outcomes.
///
/// The map of hashes and the map of contents are separate so that an entry of the first costs no more than its key:
/// 28 bytes, or 36 at worst, the empty places in the nodes of the tree included.
#[derive(Debug, Default)]
pub struct Cache {
    settings: CacheSettings,
    hashes: BTreeMap<(u32, [u32; 3]), Outcome>,
    contents: BTreeMap<(usize, u32, Arc<[u8]>), Outcome>,
    /// The scope that the entries of a configuration cache belong to.
    scope: Option<u64>,
    peak: usize,
}

impl Cache {
    /// An empty cache.
    pub fn new(settings: CacheSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// What identifies `edit` in this cache; `None` if nothing is ever remembered.
    pub fn key(&self, edit: &Edit) -> Option<Key> {
        match self.settings.kind {
            CacheKind::None => None,
            CacheKind::Config => Some(Key::hash(edit.units, Fingerprint::of(&Identity(edit)))),
            CacheKind::Content => {
                let bytes = edit.content.to_vec();
                Some(Key::Content(bytes.len(), self.phase(edit), bytes.into()))
            }
            CacheKind::ContentHash => {
                let fingerprint = Fingerprint::of(&*edit.content);
                // The phase takes part in the upper bits, of which the key keeps 32.
                let phase = Fingerprint::from_bits(fingerprint.bits() ^ u128::from(self.phase(edit)) << 64);
                Some(Key::hash(edit.content.len(), phase))
            }
        }
    }

    /// The phase that an outcome is valid in: one for all, usually.
    fn phase(&self, edit: &Edit) -> u32 {
        if self.settings.per_phase { edit.phase } else { 0 }
    }

    /// The outcome stored under `key`.
    pub fn get(&self, key: &Key) -> Option<Outcome> {
        match key {
            Key::Hash(size, hash) => self.hashes.get(&(*size, *hash)).copied(),
            Key::Content(size, phase, bytes) => self.contents.get(&(*size, *phase, Arc::clone(bytes))).copied(),
        }
    }

    /// Stores the outcome of a decisive test.
    pub fn put(&mut self, key: Key, scope: u64, outcome: Outcome) {
        if self.settings.kind == CacheKind::Config && self.scope != Some(scope) {
            self.hashes.clear();
            self.scope = Some(scope);
        }
        self.insert(key, outcome);
    }

    /// Stores the outcome of a test that may never become decisive. What it says about the *content* holds in any case;
    /// its configuration belongs to a scope that may never come to be.
    pub fn learn(&mut self, key: &Key, outcome: Outcome) {
        if self.settings.kind != CacheKind::Config {
            self.insert(key.clone(), outcome);
        }
    }

    fn insert(&mut self, key: Key, outcome: Outcome) {
        let both = self.settings.interesting && self.settings.kind != CacheKind::ContentHash;
        if outcome.is_interesting() && !both {
            return;
        }
        match key {
            Key::Hash(size, hash) => self.hashes.insert((size, hash), outcome),
            Key::Content(size, phase, bytes) => self.contents.insert((size, phase, bytes), outcome),
        };
        self.peak = self.peak.max(self.len());
    }

    /// Told that `best` is interesting: forgets what is larger.
    pub fn commit(&mut self, best: &Edit) {
        if !self.settings.evict {
            return;
        }
        let largest = match self.settings.kind {
            CacheKind::Config => best.units,
            _ => best.content.len(),
        };
        while self.hashes.last_entry().is_some_and(|last| last.key().0 as usize > largest) {
            self.hashes.pop_last();
        }
        while self.contents.last_entry().is_some_and(|last| last.key().0 > largest) {
            self.contents.pop_last();
        }
    }

    /// How many outcomes are stored.
    pub fn len(&self) -> usize {
        self.hashes.len() + self.contents.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many outcomes were stored when there were most.
    pub fn peak(&self) -> usize {
        self.peak
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unresolved;

    fn edit(scope: u64, text: &str) -> Edit {
        let content = Arc::new(text.as_bytes().to_vec());
        Edit { phase: 0, scope, units: text.len(), weight: text.len() as u64, step: "char".into(), content }
    }

    fn cache(kind: CacheKind, interesting: bool, evict: bool) -> Cache {
        Cache::new(CacheSettings { kind, interesting, evict, per_phase: false })
    }

    fn put(cache: &mut Cache, edit: &Edit, outcome: Outcome) {
        if let Some(key) = cache.key(edit) {
            cache.put(key, edit.scope, outcome);
        }
    }

    fn get(cache: &Cache, edit: &Edit) -> Option<Outcome> {
        cache.key(edit).and_then(|key| cache.get(&key))
    }

    #[test]
    fn remembers_by_content_or_by_configuration() {
        for kind in CacheKind::ALL {
            let mut cache = cache(kind, false, true);
            put(&mut cache, &edit(1, "abc"), Outcome::Uninteresting);
            let remembered = |yes| if yes { Some(Outcome::Uninteresting) } else { None };
            assert_eq!(get(&cache, &edit(1, "abc")), remembered(kind != CacheKind::None), "{kind:?}");
            assert_eq!(get(&cache, &edit(1, "abd")), None, "{kind:?}");
            let across_scopes = matches!(kind, CacheKind::Content | CacheKind::ContentHash);
            assert_eq!(get(&cache, &edit(2, "abc")), remembered(across_scopes), "{kind:?}");
        }
    }

    #[test]
    fn interesting_outcomes_are_stored_only_on_request_and_never_as_a_hash() {
        for (kind, both, stored) in [
            (CacheKind::Content, false, false),
            (CacheKind::Content, true, true),
            (CacheKind::Config, true, true),
            (CacheKind::ContentHash, true, false),
        ] {
            let mut cache = cache(kind, both, true);
            put(&mut cache, &edit(1, "abc"), Outcome::Interesting);
            assert_eq!(get(&cache, &edit(1, "abc")).is_some(), stored, "{kind:?} {both}");
        }
    }

    #[test]
    fn a_commit_evicts_what_is_larger_and_nothing_else() {
        for kind in [CacheKind::Config, CacheKind::Content, CacheKind::ContentHash] {
            for evict in [true, false] {
                let mut cache = cache(kind, false, evict);
                for text in ["a", "bb", "cc", "ddd", "eeee"] {
                    put(&mut cache, &edit(1, text), Outcome::Unresolved(Unresolved::TimedOut));
                }
                cache.commit(&edit(1, "xx"));
                let left = ["a", "bb", "cc", "ddd", "eeee"].map(|text| get(&cache, &edit(1, text)).is_some());
                assert_eq!(left, [true, true, true, !evict, !evict], "{kind:?}");
                assert_eq!(cache.peak(), 5);
            }
        }
    }

    #[test]
    fn speculative_outcomes_do_not_enter_a_configuration_cache() {
        for kind in [CacheKind::Config, CacheKind::Content, CacheKind::ContentHash] {
            let mut cache = cache(kind, false, true);
            let key = cache.key(&edit(1, "abc")).unwrap();
            cache.learn(&key, Outcome::Uninteresting);
            assert_eq!(cache.is_empty(), kind == CacheKind::Config);
        }
    }
}
