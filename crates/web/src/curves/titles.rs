//! Names of numbers in words. What has no words of its own keeps its name, without the
//! underscores.

/// What learners measure.
const MEASURED: [(&str, &str); 10] = [
    ("calibration", "Calibration error"),
    ("clipped", "Share of clipped updates"),
    ("draws", "Share of draws"),
    ("entropy", "Entropy of the policy"),
    ("entropy_of_start", "Entropy in the start position"),
    ("kl", "KL divergence from the reference"),
    ("loss", "Training loss"),
    ("mrr", "Mean reciprocal rank"),
    ("policy_loss_of_start", "Policy loss of the initial model"),
    ("positions_a_second", "Positions per second"),
];

/// Parts of a row that hold several numbers.
const GROUPS: [(&str, &str); 6] = [
    ("baseline", "Match against generation 0"),
    ("eval", "Evaluation games"),
    ("explored", "Exploration"),
    ("learned", "Validation"),
    ("previous", "Match against the previous net"),
    ("reasons", "Games that ended by"),
];

/// What a learner measured.
pub(super) fn measured(name: &str) -> String {
    if let Some((_, words)) = MEASURED.iter().find(|(known, _)| *known == name) {
        return (*words).to_owned();
    }
    let first = |prefix| name.strip_prefix(prefix)?.parse::<u32>().ok();
    match (first("hr_"), first("top_")) {
        (Some(1), _) | (_, Some(1)) => "Share of moves predicted".to_owned(),
        (Some(count), _) | (_, Some(count)) => format!("Hit rate, first {count}"),
        _ => plain(name),
    }
}

/// A number of a row, by its path in it.
pub(super) fn of_row(name: &str) -> String {
    let Some((group, rest)) = name.split_once('.') else {
        return plain(name);
    };
    let own = match group {
        "learned" => lowered(&measured(rest)),
        _ => rest.replace('.', ", ").replace(['_', '-'], " "),
    };
    let known = GROUPS.iter().find(|(known, _)| *known == group);
    let group = known.map_or_else(|| plain(group), |(_, words)| (*words).to_owned());
    format!("{group}: {own}")
}

fn plain(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// The beginning of a sentence within one; abbreviations stay.
fn lowered(words: &str) -> String {
    let mut letters = words.chars();
    match (letters.next(), words.chars().nth(1)) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_into_words() {
        for (name, words) in [
            ("hr_10", "Hit rate, first 10"),
            ("top_1", "Share of moves predicted"),
            ("mrr", "Mean reciprocal rank"),
            ("policy_loss", "Policy loss"),
            ("validation_loss", "Validation loss"),
            ("\u{e4}x_y", "\u{c4}x y"),
            ("", ""),
        ] {
            assert_eq!(measured(name), words);
        }
        for (name, words) in [
            (
                "explored.false_resignations",
                "Exploration: false resignations",
            ),
            ("learned.policy_loss", "Validation: policy loss"),
            ("learned.kl", "Validation: KL divergence from the reference"),
            ("reasons.no-mate", "Games that ended by: no mate"),
            (
                "eval.counts.draw_draw",
                "Evaluation games: counts, draw draw",
            ),
            ("idle", "Idle"),
        ] {
            assert_eq!(of_row(name), words);
        }
    }
}
