use super::*;
use serde::Deserialize;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Header {
    format: u32,
    fingerprint: String,
    settings: Vec<u32>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Line {
    number: u32,
    words: String,
}

type Kept = Journal<Header, Line>;

static KIND: Kind = Kind {
    work: "sum",
    line: "number",
    remedy: "take another file",
    syncing: Syncing::EverySecond,
};

fn header() -> Header {
    Header {
        format: 1,
        fingerprint: "abc".to_owned(),
        settings: vec![3, 5],
    }
}

fn line(number: u32) -> Line {
    Line {
        number,
        words: "x".repeat(number as usize),
    }
}

/// The journal, and its lines with their places.
fn open(path: &Path, header: &Header) -> Result<(Kept, Vec<(Line, u64)>), String> {
    open_by(path, header, None)
}

fn open_by(
    path: &Path,
    header: &Header,
    author: Option<&Author>,
) -> Result<(Kept, Vec<(Line, u64)>), String> {
    let mut lines = Vec::new();
    let journal = Kept::open(path, &KIND, header, author, &mut |line: Line, place| {
        if line.number == 13 {
            return Err("13 is not wanted".to_owned());
        }
        lines.push((line, place));
        Ok(())
    });
    match journal {
        Ok(journal) => Ok((journal, lines)),
        Err(error) => Err(error.to_string()),
    }
}

/// The error, without the folder.
fn refused(path: &Path, header: &Header) -> String {
    let folder = path.parent().expect("a folder").display();
    let words = open(path, header).expect_err("refused");
    words.replace(&format!("{folder}/"), "")
}

fn begun(folder: &tempfile::TempDir) -> (PathBuf, Vec<u64>) {
    let path = folder.path().join("sums");
    let (mut journal, none) = open(&path, &header()).expect("begun");
    assert_eq!(none, []);
    let places = (1..5).map(|number| journal.append(&line(number)).expect("room"));
    let places = places.collect();
    assert_eq!(
        journal.read(Vec::<u64>::clone(&places)[2]).expect("a line"),
        line(3)
    );
    (path, places)
}

#[test]
fn lines_come_back_with_their_places_whatever_was_torn() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (path, places) = begun(&folder);
    let whole = fs::read(&path).expect("a file");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).expect("torn");
        let ends = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
        let (mut journal, lines) = open(&path, &header()).expect("a journal");
        assert_eq!(lines.len(), ends.saturating_sub(1), "cut at {cut}");
        for (index, (found, place)) in lines.iter().enumerate() {
            assert_eq!((found, place), (&line(index as u32 + 1), &places[index]));
        }
        // The following lines are where they always were.
        for number in lines.len() as u32 + 1..5 {
            let line = serde_json::to_vec(&line(number)).expect("JSON");
            journal.append_bytes(line).expect("room");
        }
        journal.sync().expect("synced");
        assert!(fs::read(&path).expect("a file") == whole, "cut at {cut}");
    }
}

#[test]
fn one_who_looks_needs_no_lock_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (path, _) = begun(&folder);
    let mut torn = fs::read(&path).expect("a file");
    torn.truncate(torn.len() - 1);
    fs::write(&path, &torn).expect("torn");
    let other = fs::File::open(&path).expect("a file");
    other.lock().expect("a lock");
    let mut numbers = Vec::new();
    Kept::look(&path, &KIND, &mut |line, _| {
        numbers.push(line.number);
        Ok(())
    })
    .expect("readable");
    assert_eq!(numbers, [1, 2, 3]);
    assert!(fs::read(&path).expect("a file") == torn);
    let words = refused(&path, &header());
    assert_eq!(words, "sums: another process is working on this sum");
    let error = check_unused(&path, &KIND).expect_err("in use").to_string();
    assert!(error.ends_with(&words), "{error}");
    drop(other);
    check_unused(&path, &KIND).expect("unused");
    check_unused(&folder.path().join("none"), &KIND).expect("unused");
}

#[test]
fn other_work_is_named_by_the_first_difference() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (path, _) = begun(&folder);
    let mut other = header();
    other.fingerprint = "def".to_owned();
    assert_eq!(
        refused(&path, &other),
        "sums: this journal belongs to another sum: its settings differ; take another file"
    );
    other.settings[1] = 6;
    assert_eq!(
        refused(&path, &other),
        "sums: this journal belongs to another sum: settings[1] is 5 there and 6 here; \
         take another file"
    );
    other.format = 2;
    let words = refused(&path, &other);
    assert!(words.contains("format is 1 there and 2 here"), "{words}");
}

