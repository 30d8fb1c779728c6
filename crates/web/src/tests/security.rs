//! Who is answered, and with which headers.

use super::{OWN, Site, asked};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};

const POSITION: &str =
    r#"{"game":{"start":null,"moves":["e2e4"]},"white":null,"black":null,"resigned":null}"#;

#[tokio::test]
async fn other_names_are_not_answered() {
    let site = Site::own();
    for host in [OWN, "localhost:8470", "[::1]:8470"] {
        let request = Request::get("/api/works")
            .header("host", host)
            .body(Body::empty());
        let came = site.send(request.expect("a request")).await;
        assert_eq!(came.status, StatusCode::OK, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:8470",
        "127.0.0.1",
        "127.0.0.1:1",
        "",
        "localhost:8470.evil.example",
    ] {
        for method in [Method::GET, Method::POST] {
            let request = Request::builder()
                .method(method)
                .uri("/api/works")
                .header("host", host);
            let came = site
                .send(request.body(Body::empty()).expect("a request"))
                .await;
            assert_eq!(came.status, StatusCode::FORBIDDEN, "{host}");
        }
    }
    let nameless = Request::get("/api/works")
        .body(Body::empty())
        .expect("a request");
    assert_eq!(site.send(nameless).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn other_sites_change_nothing() {
    let site = Site::own();
    assert_eq!(
        site.post("/api/position", POSITION).await.status,
        StatusCode::OK
    );
    let changes = [
        "/api/position",
        "/api/answer",
        "/api/analyse",
        "/api/run/start",
        "/api/run/stop",
        "/api/run/resume",
        "/api/run/delete",
        "/api/run/tags",
    ];
    for path in changes {
        for origin in [
            "http://evil.example",
            "null",
            "https://127.0.0.1:8470",
            "http://127.0.0.1:1",
            "",
        ] {
            let request = Request::post(path)
                .header("host", OWN)
                .header("origin", origin)
                .header("content-type", "application/json")
                .body(Body::from(POSITION));
            let came = site.send(request.expect("a request")).await;
            assert_eq!(came.status, StatusCode::FORBIDDEN, "{path} {origin}");
        }
        for place in ["cross-site", "same-site"] {
            let request = asked(Method::POST, path).header("sec-fetch-site", place);
            let came = site
                .send(request.body(Body::from(POSITION)).expect("a request"))
                .await;
            assert_eq!(came.status, StatusCode::FORBIDDEN, "{path} {place}");
        }
        // A form of another site can send text, but no JSON.
        let form = Request::post(path)
            .header("host", OWN)
            .header("content-type", "text/plain")
            .body(Body::from(POSITION))
            .expect("a request");
        assert_eq!(
            site.send(form).await.status,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "{path}"
        );
    }
}

#[tokio::test]
async fn an_address_for_others_wants_its_token() {
    let token = "0123456789abcdef";
    let site = Site::new("0.0.0.0:8470", Some(token));
    let ask = |path: &str, header: Option<(&'static str, String)>| {
        let mut request = Request::get(path).header("host", "machine.local:8470");
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        site.send(request.body(Body::empty()).expect("a request"))
    };
    for header in [
        None,
        Some(("authorization", "Bearer wrong".to_owned())),
        Some(("authorization", token.to_owned())),
        Some(("cookie", "tabia-token=wrong".to_owned())),
        Some(("cookie", format!("other={token}"))),
    ] {
        for path in [
            "/",
            "/api/works",
            "/app.js",
            "/?token=wrong",
            "/api/works?token=0123456789abcdef",
        ] {
            let came = ask(path, header.clone()).await;
            assert_eq!(came.status, StatusCode::UNAUTHORIZED, "{path} {header:?}");
        }
    }
    for header in [
        ("authorization", format!("Bearer {token}")),
        ("cookie", format!("a=b; tabia-token={token}")),
    ] {
        let came = ask("/api/works", Some(header)).await;
        assert_eq!(came.status, StatusCode::OK);
    }
    let welcome = ask(&format!("/?token={token}"), None).await;
    assert_eq!(welcome.status, StatusCode::SEE_OTHER);
    assert_eq!(welcome.headers["location"], "/");
    let cookie = welcome.headers["set-cookie"].to_str().expect("a cookie");
    assert!(cookie.starts_with("tabia-token=0123456789abcdef; HttpOnly; SameSite=Strict"));
}

#[tokio::test]
async fn every_answer_carries_its_headers() {
    let site = Site::own();
    for path in [
        "/",
        "/api/works",
        "/api/nothing",
        "/no.such.file",
        "/api/work?id=x",
    ] {
        let came = site.get(path).await;
        let policy = came.headers["content-security-policy"]
            .to_str()
            .expect("a policy");
        assert!(
            policy.contains("script-src 'self'") && !policy.contains("unsafe"),
            "{path}"
        );
        assert_eq!(came.headers["x-content-type-options"], "nosniff");
        assert_eq!(came.headers["x-frame-options"], "DENY");
        assert!(came.headers.contains_key("cache-control"));
    }
}

#[tokio::test]
async fn there_is_always_a_page() {
    let site = Site::own();
    let came = site.get("/").await;
    assert_eq!(came.status, StatusCode::OK);
    assert_eq!(came.headers["content-type"], "text/html; charset=utf-8");
    match crate::assets::is_built() {
        true => assert!(came.text.contains("/app.js")),
        false => assert!(came.text.contains("make web")),
    }
    // A page never has a script of its own within it.
    assert!(!came.text.contains("<script>") && !came.text.contains("onclick"));
}

/// A stream that is read as long as it is kept.
async fn stream(site: &Site) -> axum::response::Response {
    let request = Request::get("/api/stream").header("host", super::OWN);
    let request = request.body(Body::empty()).expect("a request");
    site.respond(request).await
}

#[tokio::test]
async fn only_so_many_read_the_stream() {
    let site = Site::own();
    let mut readers = Vec::new();
    for _ in 0..512 {
        let response = stream(&site).await;
        assert_eq!(response.status(), StatusCode::OK);
        readers.push(response);
    }
    assert_eq!(stream(&site).await.status(), StatusCode::TOO_MANY_REQUESTS);
    // Those who go make room for others.
    readers.pop();
    assert_eq!(stream(&site).await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archives_that_nobody_reads_leave_room_for_questions() {
    let site = Site::own();
    let folder = site.folder.path().join("large");
    std::fs::create_dir(&folder).expect("room");
    std::fs::write(folder.join("metrics.jsonl"), "").expect("room");
    // What cannot be packed: more than waits for a reader.
    let noise: Vec<u8> = (0..4 << 20_u32)
        .flat_map(|number: u32| blake3::hash(&number.to_le_bytes()).as_bytes()[..1].to_vec())
        .collect();
    std::fs::write(folder.join("noise"), noise).expect("room");
    let export = || async {
        let request = Request::get("/api/export?id=large").header("host", super::OWN);
        let request = request.body(Body::empty()).expect("a request");
        site.respond(request).await
    };
    let mut unread = Vec::new();
    for _ in 0..4 {
        let response = export().await;
        assert_eq!(response.status(), StatusCode::OK);
        unread.push(response);
    }
    assert_eq!(export().await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(site.get("/api/works").await.status, StatusCode::OK);
    drop(unread);
    // A thread notices a little later that its reader is gone.
    while export().await.status() != StatusCode::OK {
        tokio::task::yield_now().await;
    }
}
