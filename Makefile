# The front door; the building itself is CMake's (CMakeLists.txt, presets in CMakePresets.json).
#
#   make            builds the release binary, build/knack, and libknack
#   make run        installs what is missing, builds, and serves the page with the lab's quick run filling in; without a
#                   terminal it runs one experiment a paper and prints its table (LAB='ID...' for others), and says how to get all
#   make test       installs what is missing, builds, runs all tests
#   make install    to PREFIX (default /usr/local) below DESTDIR
#   make asan|tsan|clang  the tests under the address+undefined or the thread sanitizer, or built by clang
#   make fuzz       fuzzes every parser for FUZZ_SECONDS (default 60) each; FUZZ=name for one of them
#   make torture    a thousand kills, full disks and failing writes, and the table of docs/reliability.md as it comes out; TORTURE=FOLDER
#                   for where (a file system in memory is quicker)
#   make bench      the benchmark suite
#   make dist       the source as knack-VERSION.tar.gz; the same commit gives the same bytes
#   make deb        Debian packages of the command, the library and what is needed to build with it
#   make reproducible  builds the commit twice, in two folders, and compares the bytes
#   make valgrind   the main uses of the command under valgrind
#   make ci         everything that must pass, as .ci/run does it
#   make setup      installs everything that any of these needs
#   make check-format, make clean
#
# BUILD is the release build's folder (default build), JOBS how many things to do at once, WERROR=ON makes warnings errors.
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
WERROR ?=
# One a paper, of those that are measured in seconds.
LAB ?= temporal.table6 gina.fig1 satisficing.fig5 allocation.table2 widening.tables1-5 tdleaf.baseline ggp.search-claims
FUZZ_SECONDS ?= 60
FUZZ ?=
TORTURE ?=

packages = tools/packages.sh
configure = mkdir -p $(dir $(2)) && cmake --preset $(1) -B $(2) $(if $(WERROR),-DKNACK_WERROR=$(WERROR)) $(3) -Wno-dev >$(2).log 2>&1 || { cat $(2).log >&2; exit 1; }; rm -f $(2).log
build = cmake --build $(1) -j $(JOBS) $(2)
ctest = ctest --test-dir $(1) -j $(JOBS) --output-on-failure --no-tests=error $(CTEST_FLAGS)

.PHONY: all setup run test install asan tsan clang fuzz torture dist deb reproducible valgrind bench ci check-format clean

all:
	@$(packages) check build
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),--target product)

setup:
	@$(packages) install build run test mpi clang format

run:
	@$(packages) install build run
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),--target product)
	@if [ -t 1 ]; then exec $(BUILD)/knack serve --lab quick; fi; set -f; $(BUILD)/knack lab run $(LAB) --scale quick && \
	echo "The whole lab, in about five minutes: '$(BUILD)/knack lab run --scale quick', which goes on from here."

test:
	@$(packages) install build run test mpi
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD))
	@$(call ctest,$(BUILD))

asan tsan clang:
	@$(packages) install build run test $(filter clang,$@)
	@$(call configure,$@,build-$@)
	@$(call build,build-$@)
	@$(call ctest,build-$@)

fuzz:
	@$(packages) install build clang
	@$(call configure,fuzz,build-fuzz)
	@$(call build,build-fuzz,--target fuzzers)
	@JOBS=$(JOBS) tools/fuzz.sh build-fuzz $(FUZZ_SECONDS) $(FUZZ)

torture:
	@$(packages) install build run test
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),--target torture)
	@tools/torture.sh $(BUILD) $(TORTURE)

bench: all
	@$(BUILD)/knack bench

# The prefix is settled at configure time, since knack.pc records it.
install:
	@$(packages) check build
	@$(call configure,release,$(BUILD),-DCMAKE_INSTALL_PREFIX=$(PREFIX))
	@$(call build,$(BUILD),--target product)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)

dist:
	@tools/dist.sh build-release

deb:
	@$(packages) check build
	@$(call configure,release,build-release/deb,-DCMAKE_INSTALL_PREFIX=/usr -DKNACK_REPRODUCIBLE=ON)
	@$(call build,build-release/deb,--target product)
	@tools/deb.sh build-release/deb build-release

reproducible:
	@$(packages) check build
	@JOBS=$(JOBS) tools/reproducible.sh build-release/reproducible

valgrind:
	@$(packages) install build run valgrind
	@$(call configure,release,$(BUILD))
	@$(call build,$(BUILD),--target product)
	@tools/valgrind.sh $(BUILD)

ci:
	@.ci/run

# Advice, not a gate: shows what clang-format would change.
check-format:
	@$(packages) check format
	@find src include tests examples bench -name '*.[ch]' 2>/dev/null | xargs clang-format --dry-run 2>&1 | grep -c 'warning:' | sed 's/$$/ places differ from .clang-format (clang-format --dry-run shows them)/'

clean:
	rm -rf $(BUILD) build-*
