//! Makes trees of lists without a fixed length: slices, and vectors and deques through macros.

/// Implements what the trees of all lists have in common. `$list` has elements of type `T`, and `$other` is the same list of the type
/// `O`. For lists that can be borrowed as slices these are enough. Others, such as deques, add two closures: one gives the elements to a
/// sink, one walks over several lists of one length.
macro_rules! list {
    ([$($generics:tt)*] $list:ty, $other:ty, $schema:expr) => {
        $crate::tree::containers::list::list! {
            [$($generics)*] $list, $other, $schema, |list, out| T::walk_all(list, out), |lists, depth, visit| {
                let lists = L::map(lists, |list| list as &[T], |list| list as &mut [T]);
                T::walk_slices::<L, E, V_>(lists, depth, visit)
            }
        }
    };
    (
        [$($generics:tt)*] $list:ty, $other:ty, $schema:expr, |$list_:ident, $out:ident| $give:expr,
        |$lists:ident, $depth:ident, $visit:ident| $walk:expr
    ) => {
        const _: () = {
            use $crate::base::attempt::done;
            use $crate::format::heading;
            use $crate::tree::derive_support::*;

            impl<T: HasSchema $($generics)*> HasSchema for $list {
                const SCHEMA: &'static Schema = &$schema;
            }

            impl<K: LeafTypes, T: TreeWalk<K> $($generics)*> TreeWalk<K> for $list {
                #[inline]
                fn walk<'a, S_: Sink<'a, K>>(&'a self, $out: &mut S_)
                where
                    K: 'a,
                {
                    if const { !S_::NEEDS_LEAVES && Self::TREEDEF.is_some() } {
                        return $out.constant::<Self>();
                    }
                    let $list_ = self;
                    if const { !matches!(Self::SCHEMA, Schema::Array(..)) } {
                        $out.choice($list_.len());
                    }
                    if let Some(node) = $out.begin(&heading::List($list_.len())) {
                        $give;
                        $out.end(node);
                    }
                }

                #[inline]
                fn walk_lanes<'a, L: Lanes, E: From<Error>, V_: VisitLanes<'a, K, L, E>>(
                    $lists: Trees<'a, L, Self>,
                    $depth: &mut Depth,
                    $visit: &mut V_,
                ) -> Result<(), E>
                where
                    K: 'a,
                {
                    done!(L::same_node::<Self>(&$lists, $depth, |list, first| list.len() == first.len()).map_err(E::from));
                    $walk
                }
            }

            impl<K: Leaf, T: TreeRead<K> $($generics)*> TreeRead<K> for $list {}

            impl<K: LeafTypes, T: TreeWrite<K> $($generics)*> TreeWrite<K> for $list {}
        };
        $crate::tree::containers::list::prefix! { [$($generics)*] $list, $other }
    };
}
pub(crate) use list;

/// Makes a `$list` a prefix of a `$other` of its length.
macro_rules! prefix {
    ([$($generics:tt)*] $list:ty, $other:ty) => {
        const _: () = {
            use $crate::base::attempt::done;
            use $crate::tree::derive_support::*;

            impl<K: Leaf, J: LeafTypes, O, T: ZipPrefix<K, J, O> $($generics)*> ZipPrefix<K, J, $other> for $list {
                #[inline]
                fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
                    prefix: Trees<'p, P, Self>,
                    lists: Trees<'a, L, $other>,
                    pairing: &mut Pairing,
                    visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
                ) -> Result<(), E>
                where
                    K: 'p,
                    J: 'a,
                {
                    let depth = pairing.depth();
                    done!(L::same_node::<$other>(&lists, depth, |list, first| list.len() == first.len()).map_err(E::from));
                    let agrees = P::first::<Self>(&prefix).len() == L::first::<$other>(&lists).len();
                    done!(pairing.check::<L>(agrees).map_err(E::from));
                    pairing.count_partner_if(true);
                    let prefix = P::iter(P::map(prefix, |list| list.iter(), |list| list.iter_mut()));
                    let lists = L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()));
                    let mut elements = prefix.zip(lists);
                    // Not `for`, which takes more of each frame, for a second iterator.
                    while let Some((prefix, trees)) = elements.next() {
                        done!(T::zip_lanes::<P, L, E>(prefix, trees, pairing, visit));
                    }
                    Ok(())
                }
            }
        };
    };
}
pub(crate) use prefix;

list!([][T], [O], Schema::List(None, T::SCHEMA));

