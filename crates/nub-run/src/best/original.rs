//! Finding the original input again when a run is resumed.

use std::{fs, io, path::Path};

use super::{BestError, backup_path};
use crate::Fingerprint;

/// The original input of a run that is to be resumed: the bytes with this fingerprint.
///
/// If the run works in place, the original is usually in `INPUT.orig`, and the input holds the best result. If the run
/// ended before its first result, or the user restored the input, the original is in the input. So both are read, and
/// the fingerprint decides.
pub fn original(input: &Path, in_place: bool, fingerprint: Fingerprint) -> Result<Vec<u8>, BestError> {
    let backup = backup_path(input);
    let mut found = Vec::new();
    for path in [in_place.then_some(backup.as_path()), Some(input)].into_iter().flatten() {
        match fs::read(path) {
            Ok(bytes) if Fingerprint::of_bytes(&bytes) == fingerprint => return Ok(bytes),
            Ok(_) => found.push(format!("`{}` has other contents", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                found.push(format!("`{}` does not exist", path.display()));
            }
            Err(error) => found.push(format!("`{}` cannot be read ({error})", path.display())),
        }
    }
    let (found, input, backup) = (found.join(", and "), input.display(), backup.display());
    let advice = if in_place {
        format!("put the original back as `{backup}`, or start over from the current `{input}` with another journal")
    } else {
        format!("put the original back as `{input}`, or start over with another journal")
    };
    Err(BestError::NoOriginal { why: format!("{found}; {advice}") })
}
