//! Settings as records in a map of `sequential-storage`, and what is left of them if the power is cut.
//!
//! The map has the record as one value, and the schema page of each version of the program as another one, whose key is that of the type. So
//! the key in a record finds its page. The map has checksums, so records need none.
//!
//! An update loads, stores what it has loaded, and then removes the pages of other versions: the new page comes first, then the first new
//! record, and only then the old page goes. So there is the page of the record, wherever the power is cut.
//!
//! A board needs no copy of this: with the functions below, or with lines like them, and the flash of its HAL.
#![no_std]

use embedded_storage_async::nor_flash::{MultiwriteNorFlash, NorFlash};
use sequential_storage::Error;
use sequential_storage::cache::CacheImpl;
use sequential_storage::map::MapStorage;
use treedef::record::{self, LoadError, RecordLeaves, load_older, record_key, save_into};
use treedef::tree::{TreeBuild, TreeWalk};
use treedef::{TreeDef, schema_of};

/// The key of the record. A page has that of its type, so this number is left to the settings.
const RECORD: u64 = 0;

/// The bytes of the largest key and value, rounded up to a word of the flash.
///
/// The largest value is a schema page. Its length is a constant, `schema_of::<Settings>().as_bytes().len()`, and the key has 8 bytes more.
/// A newer version has more fields, and an older program reads its page after a downgrade: so leave room for them. 512 bytes are more than twice
/// what the settings of the tests take; settings of 38 leaves have pages of 1.2 to 1.4 kB. [`store`] does not compile for a type whose
/// page has no place. A page of the flash has to hold this, too.
pub const ROOM: usize = 512;