#[test]
fn broken_lines_are_named() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (path, _) = begun(&folder);
    let text = fs::read_to_string(&path).expect("a file");
    let lines: Vec<&str> = text.lines().collect();
    let refusal = |lines: &[&str]| {
        fs::write(&path, lines.join("\n") + "\n").expect("written");
        refused(&path, &header())
    };
    let words = refusal(&["joho"]);
    assert!(
        words.starts_with("sums:1: not a valid sum journal: "),
        "{words}"
    );
    let words = refusal(&[lines[0], lines[1], "", lines[2]]);
    assert!(words.starts_with("sums:3: not a valid number: "), "{words}");
    assert!(
        words.ends_with("; restore the file, or take another file"),
        "{words}"
    );
    let unwanted = serde_json::to_string(&line(13)).expect("JSON");
    assert_eq!(
        refusal(&[lines[0], &unwanted]),
        "sums:2: 13 is not wanted; restore the file, or take another file"
    );
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("sums");
    fs::create_dir(&path).expect("a folder");
    assert_eq!(
        refused(&path, &header()),
        "sums: this is not a regular file"
    );
    let look = |path: &Path| Kept::look(path, &KIND, &mut |_, _| Ok(())).expect_err("refused");
    assert!(look(&path).to_string().ends_with("not a regular file"));
    for endless in ["/dev/zero", "/dev/full"] {
        let words = open(Path::new(endless), &header()).expect_err("refused");
        assert_eq!(words, format!("{endless}: this is not a regular file"));
        assert!(
            look(Path::new(endless))
                .to_string()
                .ends_with("not a regular file")
        );
    }
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("every Unix has it").success());
        assert_eq!(
            refused(&pipe, &header()),
            "pipe: this is not a regular file"
        );
        assert!(look(&pipe).to_string().ends_with("not a regular file"));
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("sums");
    // A very long file of zeros takes no space on disk.
    let file = fs::File::create(&path).expect("a file");
    file.set_len(1 << 36).expect("a sparse file");
    let words = refused(&path, &header());
    assert_eq!(words, "sums: a line is longer than 64 MiB");
    drop(file);
    fs::remove_file(&path).expect("removed");
    let (mut journal, _) = open(&path, &header()).expect("begun");
    let error = journal.append_bytes(vec![b' '; file::LONGEST_LINE + 1]);
    assert!(error.is_err());
    journal.append(&line(1)).expect("room");
    drop(journal);
    assert_eq!(open(&path, &header()).expect("whole").1.len(), 1);
}

fn author(signature: u64) -> Author {
    Author {
        build: Build {
            signature,
            arithmetic: "avx2".to_owned(),
            format: 1,
        },
        accepts_others: false,
    }
}

#[test]
fn builds_do_not_mix_unnoticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let [one, two] = [author(1), author(2)];
    let open = |author: &Author| open_by(&path, &header(), Some(author));
    // Even before the first line: other files may belong to the job.
    drop(open(&one).expect("begun"));
    assert!(open(&two).is_err());
    let (mut journal, _) = open(&one).expect("continued");
    journal.append(&line(3)).expect("written");
    assert_eq!(journal.builds(), std::slice::from_ref(&one.build));
    drop(journal);
    let refused = open(&two).expect_err("another build");
    assert_eq!(
        refused.replace(&folder.path().display().to_string(), "FOLDER"),
        "FOLDER/journal: this sum was started by another build (bench signature 1, avx2 \
         arithmetic, format 1; this one has bench signature 2, avx2 arithmetic, format 1), and results of both would be mixed: continue with that build, take another file, or accept the mix with --accept-build"
    );
    let mut other_arithmetic = one.clone();
    other_arithmetic.build.arithmetic = "portable".to_owned();
    assert!(open(&other_arithmetic).is_err());
    let accepting = Author {
        accepts_others: true,
        ..two.clone()
    };
    let (journal, lines) = open(&accepting).expect("accepted");
    assert_eq!(lines.len(), 1);
    let both = [one.build.clone(), two.build.clone()];
    assert_eq!(journal.builds(), both);
    assert_eq!(builds(&path, &KIND).expect("readable"), both);
    drop(journal);
    // Both builds are known from now on, and lines are found where they were.
    for known in [&one, &two] {
        let (journal, lines) = open(known).expect("known");
        assert_eq!(journal.builds().len(), 2);
        assert_eq!(journal.read(lines[0].1).expect("a line"), line(3));
    }
}

#[test]
fn lines_of_an_unknown_build_are_not_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let (mut journal, _) = open(&path, &header()).expect("begun");
    journal.append(&line(3)).expect("written");
    drop(journal);
    let refused = open_by(&path, &header(), Some(&author(1))).expect_err("unknown");
    assert!(refused.contains("(an unknown one; "), "{refused}");
}

#[test]
fn a_line_that_is_struck_out_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, places) = begun(&folder);
    let (mut journal, _) = open(&path, &header()).expect("opened");
    journal.strike(places[1]).expect("struck out");
    journal.append(&line(9)).expect("room");
    assert!(journal.read(places[1]).is_err());
    assert_eq!(journal.read(places[2]).expect("a line"), line(3));
    drop(journal);
    let (_, lines) = open(&path, &header()).expect("opened");
    let numbers: Vec<u32> = lines.iter().map(|(line, _)| line.number).collect();
    assert_eq!(numbers, [1, 3, 4, 9]);
}