/// Implements the tree traits for a [`Vector`](crate::tree::vector::Vector) type that has its elements in one slice, or in two with
/// `@deque`. `room` is its capacity, and `owned` iterates over the elements by value.
macro_rules! vector {
    (@deque [$($generics:tt)*] $vector:ident<T $(, $param:ident)?>, room: $room:expr, owned: $owned:expr) => {
        $crate::tree::containers::list::list! {
            [$($generics)*] $vector<T $(, $param)?>, $vector<O $(, $param)?>,
            Schema::List(Schema::room($room), T::SCHEMA), |list, out| if const { S_::NEEDS_LEAVES && T::TREEDEF.is_some() } {
                let (front, back) = list.as_slices();
                T::walk_all(front, out);
                T::walk_all(back, out);
            } else {
                // One call: a sink of structures compares all neighbours.
                out.elements::<T>(list.iter());
            },
            |lists, depth, visit| if L::COUNT > 1 || visit.path().is_some() {
                // The first slices of two deques can have different lengths, and a slice begins with the index 0.
                let elements = L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()));
                visit.elements::<T>(elements, depth)
            } else {
                let slices = L::map(lists, |list| list.as_slices(), |list| list.as_mut_slices());
                let (front, back) = L::unzip(slices);
                done!(T::walk_slices::<L, E, V_>(front, depth, visit));
                T::walk_slices::<L, E, V_>(back, depth, visit)
            }
        }
        $crate::tree::containers::list::vector!(@own [$($generics)*] $vector<T $(, $param)?> as Self, $room, $owned);
    };
    ([$($generics:tt)*] $vector:ident<T $(, $param:ident)?>, room: $room:expr, owned: $owned:expr) => {
        $crate::tree::containers::list::list! {
            [$($generics)*] $vector<T $(, $param)?>, $vector<O $(, $param)?>, Schema::List(Schema::room($room), T::SCHEMA)
        }
        const _: () = {
            use $crate::tree::derive_support::*;
            use $crate::tree::lanes::{Mut, Ref};
            use $crate::tree::over::trees::{WalkedWith, Lane};

            $crate::tree::over::trees::lanes! { [$($generics)*] $vector<T $(, $param)?> }
        };
        $crate::tree::containers::list::vector!(@own [$($generics)*] $vector<T $(, $param)?> as [T], $room, $owned);
    };
    // What rebuilds and maps it. Its elements are read as those of a `$view`.
    (@own [$($generics:tt)*] $vector:ident<T $(, $param:ident)?> as $view:ty, $room:expr, $owned:expr) => {
        $crate::tree::containers::list::prefix! { [$($generics)*] [T], $vector<O $(, $param)?> }
        $crate::tree::containers::list::prefix! { [$($generics)*, const N_: usize] [T; N_], $vector<O $(, $param)?> }
        const _: () = {
            use $crate::base::attempt::ok;
            use $crate::tree::derive_support::*;
            use $crate::tree::vector::put;

            impl<K: LeafTypes, T: TreeBuild<K> $($generics)*> TreeBuild<K> for $vector<T $(, $param)?> {
                #[inline]
                fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                    $owned(self).for_each(|element| element.take_leaves(visit));
                }

                fn answer(question: &mut Question<'_, K>) -> bool {
                    T::answer(question)
                }

                fn build<'d, S_: Source<'d, K>>(from: &mut S_) -> Result<Self, S_::Error> {
                    let count = ok!(from.begin(Self::SCHEMA));
                    from.elements::<T, Self>(count, $room)
                }
            }

            impl<K: Leaf, M, T: MapTree<K, M> $($generics)*> MapTree<K, M> for $vector<T $(, $param)?> {
                type Output = $vector<T::Output $(, $param)?>;

                fn map_lanes<'a, L: Lanes, E: From<Error>>(
                    lists: Trees<'a, L, Self>,
                    depth: &mut Depth,
                    map: &mut impl VisitLanes<'a, K, L, E, M>,
                ) -> Result<Self::Output, E>
                where
                    K: 'a,
                {
                    let mismatch = depth.mismatch();
                    // As slices, so that the compiler knows that there is room for all.
                    let lists = L::map(lists, |list| list as &$view, |list| list as &mut $view);
                    ok!(L::same_node::<$view>(&lists, depth, |list, first| list.len() == first.len()).map_err(E::from));
                    let mut elements = Self::Output::with_room(L::first::<$view>(&lists).len());
                    let mut lists = L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()));
                    let (level, mut index) = (WalkPath::level(map.path()), 0usize);
                    // Not `for`, which takes more of each frame, for a second iterator.
                    while let Some(trees) = lists.next() {
                        WalkPath::index(map.path(), level, index);
                        index = index.wrapping_add(1);
                        let made = T::map_lanes::<L, E>(trees, depth, map);
                        ok!(put(&mut elements, made, mismatch));
                    }
                    Ok(elements)
                }
            }
        };
    };
}
pub(crate) use vector;
