//! Finds module declarations and paths in Rust source: a tokenizer and just as much grammar as they need.

/// The segments of a path below the crate root.
pub(super) type Name = Vec<String>;

/// A token of the source; literals are one token without their text.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Mark(char),
    /// `::`
    Path,
    Literal,
}

/// A path somewhere in a module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) module: Name,
    pub(super) path: Name,
    /// The name a `use` binds here; none for a glob and for a path outside of `use`.
    pub(super) binds: Option<String>,
    pub(super) line: usize,
}

/// What a file holds.
#[derive(Default, Debug)]
pub(super) struct Scan {
    /// All modules declared here with their bodies inline, or in a file of their own (`true`), in order.
    pub(super) modules: Vec<(Name, bool)>,
    pub(super) mentions: Vec<Mention>,
    /// `macro_rules!` by name, with the module that defines them.
    pub(super) macros: Vec<(String, Name)>,
    /// Module files that only tests compile.
    pub(super) test_modules: Vec<Name>,
}

/// Drops comments and the text of literals; gives each token its line.
fn tokens(source: &str) -> Vec<(Token, usize)> {
    let text: Vec<char> = source.chars().collect();
    let at = |i: usize| text.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut i, mut line) = (Vec::new(), 0, 1);
    while i < text.len() {
        let start = i;
        let token = match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < text.len() && at(i) != '\n' {
                    i += 1;
                }
                None
            }
            '/' if at(i + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => (depth, i) = (depth + 1, i + 2),
                        ('*', '/') => (depth, i) = (depth - 1, i + 2),
                        _ => i += 1,
                    }
                    if depth == 0 || i >= text.len() {
                        break None;
                    }
                }
            }
            '"' => {
                i = string_end(&text, i);
                Some(Token::Literal)
            }
            // A character, or else the quote of a lifetime.
            '\'' if at(i + 1) == '\\' || at(i + 2) == '\'' => {
                i += if at(i + 1) == '\\' { 3 } else { 2 };
                while i < text.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
                Some(Token::Literal)
            }
            'r' if at(i + 1) == '#' && is_word(at(i + 2)) => {
                i += 2;
                continue;
            }
            c if is_word(c) => {
                while is_word(at(i)) {
                    i += 1;
                }
                let word: String = text[start..i].iter().collect();
                match (word.as_str(), at(i)) {
                    ("r" | "br" | "cr", '"' | '#') => {
                        i = raw_string_end(&text, i);
                        Some(Token::Literal)
                    }
                    ("b" | "c", '"') => {
                        i = string_end(&text, i);
                        Some(Token::Literal)
                    }
                    _ => Some(Token::Word(word)),
                }
            }
            ':' if at(i + 1) == ':' => {
                i += 2;
                Some(Token::Path)
            }
            c => {
                i += 1;
                (!c.is_whitespace()).then_some(Token::Mark(c))
            }
        };
        out.extend(token.map(|token| (token, line)));
        line += text[start..i.min(text.len())].iter().filter(|c| **c == '\n').count();
    }
    out
}

