# Every header compiles alone: one translation unit a header, compiled with the flags of the header's own area.
# The test builds them, so that a failure is one failed test; ccache and ninja keep the second time short.


add_custom_target(headers_alone)
file(GLOB_RECURSE all_headers RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/platform/*.h" "${PROJECT_SOURCE_DIR}/gpu/*.h" "${PROJECT_SOURCE_DIR}/chiplet/*.h"
  "${PROJECT_SOURCE_DIR}/cxl/*.h" "${PROJECT_SOURCE_DIR}/runtime/*.h" "${PROJECT_SOURCE_DIR}/compiler/*.h"
  "${PROJECT_SOURCE_DIR}/debugger/*.h")

# The libraries that the CMakeLists.txt nearest above a header builds: their usage requirements are the header's flags.
function(area_libraries folder result)
  while(NOT EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
  get_property(targets DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  set(libraries "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "_LIBRARY$" AND NOT type STREQUAL "MODULE_LIBRARY")
      list(APPEND libraries ${target})
    endif()
  endforeach()
  set(${result} "${libraries}" PARENT_SCOPE)
endfunction()

foreach(header IN LISTS all_headers)
  get_filename_component(folder "${header}" DIRECTORY)
  string(MAKE_C_IDENTIFIER "alone_${folder}" group)
  if(header MATCHES "^runtime/include/")  # public CUDA headers: tried by the tests of runtime and compiler
    continue()
  endif()
  set(ending cpp)
  if(header MATCHES "^(runtime/kmd|gpu/firmware)/")  # freestanding C, but for what other areas see of it
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" cxx_lines REGEX "^namespace" LIMIT_COUNT 1)
    if(NOT cxx_lines)
      set(ending c)
    endif()
  endif()
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/alone/${header}.${ending}")
  file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${header}\"\n")
  if(NOT TARGET ${group})
    add_library(${group} OBJECT)
    area_libraries("${folder}" libraries)
    target_link_libraries(${group} PRIVATE castor_flags ${libraries})
    foreach(library IN LISTS libraries)
      get_target_property(type ${library} TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories(${group} PRIVATE $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
      endif()
    endforeach()
    target_compile_options(${group} PRIVATE -O0 -g0)
    set_target_properties(${group} PROPERTIES EXCLUDE_FROM_ALL ON EXPORT_COMPILE_COMMANDS OFF)
    add_dependencies(headers_alone ${group})
  endif()
  target_sources(${group} PRIVATE "${unit}")
endforeach()

# Once is enough: a sanitizer build compiles the same headers.
if(CASTOR_SANITIZE)
  return()
endif()
add_test(NAME repo_headers_compile_alone
  COMMAND ${CMAKE_COMMAND} --build "${CMAKE_BINARY_DIR}" --target headers_alone -- -k 0)
set_tests_properties(repo_headers_compile_alone PROPERTIES TIMEOUT 900 LABELS repo RESOURCE_LOCK build_tree)
