# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Each installs what it needs first (Debian 12, a Swift toolchain given).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# To build; to test besides; to try the demo.
BUILD_PACKAGES := liblmdb-dev libvpx-dev libturbojpeg0-dev libsqlite3-dev pkg-config \
	libc6-dev libstdc++-12-dev binutils libncurses6 libxml2 libcurl4 libedit2 libpython3.11 zlib1g-dev tzdata
TEST_PACKAGES := nodejs curl python3 python3-yaml python3-jsonschema python3-cryptography openssl ffmpeg strace sqlite3 gcc procps python3-lmdb
DEMO_PACKAGES := python3
# Browsers for the tests of the pages, and what pages use of others; where they cannot be had, those are skipped, and say so.
BROWSER_PACKAGES := chromium firefox-esr webkit2gtk-driver xvfb gstreamer1.0-plugins-good libjs-leaflet $(MAP_PACKAGES)

# What the map of the world is made of.
MAP_PACKAGES := libmagics++-data

# More at once only wait for each other on two cores, and run into their time limits.
FEW_AT_ONCE := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3
# Freed memory is overwritten, so that whoever reads it fails.
FREED := MALLOC_PERTURB_=165

# REQUESTS=10000000 takes hours; how many a second is printed at the end.
REQUESTS ?= 1000000

.PHONY: help build test release demo bench doubling basemap fuzz fuzz-requests edges reach crowd damage format lint lint-web test-web install-build install-test install-demo

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

build: install-build ## build everything, debug
	swift build

test: install-test lint-web test-web ## build and run every test
	swift build --build-tests
	$(FREED) $(FEW_AT_ONCE) .ci/tests --skip-build --skip EndToEndTests
	$(FEW_AT_ONCE) .ci/tests --skip-build --filter EndToEndTests
	.ci/tests --package-path Tests/ProjectorSample --scratch-path .build-sample

PROGRAM = "$$(swift build -c release --show-bin-path)/daybook"

release: install-test ## build the program that people run, and try that: the optimiser has faults of its own
	swift build -c release --product daybook
	python3 Tests/Tools/async_frames.py $(PROGRAM)
	python3 Tests/Tools/request_fuzz.py --daybook $(PROGRAM) --requests 20000
	python3 Tests/Tools/demo.py --daybook $(PROGRAM) --data .demo

demo: install-demo ## play a whole incident through a real gateway and prove it
	swift build --product daybook
	python3 Tests/Tools/demo.py --daybook "$$(swift build --show-bin-path)/daybook" --data .demo

bench: install-build ## measure beside plain C; DAYBOOK_BENCH_SCALE=0.1 for a quick look
	@.ci/install gcc openssl
	swift build -c release --package-path Benchmarks --scratch-path .build-bench
	.build-bench/release/DaybookBenchmarks

# What a run finds stays in .build-fuzz; the same command with that file in place of the folder repeats it.
FUZZ_ROUNDS ?= 50000
FUZZ_SECONDS ?= 60
FUZZ_PARSERS := entry data json note checkpoint vkey tile bundle webm frame

fuzz: install-test ## hostile bytes for the parsers of events, proofs, chat and video; FUZZ_SECONDS=60 each under libFuzzer, FUZZ_ROUNDS=50000 besides
	swift build --build-tests
	DAYBOOK_FUZZ_ROUNDS=$(FUZZ_ROUNDS) swift test --skip-build --filter FuzzTests
	swift build --package-path Tests/Fuzzing --scratch-path .build-fuzz --sanitize fuzzer
	for parser in $(FUZZ_PARSERS); do \
		.build-fuzz/debug/daybook-fuzz $$parser .build-fuzz/corpus/$$parser -max_total_time=$(FUZZ_SECONDS) \
			-max_len=70000 -artifact_prefix=.build-fuzz/found-$$parser- -print_final_stats=1; \
	done

fuzz-requests: install-test ## random requests from the OpenAPI file; REQUESTS=1000000 of them, against a release build
	swift build -c release --product daybook
	python3 Tests/Tools/request_fuzz.py --daybook "$$(swift build -c release --show-bin-path)/daybook" --requests $(REQUESTS) --people 70

