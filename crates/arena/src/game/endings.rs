//! The user's settings for adjudication.
//!
//! Settings only; `adjudication` applies them.

use engines::words::{Count, WordsError, parsed, read_words};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Adjudication of games. Without any of these they are played out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "endings")]
pub struct Endings {
    /// Draw adjudication by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Resign adjudication by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The number of plies after which a game ends; default: games are played out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "horizon")]
    #[schemars(with = "Option<Count<1, 100_000>>")]
    pub horizon: Option<u32>,
    /// The result of a game that reaches the horizon.
    pub at_horizon: AtHorizon,
    /// Folders of Syzygy tables for adjudication, separated by colons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<String>,
    /// Maximum number of men for which the tables are used; default: as many as they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy_men: Option<usize>,
}

/// What happens at the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AtHorizon {
    /// A draw.
    #[default]
    Draw,
    /// The side with more material wins.
    Material,
    /// The side that the last score clearly favours wins.
    Score,
}

impl FromStr for AtHorizon {
    type Err = String;

    fn from_str(text: &str) -> Result<AtHorizon, String> {
        match text {
            "draw" => Ok(AtHorizon::Draw),
            "material" => Ok(AtHorizon::Material),
            "score" => Ok(AtHorizon::Score),
            _ => Err(format!("'{text}' is not one of draw, material, score")),
        }
    }
}

impl fmt::Display for AtHorizon {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            AtHorizon::Draw => "draw",
            AtHorizon::Material => "material",
            AtHorizon::Score => "score",
        })
    }
}

impl Serialize for AtHorizon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for AtHorizon {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "at-horizon".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let all = [AtHorizon::Draw, AtHorizon::Material, AtHorizon::Score];
        schemars::json_schema!({"enum": all})
    }
}

impl<'de> Deserialize<'de> for AtHorizon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AtHorizon, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// Adjudicates a draw once the scores of both sides stay small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(from = "DrawWords")]
#[schemars(rename = "draw-rule")]
pub struct DrawRule {
    /// The first move number at which a draw may be adjudicated.
    pub movenumber: u32,
    /// The number of moves of each side in a row, without a capture or pawn move.
    pub movecount: u32,
    /// The largest score that counts as small, in centipawns.
    pub score: i32,
}

/// The default draw rule, for words that are not given.
const USUAL_DRAW: DrawRule = DrawRule {
    movenumber: 34,
    movecount: 8,
    score: 20,
};

/// Adjudicates a draw once the scores of both sides stay small.
#[derive(Deserialize, Default, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct DrawWords {
    /// The first move number at which a draw may be adjudicated.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = USUAL_DRAW.movenumber))]
    movenumber: Option<Count<0, 10_000>>,
    /// How many moves of each side in a row must have a small score, without a capture or
    /// pawn move.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = USUAL_DRAW.movecount))]
    movecount: Option<Count<1, 10_000>>,
    /// The largest score that counts as small, in centipawns.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = USUAL_DRAW.score))]
    score: Option<Count<0, 10_000>>,
}

impl From<DrawWords> for DrawRule {
    fn from(words: DrawWords) -> DrawRule {
        DrawRule {
            movenumber: (words.movenumber).map_or(USUAL_DRAW.movenumber, |count| count.0 as u32),
            movecount: (words.movecount).map_or(USUAL_DRAW.movecount, |count| count.0 as u32),
            score: (words.score).map_or(USUAL_DRAW.score, |count| count.0 as i32),
        }
    }
}

/// Adjudicates a loss once the scores of a side stay bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(from = "ResignWords")]
#[schemars(rename = "resign-rule")]
pub struct ResignRule {
    /// The number of moves in a row.
    pub movecount: u32,
    /// How bad the score must be, in centipawns.
    pub score: i32,
    /// Whether the score of the other side must agree.
    pub twosided: bool,
}

/// The default resign rule, for words that are not given.
const USUAL_RESIGN: ResignRule = ResignRule {
    movecount: 3,
    score: 600,
    twosided: false,
};

/// Adjudicates a loss once the scores of a side stay bad.
#[derive(Deserialize, Default, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ResignWords {
    /// How many moves of a side in a row must have a bad score.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = USUAL_RESIGN.movecount))]
    movecount: Option<Count<1, 10_000>>,
    /// How bad a score must be, in centipawns.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = USUAL_RESIGN.score))]
    score: Option<Count<1, 30_000>>,
    /// Whether the score of the other side must agree.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = USUAL_RESIGN.twosided))]
    twosided: Option<bool>,
}

impl From<ResignWords> for ResignRule {
    fn from(words: ResignWords) -> ResignRule {
        ResignRule {
            movecount: (words.movecount).map_or(USUAL_RESIGN.movecount, |count| count.0 as u32),
            score: (words.score).map_or(USUAL_RESIGN.score, |count| count.0 as i32),
            twosided: words.twosided.unwrap_or(USUAL_RESIGN.twosided),
        }
    }
}

impl DrawRule {
    /// Reads `movenumber=34 movecount=8 score=20`; these are the defaults.
    pub fn from_words(line: &str) -> Result<DrawRule, WordsError> {
        read_words(line, None)
    }
}

impl ResignRule {
    /// Reads `movecount=3 score=600 twosided=true`; the defaults are these and
    /// one-sided.
    pub fn from_words(line: &str) -> Result<ResignRule, WordsError> {
        read_words(line, None)
    }
}

fn horizon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let plies: Option<Count<1, 100_000>> = parsed(deserializer)?;
    Ok(plies.map(|plies| plies.0 as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_said_in_words() {
        let draw = DrawRule::from_words("movecount=10 score=5").expect("a rule");
        assert_eq!((draw.movenumber, draw.movecount, draw.score), (34, 10, 5));
        let resign = ResignRule::from_words("twosided=true").expect("a rule");
        assert_eq!((resign.movecount, resign.score), (3, 600));
        assert!(resign.twosided);
        for (line, words) in [
            (
                "score=0",
                "score=0: '0' is not a whole number from 1 to 30000",
            ),
            ("twosided=2", "twosided=2: "),
            (
                "moves=3",
                "moves=3: unknown field `moves`, expected one of `movecount`",
            ),
        ] {
            let error = ResignRule::from_words(line).expect_err(line).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_file_says_the_same() {
        let text = "horizon = 250\nat_horizon = 'material'\n[draw]\nscore = 15\n[resign]\n";
        let endings: Endings = toml::from_str(text).expect("endings");
        assert_eq!(endings.horizon, Some(250));
        assert_eq!(endings.at_horizon, AtHorizon::Material);
        assert_eq!(endings.draw, DrawRule::from_words("score=15").ok());
        assert_eq!(endings.resign, ResignRule::from_words("").ok());
        let error = toml::from_str::<Endings>("at_horizon = 'win'").expect_err("no such rule");
        assert!(
            error
                .message()
                .contains("'win' is not one of draw, material, score")
        );
    }
}
