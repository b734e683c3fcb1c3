# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Each installs what it needs first (Debian 12, a Swift toolchain given).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# What `daybook-camera` loads when it runs: RTSP, HTTP, JPEG, VP9 and WebM of the one, H.264 and H.265 of the other.
CAMERA_PACKAGES := gstreamer1.0-plugins-good gstreamer1.0-libav libsoup-3.0-0
# To build; to test besides; to try the demo.
BUILD_PACKAGES := liblmdb-dev libvpx-dev libturbojpeg0-dev libsqlite3-dev libphonenumber-dev pkg-config \
	libc6-dev libstdc++-12-dev binutils libncurses6 libxml2 libcurl4 libedit2 libpython3.11 zlib1g-dev tzdata libgstreamer1.0-dev $(CAMERA_PACKAGES)
TEST_PACKAGES := nodejs curl python3 python3-yaml python3-jsonschema python3-cryptography openssl ffmpeg strace sqlite3 gcc procps python3-lmdb \
	python3-shapely python3-geographiclib python3-gi gir1.2-gst-rtsp-server-1.0
# A mail server and a message centre for the tests of what leaves; they are run by the tests alone, never as services. Without them those tests are skipped.
SERVER_PACKAGES := exim4-daemon-light kannel
# Telephones, a proxy and what puts load on SIP, for the campaign; PJSIP is not in Debian. Without them those parts are skipped.
TELEPHONE_PACKAGES := sip-tester socat kamailio kamailio-tls-modules linphone-cli baresip python3-venv
# Another reader of QR codes, and what draws photographs of them, for the campaign. Without them that part is skipped.
QR_PACKAGES := zxing-cpp-tools python3-numpy
DEMO_PACKAGES := python3 ffmpeg
# Browsers for the tests of the pages, and what pages use of others. Without them those tests are skipped, which the end of the run says.
BROWSER_PACKAGES := chromium firefox-esr webkit2gtk-driver xvfb gstreamer1.0-plugins-good libjs-dygraphs libjs-leaflet $(MAP_PACKAGES)

# What the map of the world is made of.
MAP_PACKAGES := libmagics++-data

# No debug information: builds are shorter and smaller, and crashes still name functions. Every debug build says so, or each rebuilds the other's.
DEBUG := -debug-info-format none
RELEASE_PROGRAM = "$$(swift build -c release --show-bin-path)/daybook"

.PHONY: help build test campaign release demo pictures bench basemap format lint lint-web test-web install-build install-test install-campaign install-demo

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

build: install-build ## build everything, debug (5 min the first time)
	swift build $(DEBUG)

test: install-test ## what must hold at each change: pages, build, unit tests, smoke set of outside programs and browsers (10 min with the build kept, 20 on a clean clone)
	.ci/tests

campaign: install-campaign ## all outside programs and browsers on the release program, fuzzing, the sample package (long); PART=name for one part, TIMES=10 for ten times, OPTIONS="…" for its program
	.ci/campaign $(PART) $(if $(TIMES),--times $(TIMES)) $(if $(OPTIONS),-- $(OPTIONS))

release: install-test ## build the program that people run, read its async frames, play the demo on it: the optimiser has faults of its own (10 min)
	swift build -c release --product daybook
	swift build -c release --product daybook-camera
	python3 Tests/Tools/async_frames.py $(RELEASE_PROGRAM)
	python3 Tests/Tools/demo.py --daybook $(RELEASE_PROGRAM) --data .demo

demo: install-demo ## play a whole incident through a real gateway and prove it, then try it on a start page (5 min the first time)
	swift build $(DEBUG) --product daybook
	swift build $(DEBUG) --product daybook-camera
	python3 Tests/Tools/demo.py --daybook "$$(swift build $(DEBUG) --show-bin-path)/daybook" --data .demo

pictures: install-demo ## take the README's pictures, in Documentation/pictures, anew: of the demo, in a browser (3 min with the build kept)
	@.ci/install chromium libjs-leaflet fonts-dejavu-core
	swift build $(DEBUG) --product daybook
	swift build $(DEBUG) --product daybook-camera
	python3 Tests/Tools/pictures.py --daybook "$$(swift build $(DEBUG) --show-bin-path)/daybook"

bench: install-build ## measure speed beside plain C, as ratios (long; on a quiet machine); DAYBOOK_BENCH_SCALE=0.1 for a quick look
	@.ci/install gcc openssl
	swift build -c release --product daybook-benchmarks
	"$$(swift build -c release --show-bin-path)/daybook-benchmarks"

basemap: install-build ## make the map of the world, .build/world.mbtiles, that gateways find by themselves
	@.ci/install $(MAP_PACKAGES)
	swift build -c release --product daybook
	$(RELEASE_PROGRAM) basemap world -o .build/world.mbtiles

format: ## rewrite the sources in the project's form
	swift format --in-place --recursive --parallel Sources Tests Benchmarks Package.swift

lint: lint-web ## say what is not in that form
	swift format lint --strict --recursive --parallel Sources Tests Benchmarks Package.swift

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
	@WITHOUT_SERVICES=1 .ci/install $(SERVER_PACKAGES) || echo "WARNING: without $(SERVER_PACKAGES) the tests of mail and SMS are skipped" >&2
	@.ci/install $(BROWSER_PACKAGES) || echo "WARNING: without $(BROWSER_PACKAGES) the tests of the pages are skipped" >&2
install-campaign: install-test
	@WITHOUT_SERVICES=1 .ci/install $(TELEPHONE_PACKAGES) || echo "WARNING: without $(TELEPHONE_PACKAGES) texts by other telephones are not tried" >&2
	@.ci/install $(QR_PACKAGES) || echo "WARNING: without $(QR_PACKAGES) the reader of QR codes is not measured" >&2
	@.build/pjsip/bin/python3 -c "import pjsua2" 2>/dev/null || { python3 -m venv .build/pjsip && .build/pjsip/bin/pip install -q pjsua2-python; } || echo "WARNING: without pjsua2-python texts by PJSIP are not tried" >&2
install-demo: install-build
	@.ci/install $(DEMO_PACKAGES)
