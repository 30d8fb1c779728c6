use super::*;
use crate::pgn::boundary;

/// Each game as the words of its moves, with its result.
fn games(text: &str) -> Vec<String> {
    let mut games = Games::new(text.as_bytes());
    let mut found = Vec::new();
    while games.next_game().is_some() {
        let mut words = Vec::new();
        while let Some(token) = games.next_token() {
            match token {
                Token::Tag(tag) => words.push(format!("[{}]", tag.value())),
                Token::Move(word) => words.push(String::from_utf8_lossy(word).into_owned()),
                Token::Result(result) => words.push(result.to_string()),
                Token::Comment(text) | Token::LineComment(text) => {
                    words.push(format!("{{{}}}", String::from_utf8_lossy(text)));
                }
                Token::UnclosedComment => words.push("{".to_owned()),
                Token::Open => words.push("(".to_owned()),
                Token::Close => words.push(")".to_owned()),
                _ => {}
            }
        }
        found.push(words.join(" "));
    }
    found
}

#[test]
fn tags_after_moves_begin_a_game() {
    let text = "[Event \"a\"]\n[Site \"x\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4 *";
    assert_eq!(games(text), ["[a] [x] e4 e5", "[b] d4 *"]);
}

#[test]
fn games_run_together_on_one_line() {
    let text = "1. e4 e5 1-0 1. d4 d5 0-1 [Event \"a\"] 1. c4 * [Event \"b\"] 1/2-1/2";
    assert_eq!(
        games(text),
        ["e4 e5 1-0", "d4 d5 0-1", "[a] c4 *", "[b] 1/2-1/2"]
    );
}

#[test]
fn games_without_tags_and_results() {
    assert_eq!(
        games("1. e4 e5\n2. Nf3\n\n1. d4 d5\r\n\r\n1. c4"),
        ["e4 e5 Nf3", "d4 d5", "c4"]
    );
    assert_eq!(games("1. e4\n\n1... e5\n\n2. Nf3"), ["e4 e5 Nf3"]);
    assert_eq!(
        games("1. e4 e5 (\n\n1. d4 d5) 2. Nf3"),
        ["e4 e5 ( d4 d5 ) Nf3"]
    );
    assert_eq!(games("1. e4 e5\n1. d4"), ["e4 e5 d4"]);
}

#[test]
fn results_count_once_and_outside_variations_only() {
    assert_eq!(
        games("1. e4 (1. d4 1-0) e5 0-1 0-1 1-0"),
        ["e4 ( d4 ) e5 0-1"]
    );
}

#[test]
fn comments_after_the_result_belong_to_the_game() {
    let text = "[Event \"a\"]\n1. e4 1-0 {resigned}\n; really\n[Event \"b\"]\n*";
    assert_eq!(games(text), ["[a] e4 1-0 {resigned} { really}", "[b] *"]);
}

#[test]
fn comments_before_the_tags_belong_to_no_game() {
    assert_eq!(games("{made by hand}\n; yes\n[Event \"a\"]\n*"), ["[a] *"]);
    assert_eq!(games("{made by hand} 1. e4 *"), ["{made by hand} e4 *"]);
    assert_eq!(games("{nothing else}"), Vec::<String>::new());
}

#[test]
fn games_of_tags_only() {
    let text = "[Event \"a\"]\n[Site \"x\"]\n\n[Event \"b\"]\n[Site \"y\"]\n";
    assert_eq!(games(text), ["[a] [x]", "[b] [y]"]);
    let noted = "[Event \"a\"]\n; note\n[Site \"x\"]\n{text}\n[Site \"y\"]";
    assert_eq!(games(noted), ["[a] { note} [x] {text}", "[y]"]);
}

#[test]
fn a_game_can_be_left_early() {
    let mut games = Games::new(b"1. e4 e5 1-0 {end}\n1. d4 *");
    assert_eq!(games.next_game(), Some(0));
    games.next_token();
    assert_eq!(games.next_game(), Some(19));
    assert_eq!(
        games.next_token(),
        Some(Token::Number { number: 1, dots: 1 })
    );
}

#[test]
fn the_last_game_of_a_text_that_breaks_off() {
    assert_eq!(last_game_start(b"1. e4 * 1. d4 * 1. c4"), Some(16));
    assert_eq!(last_game_start(b"1. e4 * 1. d4 * 1"), Some(8));
    assert_eq!(last_game_start(b"1. e4 e5 2. Nf3"), None);
    assert_eq!(last_game_start(b"1. e4 1/2-1/2 1/2-1"), None);
    assert_eq!(last_game_start(b""), None);
}

#[test]
fn both_ways_to_find_the_last_game_agree() {
    for text in [
        "[Event \"a\"]\n1. e4 *\n[Event \"b\"]\n1. d4 *",
        "[Event \"a\"]\n{text}\n[Site \"b\"]\n[Date \"c\"]\n",
        "[Event \"a\"]\n{open\n[Site \"b\"]\n[Date \"c\"]\n",
        "junk\n[Event \"a\"]\n",
        "...\n[Event \"a\"]\n",
    ] {
        let bytes = text.as_bytes();
        let start = boundary::last_game_start(bytes);
        assert!(start.is_some());
        assert_eq!(start, last_game_start(bytes), "{text}");
    }
}
