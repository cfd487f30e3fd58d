# The one place that says how Castor's targets are compiled and where they are put.
#
# The build tree has the shape of an installed prefix, so that `castor` finds its parts the same way in both:
#   bin/castor   toolkit/{bin,include,lib64}   share/castor (firmware, device library, machine configurations)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Libraries find each other relative to themselves, so that a prefix can be moved.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

set(CASTOR_BIN_DIR "${CMAKE_BINARY_DIR}/bin")
set(CASTOR_TOOLKIT_DIR "${CMAKE_BINARY_DIR}/toolkit")
set(CASTOR_SHARE_DIR "${CMAKE_BINARY_DIR}/share/castor")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CASTOR_BIN_DIR}")

set(CASTOR_SANITIZE "" CACHE STRING "Sanitizers for our code, as -fsanitize takes them (address,undefined or thread)")

add_library(castor_flags INTERFACE)
target_include_directories(castor_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(castor_flags INTERFACE -Wall -Wextra -Werror -Wno-unused-parameter)
if(CASTOR_SANITIZE)
  # One shared runtime for castor, for libcuda and libcudart, and for the unsanitized programs that load those: such a
  # program has to be started with CASTOR_SANITIZER_RUNTIME in LD_PRELOAD.
  target_compile_options(castor_flags INTERFACE -fsanitize=${CASTOR_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  if(CASTOR_SANITIZE MATCHES "address")
    # SystemC switches stacks, which the checker for use after return cannot follow.
    target_compile_options(castor_flags INTERFACE -fsanitize-address-use-after-return=never)
  endif()
  string(REGEX REPLACE ",.*" "" runtime "${CASTOR_SANITIZE}")
  string(REPLACE "address" "asan" runtime "${runtime}")
  string(REPLACE "thread" "tsan" runtime "${runtime}")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.${runtime}-x86_64.so
    OUTPUT_VARIABLE CASTOR_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(runtime_folder "${CASTOR_SANITIZER_RUNTIME}" DIRECTORY)
  target_compile_definitions(castor_flags INTERFACE CASTOR_SANITIZER_RUNTIME="${CASTOR_SANITIZER_RUNTIME}")
  target_link_options(castor_flags INTERFACE -fsanitize=${CASTOR_SANITIZE} -shared-libsan -Wl,-rpath,${runtime_folder})
endif()

# For what implements or calls CUDA's C interfaces: their enums arrive with any value, which is answered with an error code.
add_library(castor_c_enums INTERFACE)
if(CASTOR_SANITIZE MATCHES "undefined")
  target_compile_options(castor_c_enums INTERFACE -fno-sanitize=enum)
endif()

find_package(fmt REQUIRED)

# castor_library(NAME SOURCES … DEPENDS …): a static library of one area.
function(castor_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC castor_flags ${ARG_DEPENDS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE castor_flags ${ARG_DEPENDS})
  endif()
endfunction()

# castor_test(NAME SOURCES … DEPENDS … [LABELS …]): one Catch2 program, registered with ctest under its name.
function(castor_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE castor_flags castor_catch_main ${ARG_DEPENDS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()

# castor_cuda_programs(PREFIX FOLDER CONFIGS …): every .cu file of the folder, compiled by `castor cc` and run by `castor
# run` on each of the machine configurations. A program passes by its exit code; a new one needs no CMake edit. A line
# `// cc: OPTIONS` in it gives options for the compiler.
function(castor_cuda_programs prefix folder)
  cmake_parse_arguments(ARG "" "" "CONFIGS" ${ARGN})
  if(NOT TARGET castor OR NOT TARGET cudart)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cu")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    set(program "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    set(compiled "${prefix}_${name}_compile")
    file(STRINGS "${source}" options REGEX "^// cc: ")
    string(REPLACE "// cc: " "" options "${options}")
    separate_arguments(options)
    add_test(NAME ${compiled} COMMAND castor cc ${options} "${source}" -o "${program}")
    set_tests_properties(${compiled} PROPERTIES FIXTURES_SETUP ${compiled} TIMEOUT 120 LABELS system)
    foreach(config IN LISTS ARG_CONFIGS)
      set(test "${prefix}_${name}_${config}")
      add_test(NAME ${test} COMMAND castor run --config ${config} "${program}")
      set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${compiled} TIMEOUT 120 LABELS system)
    endforeach()
  endforeach()
endfunction()
