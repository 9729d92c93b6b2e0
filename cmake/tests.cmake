# Every tests/**/test_NAME.c is one cmocka program and one ctest test, labelled by its folder under tests/ and by its layer;
# every tests/house/NAME.sh is a check of the house itself, in shell. Helpers shared by tests live in tests/support.
#
# The layers, whose budgets .ci/run states: a test_conformance*.c is conformance, a test_property*.c is property, what
# lies in tests/cli, tests/jobs/mpi, tests/e2e or tests/crash is end-to-end, tests/house is house, and all else is unit.
#
# Each test runs in an empty folder of its own that is also its home (tools/in-scratch.sh), so that tests can run side by
# side, from a read-only source tree, and never meet the data of the person who runs them.
find_package(PkgConfig)
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
pkg_check_modules(GSL IMPORTED_TARGET gsl)
if(NOT CMOCKA_FOUND)
  message(STATUS "cmocka not found: the tests are not built (make test installs it)")
  return()
endif()
enable_testing()

# Two hundred programs are linked with the static library: a fast linker takes half the time, and a quarter without debug
# information, which only sanitizers print. Optimising the tests' own code costs more than it gains.
include(CheckLinkerFlag)
set(TEST_LINK_OPTIONS "")
foreach(linker lld gold)
  check_linker_flag(C -fuse-ld=${linker} KNACK_HAVE_${linker})
  if(KNACK_HAVE_${linker} AND NOT TEST_LINK_OPTIONS)
    set(TEST_LINK_OPTIONS -fuse-ld=${linker})
  endif()
endforeach()
if(NOT KNACK_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  list(APPEND TEST_LINK_OPTIONS LINKER:--strip-debug)
endif()

set(TEST_ENVIRONMENT LC_ALL=C.UTF-8)
if(KNACK_SANITIZE)
  # Sanitized programs are several times slower: tests that draw samples draw a tenth (check_scaled in support/check.h).
  list(APPEND TEST_ENVIRONMENT
    KNACK_TEST_SCALE=0.1
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1
    UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1)
endif()
set(IN_SCRATCH ${CMAKE_SOURCE_DIR}/tools/in-scratch.sh)
if(KNACK_SANITIZE MATCHES "thread")
  set(IN_SCRATCH_FLAGS --no-aslr) # gcc 12's tsan cannot map its shadow on kernels with 32 bits of randomness
endif()

# What takes longest starts first, so that none of it ends alone: these before the others of their layers.
set(LONGEST e2e/test_audit e2e/test_views e2e/test_play lab/test_property_hoyle lab/test_property_together
    methods/test_property_methods house/manual)

# knack_add_test(NAME folder/name LABELS ... COMMAND ... COST number)
function(knack_add_test)
  cmake_parse_arguments(T "" "NAME;TIMEOUT;COST" "LABELS;COMMAND" ${ARGN})
  add_test(NAME ${T_NAME} COMMAND sh ${IN_SCRATCH} ${IN_SCRATCH_FLAGS} ${CMAKE_BINARY_DIR}/scratch/${T_NAME} ${T_COMMAND})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 600)
  endif()
  if(T_NAME IN_LIST LONGEST)
    set(T_COST 1000)
  elseif(NOT T_COST)
    set(T_COST 1)
  endif()
  set_tests_properties(${T_NAME} PROPERTIES LABELS "${T_LABELS}" TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77 COST ${T_COST}
                       ENVIRONMENT "${TEST_ENVIRONMENT}")
endfunction()

