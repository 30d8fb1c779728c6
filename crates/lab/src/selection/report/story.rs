//! The text of a selection's report, for readers who do not know the code.

use super::super::course::{Choice, Course, Played, Stage};
use super::super::settings::{Allocation, Settings};
use super::super::standings::Standings;
use super::tables::{self, percent};
use crate::machine::Machine;
use crate::manifest::Program;
use crate::report::document::Block;
use crate::report::{Plot, counted, duration, picture};
use arena::statistics::{Strength, Trinomial};
use data::journal::Build;

/// Everything that is reported.
pub(super) struct Story<'a> {
    pub(super) name: String,
    pub(super) settings: &'a Settings,
    pub(super) program: &'a Program,
    pub(super) builds: &'a [Build],
    pub(super) fingerprint: String,
    pub(super) course: &'a Course,
    pub(super) plots: &'a [Plot],
}

impl Story<'_> {
    pub(super) fn title(&self) -> String {
        let title = self.settings.title.clone();
        title.unwrap_or_else(|| format!("Selection {}", self.name))
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Title(self.title())];
        blocks.push(Block::Verdict(self.verdict()));
        blocks.extend(self.choice());
        blocks.extend(self.meaning());
        blocks.extend(self.pictures());
        blocks.extend(self.stages());
        if let Some(standings) = self.course.standings() {
            blocks.push(Block::Heading(
                "All candidates, rated by all games".to_owned(),
            ));
            blocks.push(tables::everybody(&self.course.field, standings));
        }
        blocks.extend(self.manner());
        blocks.extend(self.origin());
        blocks
    }

    fn decided(&self) -> Option<(&Choice, &Standings)> {
        let choice = self.course.choice.as_ref()?;
        Some((choice, self.course.standings()?))
    }

    fn verdict(&self) -> String {
        let field = &self.course.field;
        match self.decided() {
            Some((choice, standings)) => {
                let name = field.name(choice.candidate);
                let chance = standings.of_candidate(choice.candidate);
                let chance = chance.map_or(0.0, |row| row.chance);
                format!(
                    "Chosen: {name}, the best of the {} candidates that played with a probability \
                     of {}.",
                    standings.rows.len(),
                    percent(chance)
                )
            }
            None => match self.course.stages.last() {
                Some(played) => format!("Not finished: the {} is the latest.", played.stage),
                None => "Not finished: no games yet.".to_owned(),
            },
        }
    }

    fn choice(&self) -> Vec<Block> {
        let Some((choice, _)) = self.decided() else {
            return Vec::new();
        };
        let candidate = &self.course.field.candidates[choice.candidate];
        vec![Block::List(vec![
            format!("Why: {}.", choice.reason),
            format!("Net: `{}`, {}", choice.net.file.path, choice.net.name),
            format!("SHA-256: {}", candidate.sha256),
        ])]
    }

    fn meaning(&self) -> Vec<Block> {
        let Some((choice, standings)) = self.decided() else {
            return Vec::new();
        };
        let mut items = vec![
            "The probability comes from one fit of all games of all stages (Davidson's model): \
             ratings are sampled 40,000 times, with a fixed seed, from their joint normal \
             distribution, and it is counted how often each candidate leads. The candidates have \
             no prior, so that one with few games keeps a chance; those without games are \
             excluded. Games are treated as independent although two share an opening, which \
             makes intervals slightly too wide."
                .to_owned(),
            "Selecting the best of many candidates introduces a selection bias: the Elo of the \
             chosen candidate in the tables is too high, the more so the more candidates and the \
             fewer games there are. Only the final is free of this bias: its games are new, and \
             its players were fixed before them."
                .to_owned(),
        ];
        items.extend(self.fresh());
        items.extend(self.by_loss(choice, standings));
        items.extend(self.limits());
        items.extend(standings.caveat.clone());
        vec![
            Block::Heading("Interpretation".to_owned()),
            Block::List(items),
        ]
    }

    /// A note if the stages have different limits.
    fn limits(&self) -> Option<String> {
        let settings = self.settings;
        let first = &settings.gauntlet.player.pace;
        let others = [
            &settings.round_robin.player.pace,
            &settings.peak.player.pace,
            &settings.last.player.pace,
        ];
        others.iter().any(|pace| *pace != first).then(|| {
            "The stages have different limits; the fit assumes that relative strength does not \
             depend on them."
                .to_owned()
        })
    }

    /// The result of the final by its own games, which did not choose the finalists.
    fn fresh(&self) -> Option<String> {
        let stages = &self.course.stages;
        let last = stages.iter().find(|played| played.stage == Stage::Final)?;
        let met = last.meetings.first()?;
        let field = &self.course.field;
        let games = met.pairs.games();
        let elo = match self.settings.last.sprt.estimate(&met.pairs) {
            Some(estimate) => estimate.elo,
            None => Strength::of(&met.pairs).elo,
        };
        Some(format!(
            "The final alone: {} against {}, {} won, {} drawn, {} lost: {elo:.1} Elo, corrected \
             for where the test stopped.",
            field.name(met.first),
            field.name(met.second),
            games.wins,
            games.draws,
            games.losses
        ))
    }

    /// The result of choosing by validation loss instead.
    fn by_loss(&self, choice: &Choice, standings: &Standings) -> Option<String> {
        let field = &self.course.field;
        let losses = field.candidates.iter().enumerate();
        let losses = losses.filter_map(|(number, own)| Some((own.validation_loss?, number)));
        let (_, lowest) = losses.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let name = field.name(lowest);
        if lowest == choice.candidate {
            return Some("The chosen net also has the lowest validation loss.".to_owned());
        }
        Some(match standings.difference(choice.candidate, lowest) {
            Some(difference) => format!(
                "{name} has the lowest validation loss; the chosen net is rated {difference:.1} \
                 Elo above it."
            ),
            None => format!("{name} has the lowest validation loss, but never played."),
        })
    }

    fn pictures(&self) -> Vec<Block> {
        if self.plots.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![
            Block::Heading("Strength and loss".to_owned()),
            Block::Paragraph(
                "Bars are 95 % intervals of the difference from the baseline; those of two \
                 candidates can overlap although their difference is significant."
                    .to_owned(),
            ),
        ];
        blocks.extend(self.plots.iter().map(picture));
        blocks
    }

    fn stages(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for played in &self.course.stages {
            let number = played.stage as u32;
            let heading = format!("Stage {number}: {}", played.stage);
            blocks.push(Block::Heading(heading));
            blocks.push(Block::Paragraph(self.stage(played)));
            blocks.push(tables::stage(self.course, played));
        }
        blocks
    }

    fn stage(&self, played: &Played) -> String {
        let field = &self.course.field;
        let entrants = counted(played.entrants.len(), "candidate");
        let games = played.games();
        let mut all = Trinomial::default();
        let colors = played.meetings.iter().flat_map(|met| met.white);
        colors.for_each(|games| all += games);
        let draws = 100.0 * all.draw_ratio().unwrap_or_default();
        let who = match played.stage {
            Stage::Gauntlet => format!("{entrants} against {}", field.name(field.baseline)),
            Stage::Final => "The two best".to_owned(),
            _ => format!("{entrants} against each other"),
        };
        let rounds = match played.rounds {
            1 => String::new(),
            rounds => format!(" in {rounds} rounds"),
        };
        format!(
            "{who}: {games} games{rounds}, {draws:.0} % drawn. Ranks, Elo and probabilities are \
             those of all games so far."
        )
    }

    /// How the games were played.
    fn manner(&self) -> Vec<Block> {
        let settings = self.settings;
        let allocation = |allocation: &Allocation| match *allocation {
            Allocation::Even => "evenly".to_owned(),
            Allocation::Open {
                rounds,
                least_chance,
                sure,
            } => format!(
                "adaptively, in up to {rounds} rounds: after the first, each pair of games is \
                 between the leaders of two samples from the fit, no candidate with a probability \
                 below {} plays on, and the stage ends when one has {}",
                percent(least_chance),
                percent(sure)
            ),
        };
        let [elo0, elo1] = settings.last.sprt.hypotheses();
        let games = &settings.games;
        let items = vec![
            format!(
                "Gauntlet: {}, {} games of each; the best {} advance",
                settings.gauntlet.player.pace, settings.gauntlet.games, settings.gauntlet.keep
            ),
            format!(
                "Round robin: {}, {} games of each, allocated {}",
                settings.round_robin.player.pace,
                settings.round_robin.games,
                allocation(&settings.round_robin.allocation)
            ),
            format!(
                "Peak: {}, up to {} candidates within {} epochs of the best, {} games of each, \
                 allocated {}",
                settings.peak.player.pace,
                settings.peak.size,
                settings.peak.radius,
                settings.peak.games,
                allocation(&settings.peak.allocation)
            ),
            format!(
                "Final: {}, up to {} games, SPRT of {elo0} against {elo1} from the point of view \
                 of the leader",
                settings.last.player.pace, settings.last.games
            ),
            format!(
                "Openings: {}, {} random plies; each is played twice with colours swapped, and \
                 two players never meet in the same one again",
                games.book, games.random_plies
            ),
        ];
        vec![
            Block::Heading("How it was played".to_owned()),
            Block::List(items),
        ]
    }

    fn origin(&self) -> Vec<Block> {
        let machine = Machine::here();
        let timed = match self.settings.is_timed() {
            true => {
                "Games were limited by time: the same file gives different games on another \
                 machine."
            }
            false => {
                "The same file and nets give the same games with this program, for any number of \
                 threads."
            }
        };
        let cores = counted(machine.cores, "core");
        vec![
            Block::Heading("Provenance".to_owned()),
            Block::List(vec![
                match Build::mixed(self.builds) {
                    None => format!("Program: tabia {}", self.program.version),
                    Some(builds) => format!("Program: tabia {}; {builds}", self.program.version),
                },
                format!("Machine: {}, {cores}", machine.cpu),
                format!(
                    "Time of all finished steps: {}",
                    duration(self.course.seconds)
                ),
                format!("Fingerprint of the settings: {}", self.fingerprint),
                timed.to_owned(),
                "`ratings.csv` has the fit after each stage, `state.jsonl` every result and the \
                 hash of every net, the folders of the stages the games."
                    .to_owned(),
            ]),
            Block::Paragraph("To reproduce it, in the folder of this report:".to_owned()),
            Block::Code("tabia select select.toml".to_owned()),
        ]
    }
}
