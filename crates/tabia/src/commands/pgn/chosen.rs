//! Options that select games, shared by the commands about game files.

use clap::Args;
use data::pgn::{Date, Filter, GameResult};

/// Which games to take.
#[derive(Args)]
#[command(next_help_heading = "Filters")]
pub(super) struct FilterOptions {
    /// Minimum rating of both players
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,
    /// Maximum rating of both players
    #[arg(long, value_name = "RATING")]
    max_rating: Option<u16>,
    /// Minimum mean rating
    #[arg(long, value_name = "RATING")]
    min_mean_rating: Option<u16>,
    /// Name of one of the players, case-insensitive
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Minimum time of each player in seconds, for forty moves
    #[arg(long, value_name = "SECONDS")]
    min_seconds: Option<u32>,
    /// Only games with the time left ([%clk]) after each move
    #[arg(long)]
    with_clocks: bool,
    /// Earliest date, such as 2019, 2019.12 or 2019.12.31
    #[arg(long, value_name = "DATE")]
    from: Option<Date>,
    /// Latest date
    #[arg(long, value_name = "DATE")]
    to: Option<Date>,
    /// Minimum length in plies
    #[arg(long, value_name = "N")]
    min_plies: Option<u64>,
    /// Maximum length in plies
    #[arg(long, value_name = "N")]
    max_plies: Option<u64>,
    /// Result: 1-0, 0-1, 1/2-1/2 or *; may be repeated
    #[arg(long, value_name = "RESULT", value_parser = parse_result)]
    result: Vec<GameResult>,
    /// Text in the name of the event, case-insensitive; may be repeated
    #[arg(long, value_name = "WORDS")]
    event: Vec<String>,
    /// Text that must not be in the name of the event; may be repeated
    #[arg(long, value_name = "WORDS")]
    no_event: Vec<String>,
}

impl FilterOptions {
    /// Whether games of a certain player are selected.
    pub(super) fn is_by_player(&self) -> bool {
        self.player.is_some()
    }
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