file(GLOB SUPPORT CONFIGURE_DEPENDS tests/support/*.c)
list(FILTER SUPPORT EXCLUDE REGEX "/no_threads.c$")
add_library(knack_test_support STATIC ${SUPPORT})
target_include_directories(knack_test_support PUBLIC tests)
target_compile_definitions(knack_test_support PRIVATE KNACK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KNACK_BINARY="$<TARGET_FILE_DIR:knack_static>/knack" KNACK_BUILD_DIR="${CMAKE_BINARY_DIR}")
target_link_libraries(knack_test_support PUBLIC knack_static PkgConfig::CMOCKA)
if(GSL_FOUND) # a second opinion on our statistics; GPL, hence linked into tests only
  target_link_libraries(knack_test_support PUBLIC PkgConfig::GSL)
  target_compile_definitions(knack_test_support PUBLIC KNACK_HAVE_GSL=1)
endif()

# What the tests of faults preload into the program; a sanitizer would want to be loaded before it.
if(NOT KNACK_SANITIZE)
  add_library(knack_failing MODULE tests/crash/failing.c)
  target_link_libraries(knack_failing PRIVATE ${CMAKE_DL_LIBS})
endif()

add_custom_target(crash_tests) # what tools/crash-tests.sh runs

file(GLOB_RECURSE TEST_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/test_*.c)
file(STRINGS tests/single-threaded.txt SINGLE_THREADED REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/single-threaded.txt)
foreach(source IN LISTS TEST_SOURCES)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(name ${source} NAME_WE)
  # Where there is one thread, the thread sanitizer has nothing to tell; what a killed process leaves says nothing of threads either.
  list(FIND SINGLE_THREADED "${folder}/${name}" single)
  if(KNACK_SANITIZE MATCHES "thread" AND (NOT single EQUAL -1 OR "${folder}/${name}" MATCHES "^crash/test_(kill|base)$"))
    continue()
  endif()
  string(REPLACE "/" "_" target "${folder}_${name}")
  add_executable(${target} tests/${source})
  if(NOT single EQUAL -1)
    target_sources(${target} PRIVATE tests/support/no_threads.c)
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${target} PRIVATE knack_test_support)
  target_link_options(${target} PRIVATE ${TEST_LINK_OPTIONS})
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1;-g0>)
  target_compile_definitions(${target} PRIVATE KNACK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KNACK_BINARY="$<TARGET_FILE_DIR:knack_static>/knack" KNACK_BUILD_DIR="${CMAKE_BINARY_DIR}")
  add_dependencies(${target} knack_cli)
  if(TARGET knack_mpi)
    add_dependencies(${target} knack_mpi)
  endif()
  if(folder STREQUAL "crash" OR target STREQUAL "web_test_soak")
    add_dependencies(crash_tests ${target})
  endif()
  if(folder STREQUAL "crash" AND TARGET knack_failing)
    add_dependencies(${target} knack_failing)
    target_compile_definitions(${target} PRIVATE KNACK_FAILING="$<TARGET_FILE:knack_failing>")
  endif()
  if(folder MATCHES "^(cli|e2e|jobs/mpi|crash)")
    set(layer end-to-end)
  elseif(folder STREQUAL "house")
    set(layer house)
  elseif(folder MATCHES "^house")
    set(layer house)
  elseif(name MATCHES "conformance" OR folder MATCHES "conformance")
    set(layer conformance)
  elseif(name MATCHES "property" OR folder MATCHES "property")
    set(layer property)
  else()
    set(layer unit)
  endif()
  set(cost 1)
  if(layer MATCHES "property|conformance" OR folder MATCHES "^(jobs/mpi|crash)")
    set(cost 100)
  elseif(folder MATCHES "^(search|games|lab|web|protocols|cli)")
    set(cost 10)
  endif()
  if(target STREQUAL "cli_test_sessions") # a test for each session
    file(GLOB sessions CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests/cli/sessions tests/cli/sessions/*.txt)
    if(KNACK_SANITIZE MATCHES "thread")
      list(FILTER sessions EXCLUDE REGEX "^(bad-input|capture|gdl|help|nboard|pdn|pipe|play|plugin)[.]txt$")
    endif()
    foreach(session IN LISTS sessions)
      get_filename_component(session_name ${session} NAME_WE)
      set(test cli/sessions/${session_name})
      knack_add_test(NAME ${test} LABELS ${folder} layer-${layer} COST ${cost} COMMAND $<TARGET_FILE:${target}> ${session})
    endforeach()
  else()
    knack_add_test(NAME ${folder}/${name} LABELS ${folder} layer-${layer} COST ${cost} COMMAND $<TARGET_FILE:${target}>)
  endif()
endforeach()

# The house's own checks ask about the product as it is shipped, so they run on plain builds only.
if(NOT KNACK_SANITIZE)
  file(GLOB HOUSE_CHECKS CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/house/*.sh)
  foreach(source IN LISTS HOUSE_CHECKS)
    get_filename_component(name ${source} NAME_WE)
    knack_add_test(NAME house/${name} LABELS house layer-house TIMEOUT 600 COST 50
      COMMAND sh ${CMAKE_SOURCE_DIR}/tests/${source} ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
    set_tests_properties(house/${name} PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT};CC=${CMAKE_C_COMPILER}")
  endforeach()
endif()

# The page in a real browser, one test a file. They are slow and ask nothing of the compiler: plain builds by the usual compiler only.
# They skip themselves, with the reason, where node, the npm packages or Chromium are missing (make test installs them).
if(NOT KNACK_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  find_program(NODE node)
  file(GLOB BROWSER_TESTS CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/e2e/test_*.mjs)
  foreach(source IN LISTS BROWSER_TESTS)
    get_filename_component(name ${source} NAME_WE)
    if(NODE)
      set(command ${NODE} ${CMAKE_SOURCE_DIR}/tests/${source} $<TARGET_FILE:knack_cli> ${CMAKE_BINARY_DIR}/screenshots)
    else()
      set(command sh -c "echo \"skipped: node is not installed ('make test' installs it)\"; exit 77")
    endif()
    knack_add_test(NAME e2e/${name} LABELS e2e layer-end-to-end TIMEOUT 900 COST 100 COMMAND ${command})
  endforeach()
endif()
