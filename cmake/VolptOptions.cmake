# What a builder can switch, and the compiler flags that every target shares.
option(VOLPT_BUILD_TESTS "Build the tests (needs GoogleTest)" ON)
option(VOLPT_BUILD_BENCH "Build the benchmarks (needs Google Benchmark)" ON)
option(VOLPT_BUILD_API "Build the C++ library for other programs" ON)
option(VOLPT_BUILD_PYTHON "Build the Python package (needs nanobind)" OFF)
option(VOLPT_BUILD_FUZZERS "Build the libFuzzer targets (needs clang)" OFF)
option(VOLPT_WITH_OPENEXR "Read and write OpenEXR images" ON)
option(VOLPT_WITH_LIBJPEG "Read JPEG pictures" ON)
option(VOLPT_WITH_LCMS2 "Apply the colour profiles of pictures; read CMYK" ON)
option(VOLPT_WITH_PUGIXML "Read Mitsuba scenes (.xml)" ON)
option(VOLPT_WITH_LIBZIP "Read slice stacks in zip archives (.zip .svx .gcvf)" ON)
option(VOLPT_WITH_ASSIMP "Read OBJ and glTF meshes (.obj .gltf .glb)" ON)
option(VOLPT_WITH_LIBTIFF "Read TIFF slices, stacks and pictures (.tif .tiff)" ON)
set(VOLPT_WITH_OPENVDB AUTO CACHE STRING "Read and write OpenVDB volumes: AUTO (when the library is found), ON or OFF")
set_property(CACHE VOLPT_WITH_OPENVDB PROPERTY STRINGS AUTO ON OFF)
set(VOLPT_WITH_GDCM AUTO CACHE STRING "Read DICOM: AUTO (when GDCM is found), ON or OFF")
set_property(CACHE VOLPT_WITH_GDCM PROPERTY STRINGS AUTO ON OFF)
set(VOLPT_WITH_MPI AUTO CACHE STRING "Render on the processes of an MPI job: AUTO (when MPI is found), ON or OFF")
set_property(CACHE VOLPT_WITH_MPI PROPERTY STRINGS AUTO ON OFF)
set(VOLPT_WITH_HTTPLIB AUTO CACHE STRING "Build volview, which shows renders in a browser: AUTO (when cpp-httplib is found), ON or OFF")
set_property(CACHE VOLPT_WITH_HTTPLIB PROPERTY STRINGS AUTO ON OFF)
option(VOLPT_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" ON)
set(VOLPT_CUDA AUTO CACHE STRING "Build the GPU code: AUTO (when nvcc 12.8 or newer is found), ON or OFF")
set_property(CACHE VOLPT_CUDA PROPERTY STRINGS AUTO ON OFF)
set(VOLPT_ALL_CUDA_ARCHITECTURES "80-real;90-real;100")
set(VOLPT_CUDA_ARCHITECTURES "${VOLPT_ALL_CUDA_ARCHITECTURES}" CACHE STRING
    "GPU architectures to compile for, or native: those of this machine's GPUs, or all if it has none")
set(VOLPT_CPU_LEVELS "scalar;x86-64-v3;x86-64-v4;neon;sve" CACHE STRING
    "Instruction sets to compile the lane loops for (those that the compiler does not know are left out), or native")
set(VOLPT_CUDA_COMPRESSION size CACHE STRING "nvcc --compress-mode of the GPU code in the programs: size (needs a driver for CUDA 12.4), speed or none")
option(VOLPT_BUILD_STUDY "Build the GPU kernels that --kernel auto never takes, too: those of the papers, to be compared with" OFF)
option(VOLPT_LANE_REPORTS "Keep g++'s reports on the lane loops, so that .ci/check_lanes.sh need not compile them again" OFF)
set(VOLPT_TEST_SHARDS 0 CACHE STRING "Run each test program in so many parts, where starting it takes longer than most tests; 0: each test alone")
set(VOLPT_SANITIZER "" CACHE STRING "-fsanitize= list for host code, e.g. address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(VOLPT_BUILD_FUZZERS AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "volpt: VOLPT_BUILD_FUZZERS=ON needs clang (libFuzzer); configure with cmake --preset fuzz")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# Of unity builds: all programs without GPU code compile in a fifth less time than with 8 files in each batch.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)

find_program(VOLPT_CCACHE ccache)
if(VOLPT_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${VOLPT_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${VOLPT_CCACHE})
endif()

# Interface target: language level, warnings and the floating-point contract (docs/design/determinism.md). Contraction off and
# no fast-math anywhere; the two -fno flags only say that nobody reads errno or traps, and let loops vectorise.
# -ffile-prefix-map keeps the source folder's name out of the programs.
set(volpt_host_flags -ffp-contract=off -fno-math-errno -fno-trapping-math)
add_library(volpt_flags INTERFACE)
target_include_directories(volpt_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(volpt_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:${volpt_host_flags} -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast>
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --compress-mode=${VOLPT_CUDA_COMPRESSION} -Xcompiler=$<JOIN:${volpt_host_flags},$<COMMA>>,-Wall,-Wextra>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # g++ leaves these out of -Wconversion; clang 14 counts int to std::size_t among them, and braces around one value.
    target_compile_options(volpt_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-sign-conversion -Wno-missing-braces
        -Wno-unknown-pragmas -Wno-bitwise-conditional-parentheses>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 warns of overlap in "text" + std::string() at -O3 (GCC bug 105651).
    target_compile_options(volpt_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(VOLPT_WARNINGS_AS_ERRORS)
    target_compile_options(volpt_flags INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(VOLPT_SANITIZER)
    target_compile_options(volpt_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${VOLPT_SANITIZER} -fno-omit-frame-pointer>)
    target_link_options(volpt_flags INTERFACE -fsanitize=${VOLPT_SANITIZER})
    # Programs with checks and their lines link in a fifth of the time (test_formats: 0.8 s of CPU, 4.3 s by GNU ld).
    find_program(VOLPT_LLD ld.lld)
    mark_as_advanced(VOLPT_LLD)
    if(VOLPT_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        target_link_options(volpt_flags INTERFACE -fuse-ld=lld)
    endif()
    list(LENGTH VOLPT_CPU_LEVELS levels)
    if(levels EQUAL 1)
        target_compile_definitions(volpt_flags INTERFACE VOLPT_ONE_INSTRUCTION_SET)
    endif()
    if(VOLPT_SANITIZER MATCHES "undefined")
        target_compile_options(volpt_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
        if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
            target_compile_options(volpt_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/cmake/ubsan.ignore>)
        endif()
    endif()
endif()
