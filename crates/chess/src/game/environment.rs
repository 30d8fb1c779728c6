//! The game as an environment for learners: every action is checked, every end of the game found.

use super::views::square_at;
use super::{Line, Termination};
use crate::notation::excerpt;
use crate::{Board, Color, Move, PieceKind, Rank, Square};
use std::fmt;

/// An action by coordinates: row and column of origin and target, counted from
/// 0 at a1, rows towards Black, columns towards the h-file.
///
/// Castling is the king's move of two squares or the king taking its rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// Row and column of the piece.
    pub from: (i32, i32),
    /// Row and column to which it goes.
    pub to: (i32, i32),
    /// What a pawn that reaches the last rank becomes.
    pub promotion: Option<PieceKind>,
}

impl From<[i32; 4]> for Action {
    /// From row, from column, to row, to column.
    fn from([from_row, from_column, to_row, to_column]: [i32; 4]) -> Action {
        Action {
            from: (from_row, from_column),
            to: (to_row, to_column),
            promotion: None,
        }
    }
}

/// What a pawn becomes on the last rank when the action does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promotion {
    /// Nothing: the action must say.
    #[default]
    Explicit,
    /// It becomes a queen.
    AutoQueen,
}

/// Why an action was refused; the game is unchanged. Invalid positions have
/// their own errors, [`BoardError`](crate::BoardError) and
/// [`FenError`](crate::FenError).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ActionError {
    /// The text is not an action.
    Malformed(String),
    /// A coordinate is not on the board.
    OutOfBounds {
        /// The row.
        row: i32,
        /// The column.
        column: i32,
    },
    /// There is no piece to move.
    EmptySquare(Square),
    /// The piece is the opponent's.
    WrongTurn {
        /// Its square.
        square: Square,
        /// The side to move.
        to_move: Color,
    },
    /// The pawn must promote, and the action does not say to what.
    MissingPromotion {
        /// The square on the last rank.
        to: Square,
    },
    /// The rules forbid it.
    Illegal {
        /// The origin.
        from: Square,
        /// The target.
        to: Square,
    },
    /// The game has ended.
    GameOver(Termination),
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActionError::Malformed(message) => f.write_str(message),
            ActionError::OutOfBounds { row, column } => write!(
                f,
                "row {row}, column {column} is not on the board: both go from 0 to 7"
            ),
            ActionError::EmptySquare(square) => write!(f, "there is no piece on {square}"),
            ActionError::WrongTurn { square, to_move } => write!(
                f,
                "the piece on {square} is not {to_move}'s, and {to_move} is to move"
            ),
            ActionError::MissingPromotion { to } => {
                write!(
                    f,
                    "the pawn that moves to {to} must be promoted: give the piece"
                )
            }
            ActionError::Illegal { from, to } => {
                write!(f, "the rules forbid the move from {from} to {to}")
            }
            ActionError::GameOver(termination) => write!(f, "the game is over: {termination}"),
        }
    }
}

impl std::error::Error for ActionError {}

/// What an action led to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// 1 for the side that mates, else 0.
    pub reward: f32,
    /// How the game ended, if it did.
    pub termination: Option<Termination>,
}

impl Step {
    /// Whether the game has ended.
    pub fn is_done(&self) -> bool {
        self.termination.is_some()
    }
}

/// A game with its history. It ends by itself: mate, stalemate, fifty moves,
/// threefold repetition and insufficient material are detected after every move.
///
/// [`push`](Game::push) and [`pop`](Game::pop) make moves of a search on top of
/// the game without changing it: they do not count as repetitions of the game.
#[derive(Clone, Debug)]
pub struct Game {
    line: Line,
    moves: Vec<Move>,
    promotion: Promotion,
    termination: Option<Termination>,
}

impl Game {
    /// A game that starts with this position.
    pub fn new(board: Board) -> Game {
        Game {
            line: Line::new(board),
            moves: Vec::new(),
            promotion: Promotion::default(),
            termination: board.termination(),
        }
    }

    /// The same game with another rule for promotions that an action leaves open.
    pub fn with_promotion(mut self, promotion: Promotion) -> Game {
        self.promotion = promotion;
        self
    }

    /// The current position, after the moves of a search if any were pushed.
    pub fn board(&self) -> &Board {
        self.line.board()
    }

