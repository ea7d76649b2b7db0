//! Decides which objects are compared with their siblings, because a comparison in vain costs as much as a few keys.

use crate::base::target::SMALL_CODE;

/// How many siblings of each level are not compared after others of the level were compared in vain. Levels share a pause
/// with those eight levels above and below.
pub(super) struct Pauses {
    levels: [Pause; LEVELS],
    /// The level that was asked for last.
    last: [u8; LEVELS / 8],
}

/// With small code objects are not compared, so nothing is stored.
const LEVELS: usize = if SMALL_CODE { 0 } else { 8 };

#[derive(Clone, Copy)]
struct Pause {
    /// How many siblings are left that are not compared.
    left: u8,
    /// How many comparisons in vain preceded.
    misses: u8,
}

/// The number of comparisons in vain that make no pause. Each further one doubles it.
const FORGIVEN: u8 = 2;

/// The number of comparisons in vain after which pauses get no longer.
const MOST: u8 = 6;

impl Pauses {
    pub(super) const NONE: Self =
        Self { levels: [Pause { left: 0, misses: 0 }; LEVELS], last: [0; LEVELS / 8] };

    /// Whether the next sibling of a level is compared. During a pause, `needed` says whether the pause ends.
    #[inline]
    pub(super) fn is_over(&mut self, level: u32, needed: impl FnOnce() -> bool) -> bool {
        let [level, ..] = level.to_le_bytes();
        self.last = [level % 8; LEVELS / 8];
        let Some(pause @ Pause { left: 1.., .. }) = self.last_level() else { return true };
        if needed() {
            *pause = Pause { left: 0, misses: 0 };
            return true;
        }
        pause.left = pause.left.wrapping_sub(1);
        false
    }

    /// Notes whether siblings of the level that was asked for last were alike.
    #[inline]
    pub(super) fn learn(&mut self, alike: bool) {
        if let Some(pause) = self.last_level() {
            let misses = if alike { u8::MAX } else { pause.misses.wrapping_add(1).min(MOST) };
            let left = if alike {
                0
            } else {
                (1u8.wrapping_shl(misses.into()) >> FORGIVEN).saturating_sub(1)
            };
            *pause = Pause { left, misses };
        }
    }

    #[inline]
    fn last_level(&mut self) -> Option<&mut Pause> {
        self.levels.get_mut(usize::from(*self.last.first()?))
    }
}