/// The index after the string literal whose quote stands at `i`.
fn string_end(text: &[char], mut i: usize) -> usize {
    i += 1;
    while i < text.len() && text[i] != '"' {
        i += if text[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// The index after the raw string literal whose `#` signs, or else its quote, start at `i`.
fn raw_string_end(text: &[char], mut i: usize) -> usize {
    let hashes = text[i..].iter().take_while(|c| **c == '#').count();
    i += hashes + 1;
    while i < text.len() {
        i += 1;
        if text[i - 1] == '"'
            && text[i..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
        {
            break;
        }
    }
    i + hashes
}

/// A reader of one file's tokens.
struct Scanner<'a> {
    tokens: &'a [(Token, usize)],
    at: usize,
    scan: Scan,
}

impl Scanner<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at).map(|(token, _)| token)
    }

    fn word(&self, at: usize) -> Option<&str> {
        match self.token(at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.token(at) == Some(&Token::Mark(mark))
    }

    fn line(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(0, |(_, line)| *line)
    }

    /// Reads the items of `module` up to the closing brace, or to the end of the file.
    fn body(&mut self, module: &Name) {
        let mut depth = 0usize;
        while self.at < self.tokens.len() {
            let at = self.at;
            self.at += 1;
            match self.token(at) {
                Some(Token::Mark('{')) => depth += 1,
                Some(Token::Mark('}')) if depth == 0 => return,
                Some(Token::Mark('}')) => depth -= 1,
                Some(Token::Mark('#')) if self.is_test_attribute(at) => self.skip_test_item(module),
                Some(Token::Word(word)) => match word.as_str() {
                    "mod" if self.word(at + 1).is_some() && self.is_mark(at + 2, ';') => {
                        self.scan.modules.push((self.child(module, at + 1), true));
                    }
                    "mod" if self.word(at + 1).is_some() && self.is_mark(at + 2, '{') => {
                        let child = self.child(module, at + 1);
                        self.scan.modules.push((child.clone(), false));
                        self.at = at + 3;
                        self.body(&child);
                    }
                    // The bound `use<'a>` is no declaration.
                    "use" if !self.is_mark(at + 1, '<') => self.use_tree(module, &Vec::new()),
                    "macro_rules" if self.is_mark(at + 1, '!') => {
                        let name = self.word(at + 2).unwrap_or_default().to_owned();
                        self.scan.macros.push((name, module.clone()));
                    }
                    "crate" | "self" | "super" if self.starts_path(at) => {
                        self.inline_path(module, at)
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    fn child(&self, module: &Name, at: usize) -> Name {
        let mut child = module.clone();
        child.extend(self.word(at).map(str::to_owned));
        child
    }

    /// Whether the word at `at` starts a path; `$crate` and the path of a visibility do not count.
    fn starts_path(&self, at: usize) -> bool {
        let before = |n: usize| at.checked_sub(n).and_then(|at| self.token(at));
        let visibility =
            self.word(at.wrapping_sub(1)) == Some("in") && before(2) == Some(&Token::Mark('('));
        let inside = matches!(before(1), Some(Token::Path | Token::Mark('$')));
        self.token(at + 1) == Some(&Token::Path) && !inside && !visibility
    }

    /// Reads a path outside of `use`: its words up to whatever is no `::word`.
    fn inline_path(&mut self, module: &Name, at: usize) {
        let mut path = self.child(&Vec::new(), at);
        while self.token(self.at) == Some(&Token::Path) && self.word(self.at + 1).is_some() {
            path.extend(self.word(self.at + 1).map(str::to_owned));
            self.at += 2;
        }
        let line = self.line(at);
        self.scan.mentions.push(Mention { module: module.clone(), path, binds: None, line });
    }

    /// Reads one tree of a `use` declaration that stands below `prefix`.
    fn use_tree(&mut self, module: &Name, prefix: &Name) {
        let mut path = prefix.clone();
        let line = self.line(self.at);
        let mut binds = None;
        loop {
            match self.token(self.at) {
                Some(Token::Word(word)) if word == "as" => {
                    binds = self.word(self.at + 1).map(str::to_owned);
                    self.at += 2;
                    break;
                }
                // `{self}` names the prefix itself.
                Some(Token::Word(word)) if word == "self" && !path.is_empty() => {
                    binds = path.last().cloned()
                }
                Some(Token::Word(word)) => {
                    binds = Some(word.clone());
                    path.push(word.clone());
                }
                Some(Token::Mark('*')) => {
                    // The star keeps `use super::*` apart from `use super::name`.
                    binds = None;
                    path.push("*".to_owned());
                }
                Some(Token::Mark('{')) => {
                    self.at += 1;
                    while self.at < self.tokens.len() && !self.is_mark(self.at, '}') {
                        self.use_tree(module, &path);
                        self.at += usize::from(self.is_mark(self.at, ','));
                    }
                    self.at += 1;
                    return;
                }
                Some(Token::Path) => {}
                _ => break,
            }
            self.at += 1;
        }
        self.scan.mentions.push(Mention { module: module.clone(), path, binds, line });
    }

    /// Whether the `#` at `at` starts `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, ..))]`.
    fn is_test_attribute(&self, at: usize) -> bool {
        let words: Vec<_> = (at + 1..at + 7).map(|at| self.word(at)).collect();
        self.is_mark(at + 1, '[')
            && match words[1] {
                Some("test") => self.is_mark(at + 3, ']'),
                Some("cfg") => {
                    words[3] == Some("test")
                        || (words[3] == Some("all") && words[5] == Some("test"))
                }
                _ => false,
            }
    }

    /// Skips the item after a test attribute: to its semicolon or its closing brace.
    fn skip_test_item(&mut self, module: &Name) {
        let mut depth = 0usize;
        while let Some(token) = self.token(self.at).cloned() {
            let at = self.at;
            self.at += 1;
            match token {
                Token::Mark('{' | '[' | '(') => depth += 1,
                Token::Mark(mark @ ('}' | ']' | ')')) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && mark == '}' {
                        return;
                    }
                }
                Token::Mark(';') if depth == 0 => return,
                Token::Word(word) if word == "mod" && depth == 0 && self.is_mark(at + 2, ';') => {
                    self.scan.test_modules.push(self.child(module, at + 1));
                }
                _ => {}
            }
        }
    }
}

/// Scans the text of `module`'s file.
pub(super) fn scan(source: &str, module: &[&str]) -> Scan {
    let tokens = tokens(source);
    let mut scanner = Scanner { tokens: &tokens, at: 0, scan: Scan::default() };
    scanner.body(&module.iter().map(|name| (*name).to_owned()).collect());
    scanner.scan
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of the mentions in a file of the module `m`, with their lines.
    fn paths(source: &str) -> Vec<(String, usize)> {
        scan(source, &["m"]).mentions.iter().map(|m| (m.path.join("::"), m.line)).collect()
    }

    fn names(source: &str) -> Vec<String> {
        paths(source).into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn nested_groups_are_taken_apart() {
        let source = "use crate::{a::{self, B, c::{D as E, *}}, f::G};\npub(crate) use super::h;\n";
        let expected =
            ["crate::a", "crate::a::B", "crate::a::c::D", "crate::a::c::*", "crate::f::G"];
        assert_eq!(names(source)[..5], expected);
        assert_eq!(paths(source)[5], ("super::h".to_owned(), 2));
    }

    #[test]
    fn inline_paths_end_before_generics_and_macros() {
        let source = "fn f(x: &crate::a::B<u8>) -> Option<super::c::D> {\n crate::e::f::<u8>(self::g::H);\n crate::i!() }";
        assert_eq!(
            names(source),
            ["crate::a::B", "super::c::D", "crate::e::f", "self::g::H", "crate::i"]
        );
    }

    #[test]
    fn comments_literals_and_lifetimes_hold_no_paths() {
        let source = r####"
            //! crate::a::B
            /* crate::a /* crate::b */ crate::c */
            /// [`crate::d`]
            fn f<'a>(x: &'a str) -> char {
                let _ = ("crate::e \" crate::f", r#"crate::g " crate::h"#, b"crate::i", br##"crate::j"# crate::k"##);
                let _ = ('"', '\'', b'"', '\u{22}');
                crate::real::X
            }
        "####;
        assert_eq!(paths(source), [("crate::real::X".to_owned(), 8)]);
    }

    #[test]
    fn visibility_dollar_crate_and_fields_are_no_imports() {
        let source = "pub(in crate::a) fn f<T>() -> impl Sized + use<T> { $crate::b::c!(); pub(crate) self.x; for x in crate::d::E {} }";
        assert_eq!(names(source), ["crate::d::E"]);
    }

    #[test]
    fn test_items_are_skipped_and_what_follows_is_not() {
        let source = "#[cfg(test)]\n#[allow(x)]\nmod tests { use crate::a::B; fn f() { {} } }\n\
                      #[cfg(all(test, feature = \"x\"))] use crate::c::D;\n#[cfg(test)] mod file;\n#[test] fn g() { crate::e::F }\n\
                      #[cfg(any(test, feature = \"x\"))] use crate::h::I;";
        assert_eq!(names(source), ["crate::h::I"]);
        assert_eq!(scan(source, &["m"]).test_modules, [["m", "file"]]);
    }

    #[test]
    fn modules_are_found_in_their_order() {
        let source = "pub mod b;\n#[cfg(feature = \"x\")]\npub(crate) mod a;\nmod c { mod d; }";
        let modules: Vec<_> = scan(source, &[])
            .modules
            .into_iter()
            .map(|(name, own)| (name.join("::"), own))
            .collect();
        let expected = [("b", true), ("a", true), ("c", false), ("c::d", true)];
        assert_eq!(modules, expected.map(|(name, own)| (name.to_owned(), own)));
    }
}
