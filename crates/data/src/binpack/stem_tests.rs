use super::*;

fn stem(position: &Position) -> [u8; LENGTH] {
    let mut bytes = Vec::new();
    write(position, &mut bytes).expect("an ordinary position");
    bytes.try_into().expect("32 bytes")
}

fn position(fen: &str, mv: &str) -> Position {
    let board = Board::from_fen(fen).expect("a position");
    Position {
        board,
        mv: board.parse_uci(mv).ok(),
        score: -201,
        result: Outcome::Draw,
        ply: 68,
    }
}

/// The stem of a file that another program wrote.
const FOREIGN: [u8; LENGTH] = [
    0x82, 0x82, 0x90, 0xd2, 0x08, 0xc0, 0x46, 0x52, 0x48, 0x3a, 0x40, 0x00, 0x51, 0x10, 0x12, 0x71,
    0x9b, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x68, 0x01, 0x91, 0x00, 0x44, 0x00, 0x00,
];

#[test]
fn a_foreign_stem_is_read_and_written_alike() {
    let read = read(&FOREIGN).expect("a position");
    let fen = "1q5b/1r5k/4p2p/1b2P1pN/3p4/6PP/1nP3B1/1Q2B1K1 w - - 0 35";
    assert_eq!(read, position(fen, "c2c4"));
    assert_eq!(stem(&read), FOREIGN);
}

#[test]
fn marks_survive() {
    for (fen, mv, ply, result) in [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 35",
            "e1g1",
            68,
            Outcome::Win,
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 35",
            "e8g8",
            69,
            Outcome::Loss,
        ),
        (
            "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 9",
            "e5d6",
            16,
            Outcome::Draw,
        ),
        (
            "4k3/8/8/8/2PpP3/8/8/4K3 b - e3 0 9",
            "d4e3",
            17,
            Outcome::Win,
        ),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", 0, Outcome::Loss),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "none", 0, Outcome::Loss),
    ] {
        let position = Position {
            ply,
            result,
            ..position(fen, mv)
        };
        let again = read(&stem(&position)).expect("a position");
        assert_eq!(again, position, "{fen}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let chess960 = position("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1e2");
    let error = write(&chess960, &mut Vec::new()).expect_err("Chess960");
    assert_eq!(
        error.to_string(),
        "a binpack cannot hold the castling rights of Chess960: \
         1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1; write plain text instead"
    );
    let late = Position {
        ply: 16_384,
        ..position("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2")
    };
    let error = write(&late, &mut Vec::new()).expect_err("late");
    assert_eq!(
        error.to_string(),
        "a binpack cannot hold ply 16384: the maximum is 16383"
    );
}

#[test]
fn broken_stems_are_told_apart() {
    let broken = |place: usize, byte: u8| {
        let mut stem = FOREIGN;
        stem[place] = byte;
        read(&stem).expect_err("broken").to_string()
    };
    // More men than before on the last rank, the unused bits being pawns.
    assert_eq!(broken(0, 0xFF), "a pawn is on c8");
    assert_eq!(broken(28, 0xC0), "its result is neither win, draw nor loss");
    assert_eq!(
        broken(8, 0x4C),
        "the man on b1 has a flag that is only valid on other squares"
    );
    assert_eq!(
        broken(30, 0xFF),
        "the halfmove clock is 65280, not from 0 to 9999"
    );
    let full = [0xFF; LENGTH];
    assert_eq!(
        read(&full).expect_err("full").to_string(),
        "it has 64 men, more than 32"
    );
    // A rook with a castling right, but its king is not on its original square.
    let mut homeless = stem(&position("4k3/8/8/8/8/8/8/5K1R w - - 0 1", "h1g1"));
    homeless[8] = 0x0D << 4 | 0x0A;
    assert_eq!(
        read(&homeless).expect_err("homeless").to_string(),
        "a flag does not match the men: short castling right of White dropped: \
         king or rook is not in place"
    );
}