    /// The line of play, for a search that continues from here.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The moves of the game.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How the game ended, if it did.
    pub fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// Plays an action after checking bounds, ownership and legality.
    ///
    /// ```
    /// use chess::{ActionError, Board, Game};
    /// let mut game = Game::new(Board::start());
    /// let step = game.step([1, 4, 3, 4].into()).unwrap(); // e2 to e4
    /// assert!(!step.is_done());
    /// assert!(matches!(
    ///     game.step([1, 3, 3, 3].into()), // White again
    ///     Err(ActionError::WrongTurn { .. })
    /// ));
    /// ```
    pub fn step(&mut self, action: Action) -> Result<Step, ActionError> {
        self.check_running()?;
        let from = on_board(action.from)?;
        let to = on_board(action.to)?;
        self.check_owner(from)?;
        let board = self.board();
        let promotes = board.kind_at(from) == Some(PieceKind::Pawn)
            && to.rank().relative_to(board.side_to_move()) == Rank::Eighth;
        let promotion = match (promotes, action.promotion, self.promotion) {
            (true, None, Promotion::AutoQueen) => Some(PieceKind::Queen),
            (_, Some(PieceKind::Pawn | PieceKind::King), _) => {
                return Err(ActionError::Malformed(
                    "a pawn becomes a knight, bishop, rook or queen".to_owned(),
                ));
            }
            (_, named, _) => named,
        };
        match board.move_of_squares(from, to, promotion) {
            Some(mv) => Ok(self.record(mv)),
            None if promotion.is_none() && board.is_legal_promotion(from, to) => {
                Err(ActionError::MissingPromotion { to })
            }
            None => Err(ActionError::Illegal { from, to }),
        }
    }

    /// Plays a move in coordinates, `e2e4` or `e7e8q`, with the same checks.
    pub fn step_uci(&mut self, text: &str) -> Result<Step, ActionError> {
        let action = Action::from_uci(text)?;
        self.step(action)
    }

    /// Plays a move after checking ownership and legality.
    pub fn play(&mut self, mv: Move) -> Result<Step, ActionError> {
        self.check_running()?;
        self.check_owner(mv.from())?;
        if self.board().is_legal(mv) {
            Ok(self.record(mv))
        } else {
            Err(ActionError::Illegal {
                from: mv.from(),
                to: mv.to(),
            })
        }
    }

    /// Makes a legal move for a search. Take it back with [`pop`](Game::pop)
    /// before the game continues.
    pub fn push(&mut self, mv: Move) {
        self.line.push(mv);
    }

    /// Takes back a move of a search; moves of the game stay.
    ///
    /// Returns whether there was one.
    pub fn pop(&mut self) -> bool {
        let is_ahead = self.line.length() > self.moves.len();
        if is_ahead {
            self.line.pop();
        }
        is_ahead
    }

    fn check_running(&mut self) -> Result<(), ActionError> {
        // What a search left behind is not part of the game.
        while self.pop() {}
        self.termination.map_or(Ok(()), |termination| {
            Err(ActionError::GameOver(termination))
        })
    }

    fn check_owner(&self, from: Square) -> Result<(), ActionError> {
        let to_move = self.board().side_to_move();
        match self.board().color_at(from) {
            None => Err(ActionError::EmptySquare(from)),
            Some(color) if color != to_move => Err(ActionError::WrongTurn {
                square: from,
                to_move,
            }),
            Some(_) => Ok(()),
        }
    }

    fn record(&mut self, mv: Move) -> Step {
        self.line.push(mv);
        self.moves.push(mv);
        self.termination = self.find_termination();
        let has_won = self.termination.and_then(Termination::winner).is_some();
        Step {
            reward: if has_won { 1.0 } else { 0.0 },
            termination: self.termination,
        }
    }

    fn find_termination(&self) -> Option<Termination> {
        self.board()
            .termination()
            .or_else(|| (self.line.earlier_occurrences() >= 2).then_some(Termination::Threefold))
    }
}

impl Action {
    /// Reads an action in coordinates: `e2e4`, `e7e8q`.
    pub fn from_uci(text: &str) -> Result<Action, ActionError> {
        let malformed =
            || ActionError::Malformed(format!("'{}' is not an action such as e2e4", excerpt(text)));
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(malformed());
        }
        let coordinates = |part: &str| -> Result<(i32, i32), ActionError> {
            let square: Square = part.parse().map_err(|_| malformed())?;
            Ok((square.rank().index() as i32, square.file().index() as i32))
        };
        let promotion = match text.as_bytes().get(4) {
            None => None,
            Some(&letter) => Some(PieceKind::from_letter(letter).ok_or_else(malformed)?),
        };
        Ok(Action {
            from: coordinates(&text[..2])?,
            to: coordinates(&text[2..4])?,
            promotion,
        })
    }
}

fn on_board((row, column): (i32, i32)) -> Result<Square, ActionError> {
    square_at(row, column).ok_or(ActionError::OutOfBounds { row, column })
}
