//! Finds entries of an array by their fingerprints: open addressing over twice as many positions as there are entries.
//!
//! A position holds the number of an entry plus one, 0 where it is free. An entry is at the first free position
//! from the home of its fingerprint on. At most half of the positions are taken, so that a look-up reads 1.5 of them on
//! average when it finds and 2.5 when not, and one always ends. Whether an entry is the one that is looked for, only
//! the caller can say: it compares the bytes.

/// The entry with this fingerprint that `is` the right one, or the free position where it belongs.
#[inline]
pub(super) fn find(
    positions: &[u32],
    fingerprint: u64,
    mut is: impl FnMut(usize) -> bool,
) -> Result<usize, usize> {
    let mut at = home(positions, fingerprint);
    for _ in 0..positions.len() {
        match read(positions, at).checked_sub(1) {
            None => return Err(at),
            Some(id) if is(id as usize) => return Ok(id as usize),
            Some(_) => at = after(positions, at),
        }
    }
    // Only where there is no position at all.
    Err(at)
}

/// The free position where an entry with this fingerprint that is not there belongs.
pub(super) fn free(positions: &[u32], fingerprint: u64) -> usize {
    let (Ok(at) | Err(at)) = find(positions, fingerprint, |_| false);
    at
}

/// Puts an entry at a free position.
pub(super) fn insert(positions: &mut [u32], at: usize, id: usize) {
    write(positions, at, mark(id));
}

/// Makes what led to one entry lead to another one.
pub(super) fn redirect(positions: &mut [u32], fingerprint: u64, from: usize, to: usize) {
    if let Some(at) = position(positions, fingerprint, from) {
        write(positions, at, mark(to));
    }
}

/// Takes an entry out, and moves those after it up that would otherwise no longer be found.
pub(super) fn remove(
    positions: &mut [u32],
    fingerprint: u64,
    id: usize,
    fingerprint_of: impl Fn(usize) -> u64,
) {
    let Some(mut hole) = position(positions, fingerprint, id) else { return };
    let mut at = hole;
    for _ in 0..positions.len() {
        at = after(positions, at);
        let mark = read(positions, at);
        let Some(id) = mark.checked_sub(1) else { break };
        let home = home(positions, fingerprint_of(id as usize));
        // It may be anywhere from its home on, and so in the hole if that is no nearer.
        if distance(positions, home, at) >= distance(positions, hole, at) {
            write(positions, hole, mark);
            hole = at;
        }
    }
    write(positions, hole, 0);
}

/// The position of an entry.
fn position(positions: &[u32], fingerprint: u64, id: usize) -> Option<usize> {
    let mut at = home(positions, fingerprint);
    for _ in 0..positions.len() {
        match read(positions, at) {
            0 => return None,
            found if found == mark(id) => return Some(at),
            _ => at = after(positions, at),
        }
    }
    None
}

/// What a position holds.
#[inline]
fn read(positions: &[u32], at: usize) -> u32 {
    positions.get(at).copied().unwrap_or(0)
}

/// Changes what a position holds.
fn write(positions: &mut [u32], at: usize, mark: u32) {
    if let Some(position) = positions.get_mut(at) {
        *position = mark;
    }
}

/// The position that a search starts at: the upper half of the fingerprint, scaled down.
#[inline]
fn home(positions: &[u32], fingerprint: u64) -> usize {
    let scaled = (fingerprint >> 32).wrapping_mul(positions.len() as u64) >> 32;
    usize::try_from(scaled).unwrap_or(0)
}

/// The next position; the first one follows the last.
#[inline]
fn after(positions: &[u32], at: usize) -> usize {
    let next = at.wrapping_add(1);
    if next < positions.len() { next } else { 0 }
}

/// The steps from one position to another.
fn distance(positions: &[u32], from: usize, to: usize) -> usize {
    match to.checked_sub(from) {
        Some(steps) => steps,
        None => to.wrapping_add(positions.len()).wrapping_sub(from),
    }
}

/// What a position holds for an entry; tables are no larger than the marks.
fn mark(id: usize) -> u32 {
    u32::try_from(id).unwrap_or(u32::MAX).saturating_add(1)
}
