//! Turns of a bench with rivals: all are measured by the CPU time of one thread.

use crate::rival::Rival;

/// CPU seconds of a turn, at the least.
const TURN: f64 = 0.7;

/// A rival, if it is there, the net's name for it, and its kinds of arithmetic.
pub(crate) type Side<'a> = (&'a mut Option<Rival>, &'a str, &'a [&'a str]);

/// Measures something and its rivals in turns, and prints one line: the net, what it does, and
/// with how many at once, and at the end what is aimed at.
pub(crate) fn row(
    (net, work, batch): (&str, &str, usize),
    rounds: usize,
    rivals: &mut [Side<'_>],
    ours: &mut dyn FnMut() -> f64,
    aim: &str,
) {
    let mut own = Vec::new();
    let sides = rivals.iter().flat_map(|(.., precisions)| *precisions);
    let mut others = vec![Vec::new(); sides.count()];
    for _ in 0..rounds {
        own.push(ours());
        let mut others = others.iter_mut();
        for (rival, net, precisions) in &mut *rivals {
            for (precision, rates) in precisions.iter().zip(&mut others) {
                let rival = rival.as_mut();
                rates.extend(rival.map(|it| it.speed(work, net, batch, precision, TURN)));
            }
        }
    }
    let own = median(own);
    let beside = |rates: Vec<f64>| match rates.is_empty() {
        true => "         -       -".to_owned(),
        false => {
            let rate = median(rates);
            format!("{rate:10.0}{:8.2}", own / rate)
        }
    };
    let others: Vec<String> = others.into_iter().map(beside).collect();
    println!(
        "{net:7}{work:6}{batch:6}{own:10.0}  {}  {aim}",
        others.join("  ")
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// CPU seconds of the calling thread so far.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().expect("a number");
    nanoseconds.parse::<f64>().expect("a number") / 1e9
}

/// Positions per CPU second of something that does `count` at once.
pub(crate) fn measure(count: usize, mut work: impl FnMut()) -> f64 {
    let start = cpu_seconds();
    let mut done = 0;
    loop {
        work();
        done += count;
        let spent = cpu_seconds() - start;
        if spent >= TURN {
            return done as f64 / spent;
        }
    }
}
