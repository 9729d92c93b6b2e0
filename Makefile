# Short names for what CMake does (CMakeLists.txt, presets in CMakePresets.json).
#
#   make            builds the release binary, build/knack, and libknack
#   make run        installs what is missing, builds, shows Knack on one screen (knack tour) and, in a terminal, serves the page
#   make test       installs what is missing, builds, runs all tests
#   make install    installs to PREFIX (default /usr/local) below DESTDIR
#   make asan|tsan|clang  the tests under clang's address+undefined or gcc's thread sanitizer, or built by clang alone
#   make fuzz       fuzzes every parser for FUZZ_SECONDS (default 60) each; FUZZ=name for one of them
#   make crash-tests  a thousand kills, full disks and failing writes; prints a table, which docs/reliability.md sums; FOLDER=DIR says
#                   where (a file system in memory is quicker)
#   make mutants    changes the source in MUTANTS places (default 200, drawn by SEED) and counts the changes that tests notice; ROOMS=a,b
#                   for some folders of src; a run can be stopped and goes on where it was
#   make analyse    gcc -fanalyzer, clang-tidy, the analyser of clang and cppcheck on every source, or on FILES (tools/analyse.sh); mypy on the Python package
#   make manual     compares every transcript and checked number of the manual with what the program prints, long ones too, and runs its commands as they stand
#   make bench      the benchmark suite
#   make results    measures the lab's results that travel with the program (data/results.txt says which; hours); RESULTS=name for some
#   make dist       packs the source as knack-VERSION.tar.gz; the same commit gives the same bytes
#   make deb        Debian packages of the command, the library and the development files
#   make reproducible  builds the commit twice, in two folders, and compares the bytes
#   make valgrind   the main uses of the command under valgrind
#   make site       the page for any web space, without a server: build-site/site (docs/site.md); make site-test plays it in node and Chromium
#   make ci         everything that must pass, as .ci/run does it
#   make setup      installs everything that any of these needs
#   make format, make clean
#
# BUILD is the release build's folder (default build), JOBS the number of parallel jobs, WERROR=ON makes warnings errors.
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
WERROR ?=
FUZZ_SECONDS ?= 60
FUZZ ?=
FOLDER ?=
RESULTS ?=
MUTANTS ?= 200
SEED ?= 1
ROOMS ?=
FILES ?=

packages = tools/packages.sh
configure = mkdir -p $(dir $(2)) && cmake --preset $(1) -B $(2) $(if $(WERROR),-DKNACK_WERROR=$(WERROR)) $(3) -Wno-dev >$(2).log 2>&1 || { cat $(2).log >&2; exit 1; }; rm -f $(2).log
build = tools/quiet.sh ninja -C $(1) -j $(JOBS) $(2)
# Tests wait for browsers, servers and processes that they start during half of their time: two more than JOBS keep the processors busy.
ctest = tools/quiet.sh ctest --test-dir $(1) -j $(shell expr $(JOBS) + 2) --progress --output-on-failure --no-tests=error $(if $(CI),,--no-label-summary) $(CTEST_FLAGS)

.PHONY: all site site-test setup run test install asan tsan clang fuzz crash-tests mutants analyse dist deb reproducible valgrind bench ci format clean manual results wheel

all:
	@$(packages) check build
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),product)

setup:
	@$(packages) install build run test mpi clang format

run:
	@$(packages) install build run
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),product)
	@$(BUILD)/knack tour && if [ -t 1 ]; then exec $(BUILD)/knack serve --open; fi

test:
	@$(packages) install build run test mpi
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD))
	@$(call ctest,$(BUILD))

asan tsan clang:
	@$(packages) install build run test $(if $(filter tsan,$@),,clang)
	@$(call configure,$@,build-$@)
	@$(call build,build-$@)
	@$(call ctest,build-$@)

fuzz:
	@$(packages) install build clang
	@$(call configure,asan,build-asan)
	@$(call build,build-asan,fuzzers)
	@JOBS=$(JOBS) tools/fuzz.sh build-asan $(FUZZ_SECONDS) $(FUZZ)

results:
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),product)
	@tools/results.sh $(BUILD)/knack $(RESULTS)

manual:
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),product)
	@tools/manual.py --long --table $(BUILD)
	@rm -rf $(BUILD)/manual && mkdir $(BUILD)/manual && cd $(BUILD)/manual && KNACK_MANUAL_FULL=$(abspath $(BUILD))/manual/commands.tsv sh $(CURDIR)/tests/house/manual.sh $(CURDIR) $(abspath $(BUILD))

crash-tests:
	@$(packages) install build run test
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),crash_tests)
	@tools/crash-tests.sh $(BUILD) $(FOLDER)

mutants:
	@$(packages) install build run test
	@$(call configure,release,build-mutants)
	@$(call build,build-mutants)
	@tools/mutants.py build-mutants --count $(MUTANTS) --seed $(SEED) $(if $(ROOMS),--rooms $(ROOMS))

analyse:
	@$(packages) install build run clang analyse
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),product)
	@cd python && mypy --cache-dir=/dev/null -p knack
	@JOBS=$(JOBS) tools/analyse.sh $(BUILD) $(FILES)

bench: all
	@$(BUILD)/knack bench

# The prefix is set at configure time because knack.pc records it.
# A wheel of the Python package that carries the library.
wheel:
	@$(packages) check build
	@$(call configure,release,build-release/install,-DCMAKE_INSTALL_PREFIX=$(PREFIX) -DKNACK_ASSERTIONS=OFF)
	@$(call build,build-release/install,product)
	@python3 python/backend.py build-release/install/libknack.so.0 build-release

install:
	@$(packages) check build
	@$(call configure,release,build-release/install,-DCMAKE_INSTALL_PREFIX=$(PREFIX) -DKNACK_ASSERTIONS=OFF)
	@$(call build,build-release/install,product)
	@DESTDIR=$(DESTDIR) cmake --install build-release/install

dist:
	@tools/dist.sh build-release

deb:
	@$(packages) install build mpi deb
	@JOBS=$(JOBS) tools/deb.sh build-release

reproducible:
	@$(packages) install build mpi deb
	@JOBS=$(JOBS) tools/reproducible.sh build-release/reproducible

valgrind:
	@$(packages) install build run valgrind
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),product)
	@tools/valgrind.sh $(BUILD)

# Debian's emscripten looks for its acorn where Debian's own node does.
site: export NODE_PATH := /usr/share/nodejs:$(NODE_PATH)
site:
	@$(packages) install build site
	@mkdir -p build-site && tools/site-libraries.sh build-site/libraries
	@emcmake cmake -S . -B build-site -G Ninja -DKNACK_SITE_LIBRARIES=$(CURDIR)/build-site/libraries -DKNACK_ASSERTIONS=OFF \
	    -DCMAKE_BUILD_TYPE=None $(if $(WERROR),-DKNACK_WERROR=$(WERROR)) -Wno-dev >build-site/configure.log 2>&1 || { cat build-site/configure.log >&2; exit 1; }
	@$(call build,build-site,site)
	@tools/site-size.sh build-site/site

site-test: all site
	@node tests/site/test_site.mjs $(BUILD)/knack build-site/screenshots build-site/site

ci:
	@.ci/run

# Rewrites every source as .clang-format says; tests/house/format.sh checks it.
format:
	@$(packages) check format
	@git ls-files '*.c' '*.h' '*.inc' | xargs clang-format -i

clean:
	rm -rf $(BUILD) build-*
