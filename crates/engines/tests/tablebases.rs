//! Positions with few men are played as the tables say.
//!
//! The tables are not part of the project: with the variable TABIA_DATA naming
//! a folder that has `syzygy/` in it, thousands of random positions are played
//! out; without it, only what needs no tables is tested.

use chess::{Board, BoardBuilder, Color, Game, Piece, PieceKind, Square};
use engines::alphabeta::{AlphaBeta, Options};
use engines::score::Score;
use engines::tablebase::{Tablebases, Verdict};
use engines::{Limits, StopSignal};
use std::path::PathBuf;
use std::sync::Arc;

#[test]
fn a_missing_folder_is_named() {
    let error = Tablebases::open("/no/such/folder", 7).expect_err("no folder");
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[test]
fn without_files_nothing_is_known() {
    let folder = std::env::temp_dir().join(format!("tabia-no-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let opened = Tablebases::open(&folder.to_string_lossy(), 7);
    std::fs::remove_dir(&folder).expect("the folder is empty");
    let tables = opened.expect("an empty folder can be read");
    assert_eq!((tables.files(), tables.most_men()), (0, 0));
    let board = Board::from_fen("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").expect("a position");
    assert_eq!(tables.verdict_after_zeroing(&board), None);
    assert_eq!(tables.ranked(&board, &board.legal_moves()), None);
}

/// The tables, if they are there.
fn tables() -> Option<Arc<Tablebases>> {
    let Some(data) = std::env::var_os("TABIA_DATA") else {
        eprintln!("TABIA_DATA is not set: no tables to play with");
        return None;
    };
    let folder = PathBuf::from(data).join("syzygy");
    let tables = Tablebases::open(&folder.to_string_lossy(), 7);
    Some(Arc::new(tables.expect("the tables can be read")))
}

/// Several lines are shown although the tables know which move is the best: as many as
/// were asked for, the better result first, and a mate to its end.
#[test]
fn several_lines_are_shown_of_what_the_tables_know() {
    let Some(tables) = tables() else { return };
    let mut random = 0x7ab1_a000_0000_0008u64;
    let options = Options {
        hash: 1,
        lines: 5,
        ..Options::default()
    };
    let mut player = AlphaBeta::new(nets::Classical::default(), options);
    player.set_tablebases(Some(Arc::clone(&tables)));
    let (mut compared, mut mates) = (0, 0);
    for _ in 0..100 {
        let board = random_position(&mut random);
        let moves = board.legal_moves();
        let Some(ranked) = tables.ranked(&board, &moves) else {
            continue;
        };
        let mut reports = Vec::new();
        player.forget();
        let limits = Limits::nodes(5_000);
        player.think(
            &Game::new(board),
            &limits,
            &StopSignal::new(),
            &mut |report| {
                reports.push(report.clone());
            },
        );
        let wanted = moves.len().min(5);
        let lines = &reports[reports.len() - wanted..];
        let numbers: Vec<usize> = lines.iter().map(|line| line.rank).collect();
        assert_eq!(numbers, (1..=wanted).collect::<Vec<_>>(), "{board:?}");
        for (line, (_, expected)) in lines.iter().zip(&ranked) {
            let own = ranked.iter().find(|(mv, _)| *mv == line.line[0]);
            assert_eq!(own.expect("it is legal").1, *expected, "{board:?}");
            assert!(line.tablebase_hits >= moves.len() as u64);
            compared += 1;
            if let Score::Mate(distance) = line.score {
                let plies = 2 * distance.unsigned_abs() as usize - usize::from(distance > 0);
                assert_eq!(line.line.len(), plies, "{board:?}");
                mates += 1;
            }
        }
    }
    assert!(
        compared > 200 && mates > 20,
        "{compared} lines, {mates} mates"
    );
}

#[test]
fn games_with_few_men_end_as_the_tables_say() {
    let Some(tables) = tables() else { return };
    let mut random = 0x7ab1_a000_0000_0007u64;
    let options = Options {
        hash: 1,
        ..Options::default()
    };
    let mut player = AlphaBeta::new(nets::Classical::default(), options);
    player.set_tablebases(Some(Arc::clone(&tables)));
    let mut seen = [0; 3];
    for _ in 0..300 {
        let board = random_position(&mut random);
        let Some(verdict) = tables.verdict_after_zeroing(&board) else {
            continue;
        };
        seen[verdict as usize] += 1;
        let winner = play_out(&mut player, board);
        let expected = match verdict {
            Verdict::Win => Some(board.side_to_move()),
            Verdict::Draw => None,
            Verdict::Loss => Some(!board.side_to_move()),
        };
        assert_eq!(winner, expected, "{board:?}");
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

fn play_out(player: &mut AlphaBeta<nets::Classical>, board: Board) -> Option<Color> {
    let mut game = Game::new(board);
    player.forget();
    while game.termination().is_none() {
        let answer = player.think(&game, &Limits::nodes(200), &StopSignal::new(), &mut |_| {});
        game.play(answer.best.expect("a move"))
            .expect("a legal move");
    }
    game.termination().and_then(|end| end.winner())
}

/// Two kings and one or two other men on random squares, in a legal position.
fn random_position(random: &mut u64) -> Board {
    loop {
        let mut builder = BoardBuilder::new();
        let others = 1 + next(random) % 2;
        let mut men = vec![
            Piece::new(Color::White, PieceKind::King),
            Piece::new(Color::Black, PieceKind::King),
        ];
        for _ in 0..others {
            let color = Color::ALL[(next(random) % 2) as usize];
            men.push(Piece::new(
                color,
                PieceKind::ALL[(next(random) % 5) as usize],
            ));
        }
        for piece in men {
            let square = Square::from_index(next(random) as u8);
            builder.pieces[square.index()] = Some(piece);
        }
        builder.side_to_move = Color::ALL[(next(random) % 2) as usize];
        if let Ok((board, _)) = builder.build()
            && board.termination().is_none()
        {
            return board;
        }
    }
}

/// SplitMix64, its upper half.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 32
}
