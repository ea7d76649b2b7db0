//! Makes the names of fields and variants by `rename_all`, as serde does.

/// How a name is written. A field is `motor_gain` where it is declared, a variant is `MotorGain`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// `motorgain`; a field stays `motor_gain`.
    Lower,
    /// `MOTORGAIN`; a field is `MOTOR_GAIN`.
    Upper,
    /// `MotorGain`.
    Pascal,
    /// `motorGain`.
    Camel,
    /// `motor_gain`.
    Snake,
    /// `MOTOR_GAIN`.
    ScreamingSnake,
    /// `motor-gain`.
    Kebab,
    /// `MOTOR-GAIN`.
    ScreamingKebab,
}

/// The rules by their names, which are those of serde.
const RULES: [(&str, Rule); 8] = [
    ("lowercase", Rule::Lower),
    ("UPPERCASE", Rule::Upper),
    ("PascalCase", Rule::Pascal),
    ("camelCase", Rule::Camel),
    ("snake_case", Rule::Snake),
    ("SCREAMING_SNAKE_CASE", Rule::ScreamingSnake),
    ("kebab-case", Rule::Kebab),
    ("SCREAMING-KEBAB-CASE", Rule::ScreamingKebab),
];

/// The name of a field by the rule, if there is one.
pub(crate) fn field(rule: Option<Rule>, own: String) -> String {
    match rule {
        Some(rule) => rule.field(&own),
        None => own,
    }
}

/// The name of a variant by the rule, if there is one.
pub(crate) fn variant(rule: Option<Rule>, own: String) -> String {
    match rule {
        Some(rule) => rule.variant(&own),
        None => own,
    }
}

impl Rule {
    /// The rule with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        RULES.iter().find(|(known, _)| *known == name).map(|(_, rule)| *rule)
    }

    /// The names of all rules, for an error.
    pub(crate) fn all() -> String {
        RULES.map(|(name, _)| format!("\"{name}\"")).join(", ")
    }

    /// Makes the name of a field.
    fn field(self, own: &str) -> String {
        match self {
            Self::Lower | Self::Snake => own.to_string(),
            Self::Upper | Self::ScreamingSnake => own.to_ascii_uppercase(),
            Self::Pascal => pascal(own),
            Self::Camel => with_lower_start(&pascal(own)),
            Self::Kebab => own.replace('_', "-"),
            Self::ScreamingKebab => own.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Makes the name of a variant.
    fn variant(self, own: &str) -> String {
        match self {
            Self::Pascal => own.to_string(),
            Self::Lower => own.to_ascii_lowercase(),
            Self::Upper => own.to_ascii_uppercase(),
            Self::Camel => with_lower_start(own),
            Self::Snake => snake(own),
            Self::ScreamingSnake => snake(own).to_ascii_uppercase(),
            Self::Kebab => snake(own).replace('_', "-"),
            Self::ScreamingKebab => snake(own).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// Makes `MotorGain` of `motor_gain`.
fn pascal(own: &str) -> String {
    let mut is_start = true;
    let letters = own.chars().filter_map(|letter| {
        let starts = std::mem::replace(&mut is_start, letter == '_');
        (letter != '_').then(|| if starts { letter.to_ascii_uppercase() } else { letter })
    });
    letters.collect()
}

/// Makes `motorGain` of `MotorGain`.
fn with_lower_start(own: &str) -> String {
    let mut letters = own.chars();
    let start = letters.next().map(|letter| letter.to_ascii_lowercase());
    start.into_iter().chain(letters).collect()
}

/// Makes `motor_gain` of `MotorGain`.
fn snake(own: &str) -> String {
    let mut name = String::new();
    for letter in own.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
