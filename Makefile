# Short names for what a developer does every day. `make help` lists them.

TARGET_FOLDER := $(or $(CARGO_TARGET_DIR),target)
PORTABLE := $(TARGET_FOLDER)/portable

.PHONY: help build test bench portable deny

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: cargo ## build the program for this machine's CPU: target/release/tabia
	cargo build --release --package tabia

test: cargo ## check formatting and lints, run all tests
	@scripts/test

bench: cargo ## run the benches
	cargo bench --workspace --benches

portable: cargo ## build for any x86-64-v2 CPU: target/portable/release/tabia
	RUSTFLAGS="-C target-cpu=x86-64-v2" cargo build --release --package tabia --target-dir $(PORTABLE)

deny: cargo ## check the licences and origins of all dependencies
	@cargo deny --version >/dev/null 2>&1 || \
		{ echo "cargo-deny is missing: install it with 'cargo install cargo-deny --locked'" >&2; exit 1; }
	cargo deny check bans licenses sources

.PHONY: cargo
cargo:
	@command -v cargo >/dev/null || \
		{ echo "cargo is missing: install Rust with rustup (https://rustup.rs), then run make again" >&2; exit 1; }
