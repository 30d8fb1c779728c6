//! Another program beside us: a process that is told what to measure, line by line.

use std::env;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Rival {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Rival {
    /// Starts its side of a bench, if the interpreter has this package.
    pub(crate) fn start(package: &str, script: &str) -> Option<Rival> {
        let python = env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let mut process = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let input = process.stdin.take()?;
        let mut output = BufReader::new(process.stdout.take()?).lines();
        match output.next() {
            Some(Ok(version)) => {
                println!("beside {package} {version}");
                Some(Rival {
                    process,
                    input,
                    output,
                })
            }
            _ => {
                println!("{package} is not installed (asked {python}; PYTHON names another)");
                let _ = process.wait();
                None
            }
        }
    }

    /// Positions per CPU second, measured for at least so many seconds.
    pub(crate) fn speed(
        &mut self,
        work: &str,
        net: &str,
        batch: usize,
        precision: &str,
        seconds: f64,
    ) -> f64 {
        writeln!(self.input, "{work} {net} {batch} {precision} {seconds}").expect("it listens");
        self.input.flush().expect("it listens");
        let answer = self.output.next().expect("an answer").expect("text");
        answer.parse().expect("positions a second")
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
