use super::*;

/// Writes down the parts of a game.
#[derive(Default)]
struct Notes(String);

impl Visitor for Notes {
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        if tag.raw_value() == b"unwanted" {
            return ControlFlow::Break(());
        }
        self.0 += "# ";
        ControlFlow::Continue(())
    }

    fn play(&mut self, before: &Board, mv: Option<Move>) {
        self.0 += mv
            .map_or("--".to_owned(), |mv| before.san(mv).to_string())
            .as_str();
        self.0 += " ";
    }

    fn nag(&mut self, nag: u8) {
        self.0 += &format!("${nag} ");
    }

    fn comment(&mut self, text: &[u8]) {
        self.0 += &format!("{{{}}} ", String::from_utf8_lossy(text));
    }

    fn open(&mut self) {
        self.0 += "( ";
    }

    fn close(&mut self) {
        self.0 += ") ";
    }

    fn end(&mut self, ending: &Ending) {
        self.0 += ending.result().as_str();
    }
}

fn replay(text: &str) -> Vec<Result<String, Stop>> {
    let mut games = Games::new(text.as_bytes());
    let mut replayer = Replayer::default();
    let next = || {
        let mut notes = Notes::default();
        let outcome = replayer.next_game(&mut games, &mut notes)?;
        Some(outcome.map(|_| notes.0))
    };
    std::iter::from_fn(next).collect()
}

fn problem(text: &str) -> String {
    match &replay(text)[..] {
        [Err(Stop::Broken { problem, .. })] => problem.to_string(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn moves_are_heard_as_the_standard_writes_them() {
    let text = "[Event \"a\"]\n1. e2-e4 d5 2.exd5 Q:d5! {bold} 3. Nc3 $14 1-0";
    assert_eq!(
        replay(text),
        [Ok("# e4 d5 exd5 Qxd5 $1 {bold} Nc3 $14 1-0".to_owned())]
    );
}

#[test]
fn variations_replace_the_move_before_them() {
    let text = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Bc4 *";
    let expected = "e4 e5 ( c5 Nf3 ( c3 d5 ) d6 ) ( e6 ) Bc4 *";
    assert_eq!(replay(text), [Ok(expected.to_owned())]);
}

#[test]
fn plies_and_results_are_counted() {
    let text = "[Result \"1-0\"]\n1. e4 (1. d4 d5) e5 2. -- *";
    let mut games = Games::new(text.as_bytes());
    let ending = Replayer::default()
        .next_game(&mut games, &mut ())
        .unwrap()
        .unwrap();
    assert_eq!((ending.plies, ending.variation_plies), (3, 2));
    assert_eq!(ending.result, Some(GameResult::Unknown));
    assert_eq!(ending.tag_result, Some(GameResult::WhiteWins));
    assert_eq!(ending.result(), GameResult::Unknown);
}

#[test]
fn starts_are_taken_from_the_tags() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let position = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n1. e3 *");
    assert_eq!(replay(&position), [Ok("# # e3 *".to_owned())]);
    let ignored = format!("[SetUp \"0\"]\n[FEN \"{fen}\"]\n1. Nf3 *");
    assert_eq!(replay(&ignored), [Ok("# # Nf3 *".to_owned())]);
    let shuffled = "[Variant \"Chess960\"]\n\
        [FEN \"rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w HAha - 0 1\"]\n1. Ng3 *";
    assert_eq!(replay(shuffled), [Ok("# # Ng3 *".to_owned())]);
}

#[test]
fn problems_say_what_and_where() {
    assert_eq!(
        problem("1. e4 e5 2. Ke3 *"),
        "2. Ke3: not a legal move here, \
         in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    assert!(problem("1. foo").starts_with("1. foo: not a move in SAN"));
    assert!(problem("1. d4 a6 2. Nf3 a5 3. Nd2 *").starts_with("3. Nd2: more than one"));
    assert!(problem("1. f3 e5 2. g4 Qh4+ 3. -- *").starts_with("3. --: a side in check"));
    assert!(problem("[FEN \"nonsense\"]\n*").starts_with(
        "the start position 'nonsense' is \
        invalid"
    ));
    assert_eq!(
        problem("[Variant \"Atomic\"]\n*"),
        "the variant 'Atomic' is not supported"
    );
    assert_eq!(problem("1. e4 {oops"), "a comment is never closed");
    assert_eq!(problem("1. e4 (1. d4 *"), "a variation is never closed");
    assert_eq!(
        problem("1. e4) *"),
        "a variation is closed but was never opened"
    );
    assert_eq!(problem("(1. e4) *"), "a variation has no move to replace");
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(MAX_DEPTH + 1));
    assert_eq!(problem(&deep), "variations are nested more than 256 deep");
}

#[test]
fn the_games_after_a_broken_one_are_read() {
    let text = "1. e4 e4 2. e4 1-0\n[Event \"unwanted\"]\n1. c4 *\n[Event \"a\"]\n1. d4 *";
    let outcomes = replay(text);
    assert!(matches!(outcomes[0], Err(Stop::Broken { offset: 6, .. })));
    assert_eq!(outcomes[1], Err(Stop::LeftOut));
    assert_eq!(outcomes[2], Ok("# d4 *".to_owned()));
    assert_eq!(replay("7. ... ]"), [Err(Stop::Nothing)]);
}
