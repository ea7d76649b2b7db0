//! Reads literals of Python, as the headers of NumPy's arrays have them.

/// The largest depth of a literal.
const MAX_DEPTH: usize = 32;

/// A literal of Python.
#[derive(PartialEq)]
pub(crate) enum Literal<'t> {
    /// A text, with escapes as they are written. Python 2 writes `u'<f4'`.
    Text(&'t str),
    /// A number that is not negative. Python 2 writes `3L`.
    Number(u64),
    /// `True`, `False`, `None`, and other numbers: `-1`, `0.5`.
    Word(&'t str),
    /// A tuple or a list.
    Items(Vec<Self>),
    Dict(Vec<(Self, Self)>),
}

impl<'t> Literal<'t> {
    /// Reads a text that is one literal.
    pub(crate) fn read(text: &'t str) -> Option<Self> {
        let mut rest = text;
        let literal = Self::take(&mut rest, 0)?;
        rest.is_empty().then_some(literal)
    }

    /// Takes a literal, and the spaces around it.
    fn take(rest: &mut &'t str, depth: usize) -> Option<Self> {
        *rest = rest.trim_start();
        let literal = match rest.chars().next().filter(|_| depth < MAX_DEPTH)? {
            '{' => Self::Dict(Self::items(rest, '}', &mut |rest| {
                let key = Self::take(rest, depth + 1)?;
                *rest = rest.strip_prefix(':')?;
                Some((key, Self::take(rest, depth + 1)?))
            })?),
            '(' => Self::Items(Self::items(rest, ')', &mut |rest| Self::take(rest, depth + 1))?),
            '[' => Self::Items(Self::items(rest, ']', &mut |rest| Self::take(rest, depth + 1))?),
            _ => {
                let is_word = |c: char| c.is_alphanumeric() || "_+-.".contains(c);
                let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
                *rest = after;
                let quote = after.chars().next().filter(|c| matches!(c, '\'' | '"'));
                match quote.filter(|_| matches!(word, "" | "u" | "b")) {
                    Some(quote) => {
                        let inside = after.get(1..)?;
                        let mut is_escape = false;
                        let end = inside.find(|c| {
                            let is_end = c == quote && !is_escape;
                            is_escape = c == '\\' && !is_escape;
                            is_end
                        })?;
                        *rest = inside.get(end + 1..)?;
                        Self::Text(inside.get(..end)?)
                    }
                    None => match word.trim_end_matches('L').parse() {
                        Ok(number) => Self::Number(number),
                        Err(_) if word.is_empty() => return None,
                        Err(_) => Self::Word(word),
                    },
                }
            }
        };
        *rest = rest.trim_start();
        Some(literal)
    }

    /// Takes what is between brackets, with commas between items and perhaps after the last.
    fn items<T>(
        rest: &mut &'t str,
        end: char,
        item: &mut dyn FnMut(&mut &'t str) -> Option<T>,
    ) -> Option<Vec<T>> {
        *rest = rest.get(1..)?.trim_start();
        let mut items = Vec::new();
        while !rest.starts_with(end) {
            items.push(item(rest)?);
            match rest.strip_prefix(',') {
                Some(after) => *rest = after.trim_start(),
                None if rest.starts_with(end) => {}
                None => return None,
            }
        }
        *rest = rest.get(1..)?;
        Some(items)
    }
}
