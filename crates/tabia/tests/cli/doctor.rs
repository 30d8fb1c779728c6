//! `tabia doctor`.

use crate::program::tabia;

#[test]
fn the_machine_of_the_tests_is_well() {
    let output = tabia(&["doctor", "--json"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tests = report["tests"].as_array().expect("tests");
    let names: Vec<_> = tests
        .iter()
        .filter_map(|test| test["name"].as_str())
        .collect();
    assert_eq!(names, ["rules", "search", "self-play", "training"]);
    assert!(tests.iter().all(|test| test["passed"] == true), "{text}");
    assert!(
        report["machine"]["free_disk_bytes"].as_u64() > Some(0),
        "{text}"
    );
    let programs = report["programs"].as_array().expect("programs");
    assert!(
        programs
            .iter()
            .any(|program| program["name"] == "nats-server")
    );
}
