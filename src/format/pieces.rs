//! Passes bytes to a receiver in pieces: runs of bytes, and blocks.

use crate::format::varint::Front;

/// Why a head or a value was not passed on to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stop {
    /// The receiver takes no more.
    Refused,
    /// A key or a value differs from the one that was counted or checked.
    Changed,
}

/// Receives the pieces of a value or of a block.
pub(crate) type Put<'p> = dyn FnMut(&[u8]) -> Result<(), Stop> + 'p;

/// Passes a length and the bytes to `put`.
pub(crate) fn put_run(run: &[u8], put: &mut Put<'_>) -> Result<(), Stop> {
    put(Front::number(run.len() as u64).as_bytes())?;
    put(run)
}

/// Passes a block to `put`: the length of the payload, then the payload. `payload` is called twice and has to pass the
/// same bytes.
pub(crate) fn put_block(
    put: &mut impl FnMut(&[u8]) -> Result<(), Stop>,
    payload: impl Fn(&mut Put<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut len = 0usize;
    payload(&mut |piece| {
        len = len.saturating_add(piece.len());
        Ok(())
    })?;
    put(Front::number(len as u64).as_bytes())?;
    let mut left = len;
    payload(&mut |piece| {
        left = left.checked_sub(piece.len()).ok_or(Stop::Changed)?;
        put(piece)
    })?;
    if left == 0 { Ok(()) } else { Err(Stop::Changed) }
}