/// Stores settings. The page comes first: there is one of each record, wherever the power is cut.
///
/// # Errors
///
/// Those of the map; [`Error::BufferTooSmall`] also for a record of more than [`ROOM`] bytes.
pub async fn store<T, S, C>(
    map: &mut MapStorage<u64, S, C>,
    settings: &T,
) -> Result<(), Error<S::Error>>
where
    T: TreeWalk<RecordLeaves>,
    S: NorFlash,
    C: CacheImpl<u64>,
{
    const {
        let needed = size_of::<u64>() + schema_of::<T>().as_bytes().len();
        assert!(
            needed <= ROOM,
            "the schema page of this type and its key have more bytes than `ROOM`"
        );
    }
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

/// Removes the pages of other versions of the program, if the record is one of this version. It takes other values of the map for no
/// pages: the key of a page is the fingerprint of its bytes.
///
/// Call it after [`store`]. If the power is cut before it ends, some pages are left, and the next call removes them.
///
/// It writes the words of an item again. A flash with error correction has no [`MultiwriteNorFlash`]: there, leave the pages, or store an
/// empty value in their place, which [`load`] takes for no page.
///
/// # Errors
///
/// Those of the map.
pub async fn remove_other_pages<T, S, C>(
    map: &mut MapStorage<u64, S, C>,
) -> Result<(), Error<S::Error>>
where
    T: TreeBuild<RecordLeaves>,
    S: MultiwriteNorFlash,
    C: CacheImpl<u64>,
{
    let mut buffer = [0; ROOM];
    let record = map.fetch_item::<&[u8]>(&mut buffer, &RECORD).await?;
    if record.is_none_or(|record| record::load::<T>(record).is_err()) {
        return Ok(());
    }
    while let Some(key) = other_page(map, &mut buffer, record_key::<T>()).await? {
        map.remove_item(&mut buffer, &key).await?;
    }
    Ok(())
}

/// The key of a page that is not that of `own`.
async fn other_page<S: NorFlash, C: CacheImpl<u64>>(
    map: &mut MapStorage<u64, S, C>,
    buffer: &mut [u8],
    own: u64,
) -> Result<Option<u64>, Error<S::Error>> {
    let mut items = map.fetch_all_items(buffer).await?;
    while let Some((key, value)) = items.next::<&[u8]>(buffer).await? {
        let is_page = TreeDef::from_bytes(value).is_ok_and(|page| page.fingerprint() == key);
        if is_page && key != own {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use embassy_futures::block_on;
    use embedded_storage_async::nor_flash::{
        ErrorType, MultiwriteNorFlash, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
    };
    use sequential_storage::Error;
    use sequential_storage::cache::{Cache, Uncached};
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

    impl MultiwriteNorFlash for Flash {}

    type Map = MapStorage<u64, Flash, Cache<Uncached, Uncached, Uncached, u64>>;

    fn map(flash: Flash) -> Map {
        MapStorage::new(flash, const { MapConfig::new(0..3 * PAGE as u32) }, Cache::new_uncached())
    }

    /// Stores settings with power for so many bytes, and returns the flash and whether they were enough.
    fn stored<T: TreeWalk<RecordLeaves>>(
        flash: &Flash,
        settings: &T,
        bytes: usize,
    ) -> (Flash, bool) {
        with_power(flash, bytes, async |map| super::store(map, settings).await)
    }

    /// Stores settings and removes the pages of other versions, as [`stored`].
    fn updated<T>(flash: &Flash, settings: &T, bytes: usize) -> (Flash, bool)
    where
        T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
    {
        with_power(flash, bytes, async |map| {
            super::store(map, settings).await?;
            super::remove_other_pages::<T, _, _>(map).await
        })
    }

    fn with_power(
        flash: &Flash,
        bytes: usize,
        work: impl AsyncFnOnce(&mut Map) -> Result<(), Error<Cut>>,
    ) -> (Flash, bool) {
        let mut map = map(Flash { left: bytes, ..flash.clone() });
        let is_whole = match block_on(work(&mut map)) {
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

    fn has_page<T: TreeWalk<RecordLeaves>>(flash: &Flash) -> bool {
        let (mut map, mut buffer) = (map(flash.clone()), [0; super::ROOM]);
        block_on(map.fetch_item::<&[u8]>(&mut buffer, &record_key::<T>())).unwrap().is_some()
    }

    #[test]
    fn an_update_and_the_way_back_lose_no_settings_wherever_the_power_is_cut() {
        let (old, _) = stored(&Flash::new(), &first(400), usize::MAX);
        let defaults = second(1, 9);
        // The second version is installed, stores what it loads, and removes the page of the first one.
        let update = loaded(&old, &defaults).unwrap();
        assert_eq!(update, second(400, 9));
        // What is left of the three steps after a cut: the new page, the new record, the old page.
        let mut seen = Vec::new();
        for bytes in 0.. {
            let (cut, is_whole) = updated(&old, &update, bytes);
            assert_eq!(loaded(&cut, &defaults), Some(second(400, 9)), "{bytes}");
            // The first version is installed again. What was renamed is that of its defaults.
            let back = loaded(&cut, &first(50)).unwrap();
            let has_new = back != first(400);
            assert!(!has_new || back == first(50), "{bytes}: {back:?}");
            let pages = [has_page::<v2::Settings>(&cut), has_page::<v1::Settings>(&cut)];
            let state = (pages[0], has_new, pages[1]);
            if seen.last() != Some(&state) {
                seen.push(state);
            }
            // The start after the cut ends what was begun.
            let (again, is_again) = updated(&cut, &update, usize::MAX);
            assert!(is_again && loaded(&again, &defaults) == Some(second(400, 9)));
            assert!(has_page::<v2::Settings>(&again) && !has_page::<v1::Settings>(&again));
            // Or the first version stores what it loads, and removes the page of the second one.
            let (again, is_again) = updated(&cut, &back, usize::MAX);
            assert!(is_again && loaded(&again, &first(50)) == Some(back));
            assert!(has_page::<v1::Settings>(&again) && !has_page::<v2::Settings>(&again));
            if is_whole {
                break;
            }
        }
        let old = (false, false, true);
        assert_eq!(seen, [old, (true, false, true), (true, true, true), (true, true, false)]);
    }

    #[test]
    fn other_values_and_the_page_of_the_record_are_not_removed() {
        let (flash, _) = stored(&Flash::new(), &first(400), usize::MAX);
        let mut map = map(flash);
        block_on(map.store_item(&mut [0; super::ROOM], &7, &[0xC2u8].as_slice())).unwrap();
        // The record is one of the first version, so its page stays.
        block_on(super::remove_other_pages::<v2::Settings, _, _>(&mut map)).unwrap();
        let flash = map.destroy().0;
        assert_eq!(loaded(&flash, &second(1, 9)), Some(second(400, 9)));
        let (flash, _) = updated(&flash, &second(400, 9), usize::MAX);
        assert!(!has_page::<v1::Settings>(&flash));
        let (mut map, mut buffer) = (self::map(flash), [0; super::ROOM]);
        let other = block_on(map.fetch_item::<&[u8]>(&mut buffer, &7)).unwrap();
        assert_eq!(other, Some([0xC2u8].as_slice()));
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
