//! Finds entries of an array by their fingerprints: open addressing, with two positions for each entry.
//!
//! A position holds the index of an entry plus one, or 0 if it is free. The fingerprint of an entry gives its home. An entry is
//! stored there, or at the first free position after it. At most half of the positions are used, so every search ends: on
//! average it reads 1.5 positions if the key is found and 2.5 if not. The caller compares the bytes of the keys, because
//! fingerprints can collide.

/// Returns the entry with this fingerprint for which `is` is true and its position, or the free position where it belongs.
#[inline]
pub(super) fn find(
    positions: &[u32],
    fingerprint: u64,
    mut is: impl FnMut(usize) -> bool,
) -> Result<(usize, usize), usize> {
    let mut at = home(positions.len(), fingerprint);
    for _ in 0..positions.len() {
        match read(positions, at).checked_sub(1) {
            None => return Err(at),
            Some(id) if is(id as usize) => return Ok((id as usize, at)),
            Some(_) => at = after(positions.len(), at),
        }
    }
    // Only reached if there is no position at all.
    Err(at)
}

/// Stores an entry with this fingerprint at its free position.
pub(super) fn insert(positions: &mut [u32], fingerprint: u64, id: usize) {
    let (Ok((_, at)) | Err(at)) = find(positions, fingerprint, |_| false);
    // Tables are never larger than the largest mark.
    write(positions, at, u32::try_from(id).unwrap_or(u32::MAX).saturating_add(1));
}

/// Removes an entry, and moves up the later entries that a search could no longer reach.
pub(super) fn remove(
    positions: &mut [u32],
    fingerprint: u64,
    id: usize,
    fingerprint_of: impl Fn(usize) -> u64,
) {
    let Ok((_, mut hole)) = find(positions, fingerprint, |found| found == id) else { return };
    let mut at = hole;
    for _ in 0..positions.len() {
        at = after(positions.len(), at);
        let mark = read(positions, at);
        let Some(id) = mark.checked_sub(1) else { break };
        let home = home(positions.len(), fingerprint_of(id as usize));
        // An entry is at its home or after it, so it can move to the hole unless the hole is before its home.
        if distance(positions, home, at) >= distance(positions, hole, at) {
            write(positions, hole, mark);
            hole = at;
        }
    }
    write(positions, hole, 0);
}

/// Reads a position.
#[inline]
fn read(positions: &[u32], at: usize) -> u32 {
    positions.get(at).copied().unwrap_or(0)
}

/// Writes a position.
fn write(positions: &mut [u32], at: usize, mark: u32) {
    if let Some(position) = positions.get_mut(at) {
        *position = mark;
    }
}

/// Returns the position at which a search starts: the upper half of the fingerprint, scaled to the number of positions.
#[inline]
pub(super) fn home(count: usize, fingerprint: u64) -> usize {
    let scaled = (fingerprint >> 32).wrapping_mul(count as u64) >> 32;
    usize::try_from(scaled).unwrap_or(0)
}

/// Returns the next of `count` positions. The first position follows the last.
#[inline]
pub(super) fn after(count: usize, at: usize) -> usize {
    let next = at.wrapping_add(1);
    if next < count { next } else { 0 }
}

/// Returns the number of steps from one position to another.
fn distance(positions: &[u32], from: usize, to: usize) -> usize {
    match to.checked_sub(from) {
        Some(steps) => steps,
        None => to.wrapping_add(positions.len()).wrapping_sub(from),
    }
}