edges: install-test ## every number that comes from outside, at its edges, as every role; every text that is dear to read
	swift build --product daybook
	python3 Tests/Tools/edges.py --daybook "$$(swift build --show-bin-path)/daybook" --all-roles
	python3 Tests/Tools/dear_text.py --daybook "$$(swift build --show-bin-path)/daybook"

reach: install-test ## who reaches what: every route, socket and topic, as every role of two organisations; what still comes when a right has ended; holds
	swift build --product daybook
	python3 Tests/Tools/reach.py --daybook "$$(swift build --show-bin-path)/daybook" --table
	python3 Tests/Tools/endings.py --daybook "$$(swift build --show-bin-path)/daybook"
	python3 Tests/Tools/held_body.py --daybook "$$(swift build --show-bin-path)/daybook"
	python3 Tests/Tools/holds.py --daybook "$$(swift build --show-bin-path)/daybook"

CROWD := python3 Tests/Tools/crowd.py --daybook "$$(swift build -c release --show-bin-path)/daybook"

crowd: install-test ## what a crowd at the door costs those inside: silent peers, strangers, unfinished pictures; against a release build, on a quiet machine
	swift build -c release --product daybook
	$(CROWD) --silent 4096
	$(CROWD) --silent 4096 --tls
	python3 Tests/Tools/media_flood.py --daybook "$$(swift build -c release --show-bin-path)/daybook"
	python3 Tests/Tools/strangers.py --daybook "$$(swift build -c release --show-bin-path)/daybook"
	python3 Tests/Tools/latency.py --daybook "$$(swift build -c release --show-bin-path)/daybook"

damage: install-test ## what verify says, and serve does, of sixty kinds of damage and a thousand flipped bits
	swift build --product daybook
	python3 Tests/Tools/damage.py --daybook "$$(swift build --show-bin-path)/daybook"
	python3 Tests/Tools/recordings.py --daybook "$$(swift build --show-bin-path)/daybook"
	python3 Tests/Tools/demo.py --daybook "$$(swift build --show-bin-path)/daybook" --data .demo
	python3 Tests/Tools/flip.py "$$(swift build --show-bin-path)/daybook" .demo

DOUBLING_EVENTS ?= 50000

doubling: install-test ## show that builds are linear: processor time at 50,000 to 400,000 events; DOUBLING_EVENTS=5000 for a quick look
	swift build -c release --product daybook
	swift build -c release --product daybook-history
	python3 Tests/Tools/doubling.py --daybook "$$(swift build -c release --show-bin-path)/daybook" \
		--history "$$(swift build -c release --show-bin-path)/daybook-history" --events $(DOUBLING_EVENTS) --rounds 5

basemap: install-build ## make the map of the world, .build/world.mbtiles, that gateways find by themselves
	@.ci/install $(MAP_PACKAGES)
	swift build -c release --product daybook
	"$$(swift build -c release --show-bin-path)/daybook" basemap world -o .build/world.mbtiles

format: ## rewrite the sources in the project's form
	swift format --in-place --recursive --parallel Sources Tests Benchmarks/Sources Package.swift

lint: lint-web ## say what is not in that form
	swift format lint --strict --recursive --parallel Sources Tests Benchmarks/Sources Package.swift

# Debian 12's Node is enough: no package of others is needed.
lint-web: ## say what is wrong with the pages' files by themselves: syntax, names that are imported, files that are named, words that old phones do not know
	@.ci/install nodejs
	node --no-warnings --experimental-vm-modules web/test/lint.js

test-web: ## run the tests of the pages' modules that need no browser, and say how much of them was run
	@.ci/install nodejs
	.ci/test-web

install-build:
	@.ci/install $(BUILD_PACKAGES)
install-test: install-build
	@.ci/install $(TEST_PACKAGES)
	@.ci/install $(BROWSER_PACKAGES) || echo "WARNING: without $(BROWSER_PACKAGES) the tests of the pages will be SKIPPED" >&2
install-demo: install-build
	@.ci/install $(DEMO_PACKAGES)
