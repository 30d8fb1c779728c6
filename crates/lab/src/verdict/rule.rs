//! The small language of verdicts.
//!
//! A *difference* is a sum of arms with signs: `curriculum - control`, or `a + b - c - d` for the
//! mean of some arms minus the mean of others. A *rule* is a list of conditions joined by `and`:
//!
//! | condition | holds if |
//! |---|---|
//! | `interval above 0` | the lower end of the difference's interval is above 0 |
//! | `interval below 36` | its upper end is below 36 |
//! | `mean above 0` | the mean difference is above 0 |
//! | `ARM above generation 0` | the interval of the arm against generation 0 lies above 0 |

use super::conclusion::pairs;
use super::settings::VerdictSettings;
use std::fmt;

/// A comparison of arms: the mean of some minus the mean of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contrast {
    /// The arms with a plus sign.
    pub plus: Vec<String>,
    /// The arms with a minus sign.
    pub minus: Vec<String>,
}

impl fmt::Display for Contrast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plus.join(" + "))?;
        write!(f, " - {}", self.minus.join(" - "))
    }
}

/// A side of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Above it.
    Above,
    /// Below it.
    Below,
}

/// One condition of a rule.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// The whole interval of the difference is on this side of the number.
    Interval(Side, f64),
    /// The mean difference is on this side of the number.
    Mean(Side, f64),
    /// The whole interval of an arm against its generation 0 is on this side of 0.
    Arm(String, Side),
}

/// The question of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// The difference that is tested; `None` with a single arm, or if there is none.
    pub difference: Option<Contrast>,
    /// Further differences, by name.
    pub effects: Vec<(String, Contrast)>,
    /// All of these together confirm the claim.
    pub reproduced_if: Vec<Condition>,
    /// All of these together refute it.
    pub refuted_if: Vec<Condition>,
}

/// A mistake in a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError {
    /// The key of the run file.
    pub key: &'static str,
    /// The error message.
    pub problem: String,
}

impl Rule {
    /// The rule of an experiment.
    ///
    /// # Errors
    /// If it cannot be read, or names an arm that does not exist.
    pub fn of(settings: &VerdictSettings, arms: &[String]) -> Result<Rule, RuleError> {
        let is_arm: &dyn Fn(&str) -> bool = &|name| arms.iter().any(|arm| arm == name);
        let wrong = |key| move |problem| RuleError { key, problem };
        let conditions = |key, text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default();
            conditions(text, is_arm).map_err(wrong(key))
        };
        let reproduced_if = conditions("verdict.reproduced_if", &settings.reproduced_if)?;
        let refuted_if = conditions("verdict.refuted_if", &settings.refuted_if)?;
        let difference = match &settings.difference {
            Some(text) => Some(contrast(text, is_arm).map_err(wrong("verdict.difference"))?),
            None => usual_difference(arms, &reproduced_if),
        };
        let asks = |conditions: &[Condition]| {
            let is_difference = |condition: &Condition| !matches!(condition, Condition::Arm(..));
            conditions.iter().any(is_difference)
        };
        if difference.is_none() && (asks(&reproduced_if) || asks(&refuted_if)) {
            let problem = "set the difference that the rule is about, such as \"a - b\"".to_owned();
            return Err(wrong("verdict.difference")(problem));
        }
        let effects = settings.effects.iter().map(|(name, text)| {
            let contrast = contrast(text, is_arm).map_err(wrong("verdict.effects"))?;
            Ok((name.clone(), contrast))
        });
        Ok(Rule {
            difference,
            effects: effects.collect::<Result<_, _>>()?,
            reproduced_if,
            refuted_if,
        })
    }
}

/// With two arms, the one that the claim names minus the other.
fn usual_difference(arms: &[String], claim: &[Condition]) -> Option<Contrast> {
    let [[first, second]] = pairs(arms)[..] else {
        return None;
    };
    let named = claim.iter().find_map(|condition| match condition {
        Condition::Arm(name, Side::Above) => Some(name.as_str()),
        _ => None,
    });
    let [plus, minus] = match named == Some(first) {
        true => [first, second],
        false => [second, first],
    };
    Some(Contrast {
        plus: vec![plus.to_owned()],
        minus: vec![minus.to_owned()],
    })
}

fn contrast(text: &str, is_arm: &dyn Fn(&str) -> bool) -> Result<Contrast, String> {
    let help = "write arms with signs separated by blanks, such as curriculum - control";
    let mut contrast = Contrast {
        plus: Vec::new(),
        minus: Vec::new(),
    };
    let mut sign = Some("+");
    for word in text.split_whitespace() {
        match (sign.take(), word) {
            (None, "+" | "-") => sign = Some(word),
            (Some(sign), arm) => {
                check_arm(arm, is_arm)?;
                let side = match sign {
                    "+" => &mut contrast.plus,
                    _ => &mut contrast.minus,
                };
                side.push(arm.to_owned());
            }
            _ => return Err(format!("'{word}' is not a sign; {help}")),
        }
    }
    match sign.is_some() || contrast.plus.is_empty() || contrast.minus.is_empty() {
        true => Err(help.to_owned()),
        false => Ok(contrast),
    }
}

fn check_arm(name: &str, is_arm: &dyn Fn(&str) -> bool) -> Result<(), String> {
    match is_arm(name) {
        true => Ok(()),
        false => Err(format!("there is no arm '{name}'")),
    }
}

fn conditions(text: &str, is_arm: &dyn Fn(&str) -> bool) -> Result<Vec<Condition>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.is_empty() {
        true => Ok(Vec::new()),
        false => words
            .split(|word| *word == "and")
            .map(|words| condition(words, is_arm))
            .collect(),
    }
}

fn condition(words: &[&str], is_arm: &dyn Fn(&str) -> bool) -> Result<Condition, String> {
    let help = || {
        format!(
            "'{}' is not a condition: use interval above N, interval below N, mean above N, mean \
             below N, or ARM above generation 0",
            words.join(" ")
        )
    };
    let side = |word: &str| match word {
        "above" => Ok(Side::Above),
        "below" => Ok(Side::Below),
        _ => Err(help()),
    };
    let number = |word: &str| {
        let number: Option<f64> = word.parse().ok();
        number.filter(|number| number.is_finite()).ok_or_else(help)
    };
    match words {
        ["interval", word, bound] => Ok(Condition::Interval(side(word)?, number(bound)?)),
        ["mean", word, bound] => Ok(Condition::Mean(side(word)?, number(bound)?)),
        [arm, word, "generation", "0"] => {
            check_arm(arm, is_arm)?;
            Ok(Condition::Arm((*arm).to_owned(), side(word)?))
        }
        _ => Err(help()),
    }
}
