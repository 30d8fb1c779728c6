//! Turns of a bench with a rival: both are measured by the CPU time of one thread.

use crate::rival::Rival;

/// CPU seconds of a turn, at the least.
const TURN: f64 = 0.7;

/// Measures something and its rival in turns, and prints one line: the net, what it does, with
/// how many at once, and at the end what is aimed at.
pub(crate) fn row(
    (net, work, batch): (&str, &str, usize),
    rounds: usize,
    rival: &mut Option<Rival>,
    ours: &mut dyn FnMut() -> f64,
    aim: &str,
) {
    let (mut own, mut single, mut half) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        own.push(ours());
        if let Some(rival) = rival {
            single.push(rival.speed(work, net, batch, "f32", TURN));
            half.push(rival.speed(work, net, batch, "bf16", TURN));
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
    let (single, half) = (beside(single), beside(half));
    println!("{net:7}{work:6}{batch:6}{own:10.0}  {single}  {half}  {aim}");
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
