//! Which games of a file are wanted, as the commands about games ask for them.

use clap::Args;
use data::pgn::{Date, Filter, GameResult};

/// Which games to take.
#[derive(Args)]
#[command(next_help_heading = "Filters")]
pub(super) struct FilterOptions {
    /// Both players have at least this rating
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,
    /// Both players have at most this rating
    #[arg(long, value_name = "RATING")]
    max_rating: Option<u16>,
    /// Both ratings have at least this mean
    #[arg(long, value_name = "RATING")]
    min_mean_rating: Option<u16>,
    /// One of the players has this name, in any case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// A player had at least so many seconds for forty moves
    #[arg(long, value_name = "SECONDS")]
    min_seconds: Option<u32>,
    /// The time left is known after each move
    #[arg(long)]
    with_clocks: bool,
    /// Played on this date or later, such as 2019, 2019.12 or 2019.12.31
    #[arg(long, value_name = "DATE")]
    from: Option<Date>,
    /// Played on this date or earlier
    #[arg(long, value_name = "DATE")]
    to: Option<Date>,
    /// At least so many moves, those of both sides counted
    #[arg(long, value_name = "N")]
    min_plies: Option<u64>,
    /// At most so many moves, those of both sides counted
    #[arg(long, value_name = "N")]
    max_plies: Option<u64>,
    /// With this result: 1-0, 0-1, 1/2-1/2 or *; may be repeated
    #[arg(long, value_name = "RESULT", value_parser = parse_result)]
    result: Vec<GameResult>,
    /// With this in the name of the event, in any case; may be repeated
    #[arg(long, value_name = "WORDS")]
    event: Vec<String>,
    /// Without this in the name of the event; may be repeated
    #[arg(long, value_name = "WORDS")]
    no_event: Vec<String>,
}

impl From<FilterOptions> for Filter {
    fn from(options: FilterOptions) -> Self {
        Self {
            min_rating: options.min_rating,
            max_rating: options.max_rating,
            min_mean_rating: options.min_mean_rating,
            player: options.player,
            min_seconds: options.min_seconds,
            with_clocks: options.with_clocks,
            from: options.from,
            to: options.to,
            min_plies: options.min_plies,
            max_plies: options.max_plies,
            results: options.result,
            event_words: options.event,
            unwanted_event_words: options.no_event,
        }
    }
}

fn parse_result(text: &str) -> Result<GameResult, &'static str> {
    GameResult::from_bytes(text.as_bytes()).ok_or("not one of 1-0, 0-1, 1/2-1/2 and *")
}
