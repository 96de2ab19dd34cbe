# Helpers that turn a folder into a target: sources are what lies in the folder, so adding a file edits no list.
#
# Precompiled headers for the tests alone: the tools took 149 s of CPU with json, fmt and program_options precompiled, 150 s
# without.

# volpt_library(name [NOT_FUZZED] [OPTIMISED] [LINK targets...]): static library volpt_<name> of the *.cc files of the current
# folder and below. NOT_FUZZED: no fuzz target reaches it. OPTIMISED: with sanitizers, too (volpt_optimise).
function(volpt_library name)
    cmake_parse_arguments(ARG "NOT_FUZZED;OPTIMISED" "" "LINK" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
    if(NOT sources) # headers only
        set(sources ${CMAKE_BINARY_DIR}/generated/no_sources.cc)
        file(CONFIGURE OUTPUT ${sources} CONTENT "// Nothing to compile.\n")
    endif()
    add_library(volpt_${name} STATIC ${sources})
    target_link_libraries(volpt_${name} PUBLIC volpt_flags ${ARG_LINK})
    if(ARG_OPTIMISED)
        volpt_optimise(volpt_${name})
    endif()
    if(VOLPT_BUILD_FUZZERS AND NOT ARG_NOT_FUZZED)
        # Coverage for libFuzzer where the fuzzed code is; the tests, which need none, compile a sixth faster without it, and
        # those that render run in two thirds of the time.
        target_compile_options(volpt_${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# volpt_optimise(target): with sanitizers code is not optimised, which halves what clang takes (programs: 13 s for 28 s a batch), but
# where tests spend their time: readers without took 140 s less to compile, and their tests 300 s more.
function(volpt_optimise target)
    if(VOLPT_SANITIZER)
        target_compile_options(${target} PRIVATE -O1)
    endif()
endfunction()

# volpt_test_headers(): precompiles what nearly every test includes, once for all folders. With g++ it saves a third of a
# test's compilation (six of them: 16.2 s against 10.8 s). clang would save a sixth; it compiles the tests as they are, so
# that a missing #include shows. ccache takes precompiled headers with this sloppiness alone.
function(volpt_test_headers)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        return()
    endif()
    set(source ${CMAKE_BINARY_DIR}/generated/test_headers.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing to compile.\n")
    foreach(headers volpt_test_headers volpt_test_headers_optimised) # one for each way of volpt_test_flags
        add_library(${headers} OBJECT ${source})
        target_link_libraries(${headers} PRIVATE volpt_flags fmt::fmt GTest::gtest)
        target_precompile_headers(${headers} PRIVATE <gtest/gtest.h> <fmt/format.h> <algorithm> <array> <cmath>
            <filesystem> <fstream> <functional> <map> <memory> <optional> <span> <string> <vector>)
        # The programs that share it are position-independent executables.
        set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${headers} PRIVATE -fPIE)
    endforeach()
    volpt_test_flags(volpt_test_headers OFF)
    volpt_test_flags(volpt_test_headers_optimised ON)
endfunction()

# volpt_test_flags(target optimised): how test code is compiled. Not optimised where the time is spent in the libraries, which
# are: g++ takes a quarter less than with -O1, clang with sanitizers half or less. What computes paths, pixels or voxels in the
# tests themselves gets -O1 in release builds, a third less to compile than -O3; without, test_volume runs six times as long
# with sanitizers. What core inlines everywhere else is left to the compiler here, under names of its own (macros.hd.h): with all of it
# inlined, eight files of test_statistical took 65 s to compile, and take 9.
function(volpt_test_flags target optimised)
    if(NOT VOLPT_SANITIZER)
        target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:VOLPT_ABI_TAG="tests">)
    endif()
    if(optimised)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
        volpt_optimise(${target})
    else()
        target_compile_options(${target} PRIVATE -O0)
    endif()
    if(VOLPT_CCACHE)
        set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
            "env;CCACHE_SLOPPINESS=pch_defines,time_macros;${VOLPT_CCACHE}")
    endif()
endfunction()

# volpt_tests(name [OPTIMISED] [LINK targets...]): one GoogleTest executable test_<name> of the *.test.cc files of the current
# folder. Each test is one of ctest's, or each of VOLPT_TEST_SHARDS parts of the program.
function(volpt_tests name)
    cmake_parse_arguments(ARG "OPTIMISED" "" "LINK" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.test.cc)
    if(NOT sources)
        return()
    endif()
    add_executable(test_${name} ${sources})
    target_link_libraries(test_${name} PRIVATE ${ARG_LINK} volpt_test_support GTest::gtest GTest::gtest_main)
    volpt_test_flags(test_${name} ${ARG_OPTIMISED})
    set(headers volpt_test_headers)
    if(ARG_OPTIMISED)
        set(headers volpt_test_headers_optimised)
    endif()
    if(TARGET ${headers})
        target_precompile_headers(test_${name} REUSE_FROM ${headers})
    endif()
    if(VOLPT_TEST_SHARDS EQUAL 0)
        gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
            PROPERTIES TIMEOUT 600)
        return()
    endif()
    math(EXPR last "${VOLPT_TEST_SHARDS} - 1")
    foreach(index RANGE ${last})
        add_test(NAME ${name}.part_${index} COMMAND test_${name})
        set_tests_properties(${name}.part_${index} PROPERTIES TIMEOUT 1800
            ENVIRONMENT "GTEST_TOTAL_SHARDS=${VOLPT_TEST_SHARDS};GTEST_SHARD_INDEX=${index};GTEST_BRIEF=1")
    endforeach()
endfunction()
