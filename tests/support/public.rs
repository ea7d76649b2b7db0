//! Finds public functions in formatted Rust source, and calls of them, line by line.

/// The first identifier of a text.
fn identifier(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
}

/// What follows the `<...>` at the front of a text; arrows are no brackets.
fn behind_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if c == '>' { text[at + 1..].trim_start() } else { text };
        }
    }
    text
}

/// The type whose own functions follow the header of a block; `None` for an `impl` of a trait and any other block.
fn owner(header: &str) -> Option<&str> {
    let rest = header.strip_prefix("impl").filter(|rest| rest.starts_with([' ', '<']))?;
    (!header.contains(" for ")).then(|| identifier(behind_generics(rest.trim_start())))
}

/// The public functions that a file declares, methods as `Type::name`, as far as they need no feature but `derive`.
///
/// The source is as `rustfmt` leaves it: items begin and end at the left margin. Functions of traits are not among them:
/// the functions bounded by a trait call them.
pub(super) fn functions(text: &str) -> Vec<String> {
    let (mut found, mut around, mut skip) = (Vec::new(), None, false);
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.is_empty() || bare.starts_with("//") {
            continue;
        }
        if bare.starts_with("#[") {
            skip |= bare.starts_with("#[cfg(feature") && !bare.contains("\"derive\"");
            continue;
        }
        // A macro writes the methods of some types.
        let is_item = line == bare && !line.starts_with(['}', ')', '{']) && line != "where";
        if is_item || bare.starts_with("impl<") {
            around = owner(bare);
        }
        let declared = bare.strip_prefix("pub ");
        let declared = declared.map(|rest| rest.strip_prefix("const ").unwrap_or(rest));
        if let Some(name) = declared.and_then(|rest| rest.strip_prefix("fn ")).map(identifier)
            && !skip
        {
            found.push(around.map_or(name.to_owned(), |owner| format!("{owner}::{name}")));
        }
        skip = false;
    }
    found
}

/// A line without its comment and without generic arguments of paths: `Type::<16>::name` is `Type::name`.
fn plain(line: &str) -> String {
    let mut rest = line.split("//").next().unwrap_or("");
    let mut plain = String::new();
    while let Some(at) = rest.find("::<") {
        plain.push_str(&rest[..at]);
        rest = behind_generics(&rest[at + 2..]);
    }
    plain + rest
}

/// What comes before the modules at the end of a text: `x(` of `x(head::`.
fn outside(mut text: &str) -> &str {
    while let Some(path) = text.strip_suffix("::") {
        let rest = path.trim_end_matches(|c: char| c.is_lowercase() || c == '_');
        if rest.len() == path.len() || rest.ends_with(char::is_alphanumeric) {
            break;
        }
        text = rest;
    }
    text
}

/// Whether a text names a function, outside of line comments and imports.
pub(super) fn calls(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || "_.:".contains(c);
    text.lines().map(plain).any(|line| {
        line.match_indices(name).any(|(at, _)| {
            !outside(&line[..at]).ends_with(joins)
                && line[at + name.len()..].starts_with(['(', ')'])
        })
    })
}
