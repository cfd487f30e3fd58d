# The inner loop is compiled for several levels of the host's instruction set. A function that two of those objects (or any
# other) share would be linked from one of them only, perhaps with instructions the processor lacks. So every symbol that
# the linker may merge has to carry its level's name.
#   cmake -DNM=llvm-nm -DLEVEL=v4 -DOBJECT=file -P levels_apart.cmake
execute_process(COMMAND ${NM} --demangle --defined-only ${OBJECT} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${OBJECT}")
endif()
string(REPLACE ";" "," symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
set(seen 0)
foreach(line IN LISTS symbols)
  if(line MATCHES "kEngine")
    set(seen 1)
  endif()
  if(line MATCHES "^[0-9a-f]* [WwVvu] " AND NOT line MATCHES "(::|semantics_)${LEVEL}" AND NOT line MATCHES " (__odr_asan|__asan|__tsan|__ubsan|asan\\.)")
    message(SEND_ERROR "shared between levels: ${line}")
  endif()
endforeach()
if(NOT seen)
  message(FATAL_ERROR "${OBJECT} does not define the engine")
endif()
