# Helpers that turn a folder into a target: sources are what lies in the folder, so adding a file edits no list.
#
# No precompiled headers: the tools took 149 s of CPU with json, fmt and program_options precompiled, 150 s without.

# volpt_library(name [LINK targets...]): static library volpt_<name> of the *.cc files of the current folder.
function(volpt_library name)
    cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
    if(NOT sources) # headers only
        set(sources ${CMAKE_BINARY_DIR}/generated/no_sources.cc)
        file(CONFIGURE OUTPUT ${sources} CONTENT "// Nothing to compile.\n")
    endif()
    add_library(volpt_${name} STATIC ${sources})
    target_link_libraries(volpt_${name} PUBLIC volpt_flags ${ARG_LINK})
endfunction()

# volpt_tests(name [LINK targets...]): one GoogleTest executable test_<name> of the *.test.cc files of the current folder.
function(volpt_tests name)
    cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.test.cc)
    if(NOT sources)
        return()
    endif()
    add_executable(test_${name} ${sources})
    target_link_libraries(test_${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
    target_compile_definitions(test_${name} PRIVATE VOLPT_TESTS_DIR="${CMAKE_SOURCE_DIR}/tests")
    gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
        PROPERTIES TIMEOUT 600)
endfunction()
