# Short names for what a developer does every day. `make help` lists them.

TARGET_FOLDER := $(or $(CARGO_TARGET_DIR),target)
PORTABLE := $(TARGET_FOLDER)/portable
# Of the portable program; tests take `quick`, which builds faster.
PROFILE ?= release
# A program without its page still answers JSON.
PAGE_IF_POSSIBLE := scripts/need-page make || [ $$? = 3 ]

.PHONY: help build web run test bench portable release deny fuzz

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: cargo ## build the program for this machine's CPU: target/release/tabia
	@$(PAGE_IF_POSSIBLE)
	cargo build --release --package tabia

web: ## build the page of `tabia serve`: crates/web/page/dist (needs Node)
	@TABIA_REQUIRE_ALL=1 scripts/need-page "make web"

run: cargo ## build fast, and let two small nets teach themselves, in minutes: the preset quickstart
	@$(PAGE_IF_POSSIBLE)
	cargo build --profile quick --package tabia
	$(TARGET_FOLDER)/quick/tabia run quickstart

test: cargo ## check formatting and lints, run all tests
	@scripts/test

bench: cargo ## run the benches
	cargo bench --workspace --benches

portable: cargo ## build for any x86-64-v2 CPU: target/portable/release/tabia
	@$(PAGE_IF_POSSIBLE)
	RUSTFLAGS="-C target-cpu=x86-64-v2" \
		cargo build --profile $(PROFILE) --package tabia --target-dir $(PORTABLE)

release: web build portable ## pack the portable program with licences and checksums: target/packages
	@scripts/release

FUZZ_TARGETS := fen epd san uci_moves pgn nnue tabianet ntuple policy resnet sequence_model \
	weights binpack plain policy_shard npz sequences eco
FUZZ_SECONDS ?= 240

fuzz: cargo ## feed garbage to every reader, FUZZ_SECONDS for each (needs cargo-fuzz)
	@cargo fuzz --version >/dev/null 2>&1 || \
		{ echo "cargo-fuzz is missing: install it with 'cargo install cargo-fuzz --locked'" >&2; exit 1; }
	@for target in $(FUZZ_TARGETS); do \
		mkdir -p fuzz/corpus/$$target; \
		RUSTC_BOOTSTRAP=1 cargo fuzz run $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -dict=fuzz/notation.dict -timeout=10 || exit 1; \
	done

deny: cargo ## check the licences and origins of all dependencies
	@cargo deny --version >/dev/null 2>&1 || \
		{ echo "cargo-deny is missing: install it with 'cargo install cargo-deny --locked'" >&2; exit 1; }
	cargo deny check bans licenses sources

.PHONY: cargo
cargo:
	@command -v cargo >/dev/null || \
		{ echo "cargo is missing: install Rust with rustup (https://rustup.rs), then run make again" >&2; exit 1; }
