use super::*;

fn tokens(text: &str) -> Vec<Token<'_>> {
    tokens_of(text.as_bytes())
}

fn tokens_of(bytes: &[u8]) -> Vec<Token<'_>> {
    let mut lexer = Lexer::new(bytes);
    std::iter::from_fn(|| lexer.next_token()).collect()
}

fn number(number: u32, dots: usize) -> Token<'static> {
    Token::Number { number, dots }
}

fn word(text: &str) -> Token<'_> {
    Token::Move(text.as_bytes())
}

#[test]
fn moves_with_and_without_space_after_their_numbers() {
    let expected = [
        number(1, 1),
        word("e4"),
        word("c5"),
        number(2, 1),
        word("Nf3"),
    ];
    assert_eq!(tokens("1. e4 c5 2. Nf3"), expected);
    assert_eq!(tokens("1.e4 c5\r\n2.Nf3"), expected);
    assert_eq!(tokens("12... Qxf7+"), [number(12, 3), word("Qxf7+")]);
    assert_eq!(
        tokens("1. ... e5"),
        [number(1, 1), Token::Filler, word("e5")]
    );
    assert_eq!(
        tokens("1. ...e5"),
        [number(1, 1), Token::Filler, word("e5")]
    );
    assert_eq!(tokens("1…e5"), [number(1, 0), Token::Filler, word("e5")]);
    assert_eq!(
        tokens("1e4 2Nf3"),
        [number(1, 0), word("e4"), number(2, 0), word("Nf3")]
    );
    assert_eq!(tokens("99999999999."), [number(u32::MAX, 1)]);
}

#[test]
fn castling_with_letters_and_zeros() {
    assert_eq!(
        tokens("O-O-O 0-0 0-0-0+"),
        [word("O-O-O"), word("0-0"), word("0-0-0+")]
    );
}

#[test]
fn results_in_all_spellings() {
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    for (text, result) in [
        ("1-0", WhiteWins),
        ("0-1", BlackWins),
        ("1/2-1/2", Draw),
        ("1/2", Draw),
        ("½-½", Draw),
        ("*", Unknown),
    ] {
        assert_eq!(tokens(text), [Token::Result(result)], "{text}");
    }
    assert_eq!(tokens_of(b"\xBD-\xBD"), [Token::Result(Draw)]);
    assert_eq!(tokens("Nf3*"), [word("Nf3"), Token::Result(Unknown)]);
    assert_eq!(tokens("2-1"), [word("2-1")]);
}

#[test]
fn annotations_and_the_marks_for_them() {
    let nags = [1, 2, 3, 4, 5, 6, 18, 10, 255, 3].map(Token::Nag);
    assert_eq!(tokens("! ? !! ?? !? ?! +- = $255 !!!"), nags);
    assert_eq!(
        tokens("e4!?$14"),
        [word("e4"), Token::Nag(5), Token::Nag(14)]
    );
    assert_eq!(tokens("$ $256"), [Token::Filler, Token::Filler]);
}

#[test]
fn comments_of_both_kinds() {
    assert_eq!(
        tokens("{a ; b} e4 ; to { the end\ne5 {}"),
        [
            Token::Comment(b"a ; b"),
            word("e4"),
            Token::LineComment(b" to { the end"),
            word("e5"),
            Token::Comment(b""),
        ]
    );
    let wrapped = "{ long\n[%clk 0:01:00] }";
    assert_eq!(tokens(wrapped), [Token::Comment(b" long\n[%clk 0:01:00] ")]);
}

#[test]
fn the_next_game_ends_a_comment_left_open() {
    let text = "e4 {oops e5\n\n[Event \"next\"]";
    let [first, second, Token::Tag(tag)] = tokens(text)[..] else {
        panic!("{text}")
    };
    assert_eq!([first, second], [word("e4"), Token::UnclosedComment]);
    assert_eq!(tag.name(), b"Event");
    assert_eq!(tokens("{oops"), [Token::UnclosedComment]);
    let quoted = "{see [Event \"x\"] there}";
    assert_eq!(tokens(quoted), [Token::Comment(b"see [Event \"x\"] there")]);
}

#[test]
fn variations_passes_and_escaped_lines() {
    assert_eq!(
        tokens("(-- Z0)"),
        [Token::Open, Token::NullMove, Token::NullMove, Token::Close]
    );
    assert_eq!(tokens("%e4 {\ne5\r%x\rd4"), [word("e5"), word("d4")]);
    assert_eq!(tokens("e4 %"), [word("e4"), Token::Filler]);
}

#[test]
fn debris_is_told_from_moves() {
    assert_eq!(tokens("exd6 e.p."), [word("exd6"), Token::Filler]);
    assert_eq!(tokens("exd6e.p. e4."), [word("exd6"), word("e4")]);
    assert_eq!(
        tokens("] } , [x"),
        [
            Token::Filler,
            Token::Filler,
            Token::Filler,
            Token::Filler,
            word("x")
        ]
    );
    assert_eq!(tokens("♘f3 ∞"), [word("♘f3"), Token::Filler]);
    assert_eq!(tokens("\u{feff}e4\0e5"), [word("e4"), word("e5")]);
}

#[test]
fn tokens_know_their_place() {
    let mut lexer = Lexer::new(b"  e4 {c}");
    lexer.next_token();
    assert_eq!((lexer.start(), lexer.position()), (2, 4));
    lexer.next_token();
    assert_eq!((lexer.start(), lexer.position()), (5, 8));
}
