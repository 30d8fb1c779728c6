//! A number that may differ from generation to generation.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// A number per generation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(
    untagged,
    bound(deserialize = "T: Deserialize<'de>"),
    expecting = "a number, or a list with a number for each generation, or a table of numbers from generations on, such as { 1 = 50, 10 = 200 }"
)]
#[schemars(rename = "count-by-generation")]
pub enum ByGeneration<T = u64> {
    /// A constant.
    Same(T),
    /// One number per generation; the last one applies to all later generations.
    List(Vec<T>),
    /// Each number applies from its generation on; the first one also before.
    From(#[serde(deserialize_with = "numbered")] BTreeMap<u32, T>),
}

/// A table whose keys are generations, written as strings like all keys of settings.
fn numbered<'de, D, T>(deserializer: D) -> Result<BTreeMap<u32, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let table = BTreeMap::<String, T>::deserialize(deserializer)?;
    let numbers = table.into_iter().map(|(key, value)| {
        let number = key.parse().ok().filter(|&number: &u32| number > 0);
        Ok((
            number.ok_or_else(|| D::Error::custom("no generation"))?,
            value,
        ))
    });
    numbers.collect()
}

impl<T: Copy + Default + PartialEq> ByGeneration<T> {
    /// The number of a generation; generations are numbered from 1.
    pub fn of(&self, generation: u32) -> T {
        match self {
            ByGeneration::Same(number) => *number,
            ByGeneration::List(list) => {
                let place = generation.saturating_sub(1) as usize;
                list.get(place).or(list.last()).copied().unwrap_or_default()
            }
            ByGeneration::From(table) => {
                let passed = table.range(..=generation).next_back();
                let found = passed.or_else(|| table.first_key_value());
                found.map(|(_, number)| *number).unwrap_or_default()
            }
        }
    }

    /// Whether no generation has 0.
    pub fn makes_sense(&self) -> bool {
        match self {
            ByGeneration::Same(number) => *number != T::default(),
            ByGeneration::List(list) => !list.is_empty() && !list.contains(&T::default()),
            ByGeneration::From(table) => {
                !table.is_empty() && table.values().all(|number| *number != T::default())
            }
        }
    }
}

impl From<u64> for ByGeneration {
    fn from(number: u64) -> ByGeneration {
        ByGeneration::Same(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Result<ByGeneration, String> {
        #[derive(Deserialize)]
        struct File {
            nodes: ByGeneration,
        }
        toml::from_str::<File>(&format!("nodes = {value}"))
            .map(|file| file.nodes)
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_list_holds_on() {
        let numbers = |value| {
            let read = read(value).expect("numbers");
            [1, 2, 3, 100].map(|generation| read.of(generation))
        };
        assert_eq!(numbers("7"), [7; 4]);
        assert_eq!(numbers("[50, 300]"), [50, 300, 300, 300]);
        assert_eq!(numbers("[50, 300, 1000, 1]"), [50, 300, 1000, 1]);
        assert_eq!(numbers("{ 2 = 50, 3 = 70, 100 = 9 }"), [50, 50, 70, 9]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in ["0", "[]", "[20, 0]", "{}", "{ 1 = 5, 3 = 0 }"] {
            assert!(!read(wrong).expect("numbers").makes_sense(), "{wrong}");
        }
        for unreadable in ["-3", "'many'", "[1, -1]", "{ start = 20 }", "{ 0 = 20 }"] {
            let error = read(unreadable).expect_err(unreadable);
            assert!(error.starts_with("a number, or a list"), "{error}");
        }
    }
}
