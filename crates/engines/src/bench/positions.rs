//! The positions of the bench. Changing one changes the signature.

/// Openings of known lines, middlegames and endgames that followed from them, positions with a
/// theme, and Chess960.
pub(super) const POSITIONS: [&str; 42] = [
    // Ruy Lopez, closed.
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    // Sicilian, Najdorf.
    "rn1qkb1r/1p3ppp/p2pbn2/4p3/4P3/1NN1BP2/PPP3PP/R2QKB1R b KQkq - 0 8",
    // French, Winawer.
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P2Q1/P1P5/2P2PPP/R1B1KBNR b KQkq - 2 7",
    // Caro-Kann, classical.
    "r2qkbnr/pp1npppb/2p4p/7P/3P4/5NN1/PPP2PP1/R1BQKB1R w KQkq - 1 9",
    // Queen's Gambit declined.
    "r1bq1rk1/pp1nbppp/2p1pn2/3p2B1/2PP4/2N1PN2/PP3PPP/2RQKB1R w K - 0 8",
    // Slav, Meran.
    "r1bqkb1r/p2n1ppp/2p1pn2/1p6/3P4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 1 8",
    // Nimzo-Indian.
    "rnbq1rk1/p1pp1ppp/1p2pn2/8/2PP4/P1Q5/1P2PPPP/R1B1KBNR w KQ - 0 7",
    // King's Indian, Mar del Plata.
    "r1bq1rk1/pppnnpbp/3p2p1/3Pp3/2P1P3/2N5/PP2BPPP/R1BQNRK1 w - - 3 10",
    // Gruenfeld, exchange.
    "rnbq1rk1/pp2ppbp/6p1/2p5/3PP3/2P2N2/P4PPP/1RBQKB1R w K - 2 9",
    // English, four knights.
    "r1bqk2r/ppp1bppp/1nn5/4p3/8/2N2NP1/PP1PPPBP/R1BQ1RK1 w kq - 4 8",
    // Italian, quiet.
    "r1bq1rk1/1pp2ppp/p1np1n2/2b1p3/P1B1P3/2PP1N2/1P3PPP/RNBQ1RK1 w - - 0 8",
    // King's Gambit.
    "rnbqkb1r/pppp1p1p/5n2/4N3/4PppP/8/PPPP2P1/RNBQKB1R w KQkq - 2 6",
    // Benko Gambit.
    "rn1qkb1r/3ppp1p/b4np1/2pP4/4P3/2N5/PP3PPP/R1BQKBNR b KQkq - 0 7",
    // Middlegames, in the order of the openings.
    "r2q1bk1/3b1ppp/4rn2/p3p3/2NpP3/PB5P/3B1PP1/1R1QR1K1 b - - 5 23",
    "r5k1/1pr1bpp1/p2p1n2/3qp1B1/6P1/1N6/PPP4P/1KRQ2R1 w - - 0 24",
    "r1b3k1/pp2nrpp/4p3/3pPp2/P1qQ1P2/B1P5/2P1N1PP/R3K2R b KQ - 3 17",
    "3rr1k1/pp1nbpp1/1q2pn1p/2pPN2P/2P2B2/6N1/PP2QPP1/3R1RK1 w - - 1 18",
    "r2r1nk1/1p3p1p/2p2qp1/p7/2Q5/P1R1PN1P/1P3PP1/5RK1 b - - 0 21",
    "r2q1rk1/1b1nbppp/p3p3/1PpPP3/8/2N1PN2/1P4PP/R2Q1RK1 b - - 0 17",
    "r4rk1/pb3p2/4p2p/n5P1/4P3/Pp1B1P2/5KP1/3R2NR b - - 0 23",
    "r1bq2k1/5r1p/1p1p2p1/p1n1p3/P1PnPp2/1PNN1P2/4B1PP/1R1QbRK1 w - - 0 22",
    "r1b2rk1/p4p1p/1p1P2p1/4p3/4P3/4K3/P3BPPP/1R5R w - - 0 19",
    "2brr1k1/2p1qpp1/p1n2n1p/Pp2p3/4P3/1P1P1NP1/2QB1PBP/2R1R1K1 b - - 4 20",
    "3rrnk1/1p2qpp1/p1pp1n1p/P3pP2/8/1BPP1N2/1P3PPP/R2QR1K1 w - - 1 20",
    "2kr3r/ppp1b3/2n2pP1/7p/3P2bP/2PN4/PP3K2/RNB3R1 w - - 1 20",
    // Endgames.
    "8/8/P6k/2R1p2p/4P1p1/1r1p2P1/5PK1/8 b - - 0 49",
    "6k1/5p2/p5p1/6b1/3r4/4N3/PPK1R2P/8 w - - 0 38",
    "8/8/6pk/5p2/1K6/1N6/3r3P/8 w - - 0 55",
    "8/4B1k1/4p3/3pP2p/3P1Rb1/2r2p2/8/6K1 w - - 0 59",
    "8/4k3/p3p1R1/2p4P/P1p1P3/8/1r3KP1/8 w - - 0 35",
    "6k1/6pp/5n2/1p6/2p2b2/4PK2/1r4PP/8 w - - 0 32",
    "r7/pR6/4p1k1/4P3/6N1/Pp1rK3/8/6n1 w - - 0 37",
    "8/8/1R6/pPp4k/P1rpKp1P/5P2/8/8 b - - 0 54",
    "1R6/8/1P6/2p2k2/1r6/p1K5/8/8 w - - 0 63",
    "r4k2/5p1p/3N1np1/P7/8/6P1/R4PK1/8 b - - 0 33",
    // A pawn and the opposition.
    "8/8/8/3k4/8/3K4/4P3/8 w - - 0 1",
    // Bishop and knight against the bare king.
    "8/8/8/8/4k3/8/3B4/3KN3 w - - 0 1",
    // Zugzwang: the side to move must give way.
    "8/8/2k5/1p1p4/pP1P1p2/P1K2P2/8/8 w - - 0 1",
    // Pawns about to promote on both sides.
    "6k1/P4ppp/8/8/8/8/p4PPP/6K1 w - - 0 1",
    // A locked position that looks better than it is.
    "8/1p1k4/pPp1p1p1/P1PpPpPp/3P1P1P/4K3/8/4B3 w - - 10 60",
    // Chess960, the start and a middlegame.
    "bbnrknqr/pppppppp/8/8/8/8/PPPPPPPP/BBNRKNQR w HDhd - 0 1",
    "nrk1bbqr/pp2pppp/2pn4/3p4/3P4/2NN2P1/PPP1PP1P/1RK1BBQR w HBhb - 0 6",
];
