//! The readers of settings files, as functions of a text.

use super::super::Reader;
use crate::commands::tune;
use toml::de::DeTable;

pub(super) fn read(reader: Reader, text: &str) -> Result<(), String> {
    match reader {
        Reader::Run => {
            let read = lab::settings::read(text, &train::learners());
            read.map(drop).map_err(|error| error.to_string())
        }
        Reader::Train => training(text),
        Reader::Select => {
            let read = lab::selection::read(text);
            read.map(drop).map_err(|error| error.to_string())
        }
        Reader::Ladder => {
            let read = lab::ladder::read(text);
            read.map(drop).map_err(|error| error.to_string())
        }
        Reader::Study => {
            let read = lab::study::read(text);
            read.map(drop).map_err(|error| error.to_string())
        }
        Reader::Tune => tune::read(text),
        Reader::Match => Err("the files of matches are read by their commands".to_owned()),
    }
}

fn training(text: &str) -> Result<(), String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    let settings = train::Settings::from_table(table.into_inner(), 0);
    let settings = settings.map_err(|error| error.to_string())?;
    settings.check().map_err(|error| error.to_string())
}
