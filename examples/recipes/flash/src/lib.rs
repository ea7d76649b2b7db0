//! Settings as records in a map of `sequential-storage`, and what is left of them if the power is cut.
//!
//! The map has the record as one value, and the schema page of each version of the program as another one, whose key is that of the type. So
//! the key in a record finds its page. The map has checksums, so records need none.
//!
//! A board needs no copy of this: with the [`load`] and [`store`] below, or with lines like them, and the flash of its HAL.
#![no_std]

use embedded_storage_async::nor_flash::NorFlash;
use sequential_storage::Error;
use sequential_storage::cache::CacheImpl;
use sequential_storage::map::MapStorage;
use treedef::record::{self, LoadError, RecordLeaves, load_older, record_key, save_into};
use treedef::tree::{TreeBuild, TreeWalk};
use treedef::{TreeDef, schema_of};

/// The key of the record. A page has that of its type, so this number is left to the settings.
const RECORD: u64 = 0;

/// The largest key and value, a page, rounded up to a word of the flash.
pub const ROOM: usize = 512;

/// Stores settings. The page comes first: there is one of each record, wherever the power is cut.
///
/// # Errors
///
/// Those of the map; [`Error::BufferTooSmall`] also for a record or a page of more than [`ROOM`] bytes.
pub async fn store<T, S, C>(
    map: &mut MapStorage<u64, S, C>,
    settings: &T,
) -> Result<(), Error<S::Error>>
where
    T: TreeWalk<RecordLeaves>,
    S: NorFlash,
    C: CacheImpl<u64>,
{
    let (mut buffer, page) = ([0; ROOM], schema_of::<T>().as_bytes());
    if map.fetch_item::<&[u8]>(&mut buffer, &record_key::<T>()).await? != Some(page) {
        map.store_item(&mut buffer, &record_key::<T>(), &page).await?;
    }
    let mut bytes = [0; ROOM];
    let len = save_into(settings, &mut bytes).map_err(|_| Error::BufferTooSmall(ROOM))?;
    map.store_item(&mut buffer, &RECORD, &bytes.get(..len).unwrap_or_default()).await
}

