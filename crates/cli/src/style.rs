//! The width and the colours of the output, and numbers as people read them.

use std::fmt::Display;
use std::io::IsTerminal;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width if the output is no terminal and `COLUMNS` is not set: that of a mail, a README, a page of a manual.
const WIDTH: usize = 80;

/// How text is written.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) width: usize,
    pub(crate) color: bool,
}

/// When to colour.
#[derive(Clone, Copy, Default)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// The columns of the terminal that standard output is.
#[cfg(any(unix, windows))]
fn columns_of_terminal() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(width.0.into())
}

/// Elsewhere, such as in WASI, nobody says.
#[cfg(not(any(unix, windows)))]
fn columns_of_terminal() -> Option<usize> {
    None
}

impl Style {
    /// The style of standard output: the width of the terminal, colours if it is one and `NO_COLOR` is not set.
    pub(crate) fn of_output(color: Color) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_terminal = std::io::stdout().is_terminal();
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self {
            width: columns.or_else(columns_of_terminal).filter(|width| *width > 0).unwrap_or(WIDTH),
            color: match color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => {
                    is_terminal
                        && !set("NO_COLOR")
                        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
                }
            },
        }
    }

    fn paint(self, code: &str, text: impl Display) -> String {
        let text = text.to_string();
        if self.color && !text.trim().is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text
        }
    }

    pub(crate) fn bold(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    /// For what only helps to read: lines, types, headings.
    pub(crate) fn dim(self, text: impl Display) -> String {
        self.paint("2", text)
    }

    pub(crate) fn bar(self, text: impl Display) -> String {
        self.paint("36", text)
    }

    pub(crate) fn removed(self, text: impl Display) -> String {
        self.paint("31", text)
    }

    pub(crate) fn added(self, text: impl Display) -> String {
        self.paint("32", text)
    }

    pub(crate) fn changed(self, text: impl Display) -> String {
        self.paint("33", text)
    }
}

/// Whether a character is not seen: a control character, which a terminal would obey, one that changes the direction of
/// the text around it, or one without width. It can make two names look alike.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Escapes the characters of a text from a file that are not seen.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Counts texts, and shows the first: `one: "a"`, or `2 many, such as "a"`.
pub(crate) fn counted<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
    one: &str,
    many: &str,
) -> Option<String> {
    let mut texts = texts.into_iter();
    let first = texts.next()?;
    let text = match texts.count() {
        0 => format!("{one}: {:?}", first.as_ref()),
        more => format!("{} {many}, such as {:?}", more + 1, first.as_ref()),
    };
    Some(plain(&text))
}

/// Returns the number of columns of a text in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Fills a text with spaces up to a number of columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Fills a text with spaces in front.
pub(crate) fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Cuts a text at a number of columns.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.into();
    }
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let columns = c.width().unwrap_or(0);
        let fits = columns <= left;
        left = left.saturating_sub(columns);
        fits
    };
    text.chars().take_while(fits).collect::<String>() + "…"
}

/// Cuts a text in the middle: of a long path, both ends say something.
pub(crate) fn cut_middle(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.into();
    }
    let tail = width.saturating_sub(1) / 3;
    let mut start = text.len();
    for (at, _) in text.char_indices().rev().take_while(|(at, _)| columns(&text[*at..]) <= tail) {
        start = at;
    }
    cut(text, width - columns(&text[start..])) + &text[start..]
}

/// Writes a number with commas: `124,439,808`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a number in at most seven characters: `124.4 M`.
pub(crate) fn compact(number: u64) -> String {
    if number < 10_000 { grouped(number) } else { scaled(number, ["", "K", "M", "B", "T", "Q"]) }
}

/// Writes a number of bytes: `497.8 MB`.
pub(crate) fn bytes(number: u64) -> String {
    scaled(number, ["B", "kB", "MB", "GB", "TB", "PB"])
}

fn scaled(number: u64, units: [&str; 6]) -> String {
    if number < 1000 {
        return format!("{number} {}", units[0]);
    }
    let (mut scaled, mut unit) = (number as f64, 0);
    // What would be rounded to 1000.0 has the next unit.
    while scaled >= 999.95 && unit + 1 < units.len() {
        scaled /= 1000.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", units[unit])
}

/// Writes a part of a whole: `68%`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    match part {
        0 => "0%".into(),
        // What would be rounded to nothing.
        _ if percent < 0.5 => "<1%".into(),
        _ => format!("{percent:.0}%"),
    }
}

/// Draws a bar of at most `width` columns, in steps of an eighth.
pub(crate) fn bar(part: u64, whole: u64, width: usize) -> String {
    let eighths = part as f64 / whole.max(1) as f64 * width as f64 * 8.0;
    let eighths = if part == 0 { 0 } else { (eighths.round() as usize).clamp(1, width * 8) };
    let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + last
}
