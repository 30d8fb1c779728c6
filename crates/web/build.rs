//! Notices that the page was built, or removed: its files are embedded.

fn main() {
    println!("cargo::rerun-if-changed=page/dist");
}