/// Loads what this version of the program stored, or another one: what has no value there is that of the defaults. `None` if there is
/// no record, or one that no page here describes.
///
/// # Errors
///
/// Those of the map.
pub async fn load<T, S, C>(
    map: &mut MapStorage<u64, S, C>,
    defaults: &T,
) -> Result<Option<T>, Error<S::Error>>
where
    T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
    S: NorFlash,
    C: CacheImpl<u64>,
{
    let (mut buffer, mut page) = ([0; ROOM], [0; ROOM]);
    let Some(record) = map.fetch_item::<&[u8]>(&mut buffer, &RECORD).await? else {
        return Ok(None);
    };
    let key = match record::load(record) {
        Err(LoadError::OtherType { key }) => key,
        loaded => return Ok(loaded.ok()),
    };
    let page = map.fetch_item::<&[u8]>(&mut page, &key).await?;
    let Some(page) = page.and_then(|page| TreeDef::from_bytes(page).ok()) else { return Ok(None) };
    let loaded = load_older(record, page, defaults, &[], &mut [0; 1024]);
    Ok(loaded.ok().map(|(settings, _)| settings))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use embassy_futures::block_on;
    use embedded_storage_async::nor_flash::{
        ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
    };
    use sequential_storage::Error;
    use sequential_storage::cache::{Cache, CacheImpl};
    use sequential_storage::map::{MapConfig, MapStorage};
    use treedef::record::{RecordLeaves, record_key};
    use treedef::tree::{TreeBuild, TreeWalk};

    mod v1 {
        #[derive(treedef::Tree, Clone, Debug, PartialEq)]
        #[tree(name = "app::Settings")]
        pub(super) struct Settings {
            pub(super) name: heapless::String<8>,
            pub(super) gains: [f32; 2],
            pub(super) trim: Option<i16>,
            pub(super) rate: u16,
        }
    }

    mod v2 {
        #[derive(treedef::Tree, Clone, Debug, PartialEq)]
        #[tree(name = "app::Settings")]
        pub(super) struct Settings {
            pub(super) gains: [f32; 2],
            pub(super) limit: u8,
            pub(super) trim: Option<i16>,
            #[tree(alias = "rate")]
            pub(super) hertz: u32,
            pub(super) name: heapless::String<16>,
        }
    }

    /// What a chip has where the power is cut.
    #[derive(Debug, PartialEq)]
    struct Cut;

    impl NorFlashError for Cut {
        fn kind(&self) -> NorFlashErrorKind {
            NorFlashErrorKind::Other
        }
    }

    const PAGE: usize = 1024;

    /// Flash of three pages, which loses its power after this number of bytes that are written. To erase a page counts as one.
    #[derive(Clone)]
    struct Flash {
        bytes: Vec<u8>,
        left: usize,
    }

    impl Flash {
        fn new() -> Self {
            Self { bytes: vec![0xFF; 3 * PAGE], left: usize::MAX }
        }

        fn spend(&mut self) -> Result<(), Cut> {
            self.left = self.left.checked_sub(1).ok_or(Cut)?;
            Ok(())
        }
    }

    impl ErrorType for Flash {
        type Error = Cut;
    }

    impl ReadNorFlash for Flash {
        const READ_SIZE: usize = 1;

        async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
            let stored = &self.bytes[offset as usize..];
            bytes.iter_mut().zip(stored).for_each(|(slot, byte)| *slot = *byte);
            Ok(())
        }

        fn capacity(&self) -> usize {
            self.bytes.len()
        }
    }

    impl NorFlash for Flash {
        const WRITE_SIZE: usize = 4;
        const ERASE_SIZE: usize = PAGE;

        async fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
            self.spend()?;
            self.bytes[from as usize..to as usize].fill(0xFF);
            Ok(())
        }

        async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
            for (at, byte) in (offset as usize..).zip(bytes) {
                self.spend()?;
                // Without an erase, a bit only becomes 0.
                self.bytes[at] &= byte;
            }
            Ok(())
        }
    }

    fn map(flash: Flash) -> MapStorage<u64, Flash, impl CacheImpl<u64>> {
        MapStorage::new(flash, const { MapConfig::new(0..3 * PAGE as u32) }, Cache::new_uncached())
    }

    /// Stores settings with power for so many bytes, and returns the flash and whether they were enough.
    fn stored<T: TreeWalk<RecordLeaves>>(
        flash: &Flash,
        settings: &T,
        bytes: usize,
    ) -> (Flash, bool) {
        let mut map = map(Flash { left: bytes, ..flash.clone() });
        let result = block_on(super::store(&mut map, settings));
        let is_whole = match result {
            Ok(()) => true,
            Err(Error::Storage { value: Cut, .. }) => false,
            Err(other) => panic!("{other:?}"),
        };
        (Flash { left: usize::MAX, ..map.destroy().0 }, is_whole)
    }

    fn loaded<T>(flash: &Flash, defaults: &T) -> Option<T>
    where
        T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
    {
        block_on(super::load(&mut map(flash.clone()), defaults)).unwrap()
    }

    fn first(rate: u16) -> v1::Settings {
        let name = "press".parse().unwrap();
        v1::Settings { name, gains: [1.0, 2.5], trim: Some(-7), rate }
    }

    fn second(hertz: u32, limit: u8) -> v2::Settings {
        let v1::Settings { gains, trim, .. } = first(0);
        v2::Settings { gains, limit, trim, hertz, name: "press".parse().unwrap() }
    }

    #[test]
    fn the_last_settings_are_left_wherever_the_power_is_cut() {
        let defaults = first(0);
        let mut flash = Flash::new();
        let mut before = None;
        let mut cuts = 0;
        // More bytes than there are in the flash, so that its pages are erased and written again.
        for rate in 1..80 {
            for bytes in 0.. {
                let (cut, is_whole) = stored(&flash, &first(rate), bytes);
                let found = loaded(&cut, &defaults);
                if is_whole {
                    assert_eq!(found, Some(first(rate)));
                    flash = cut;
                    break;
                }
                cuts += 1;
                assert!(found == before || found == Some(first(rate)), "{rate} {bytes}: {found:?}");
                // What was cut does not keep the program from storing the next settings.
                let (again, is_whole) = stored(&cut, &first(rate + 1), usize::MAX);
                assert!(is_whole && loaded(&again, &defaults) == Some(first(rate + 1)));
            }
            before = Some(first(rate));
        }
        assert!(cuts > 3 * PAGE, "{cuts}");
    }

    #[test]
    fn an_update_and_the_way_back_lose_no_settings_wherever_the_power_is_cut() {
        let (old, _) = stored(&Flash::new(), &first(400), usize::MAX);
        let defaults = second(1, 9);
        // The second version is installed, and stores what it loads.
        let update = loaded(&old, &defaults).unwrap();
        assert_eq!(update, second(400, 9));
        for bytes in 0.. {
            let (cut, is_whole) = stored(&old, &update, bytes);
            assert_eq!(loaded(&cut, &defaults), Some(second(400, 9)), "{bytes}");
            // The first version is installed again. What was renamed is that of its defaults.
            let back = loaded(&cut, &first(50)).unwrap();
            let has_new = back != first(400);
            assert!(!has_new || back == first(50), "{bytes}: {back:?}");
            if is_whole {
                assert!(has_new);
                break;
            }
        }
    }

    #[test]
    fn a_record_without_its_page_is_not_loaded() {
        let (flash, _) = stored(&Flash::new(), &first(400), usize::MAX);
        let mut map = map(flash);
        let page = record_key::<v1::Settings>();
        block_on(map.store_item(&mut [0; super::ROOM], &page, &[0u8].as_slice())).unwrap();
        let flash = map.destroy().0;
        assert_eq!(loaded(&flash, &second(1, 9)), None);
        assert_eq!(loaded(&flash, &first(50)), Some(first(400)));
    }

    #[test]
    fn nothing_is_loaded_from_erased_flash() {
        assert_eq!(loaded(&Flash::new(), &first(50)), None);
    }
}
