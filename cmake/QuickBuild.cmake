# SPDX-License-Identifier: MIT
# Most of the build time is spent on headers. With this option, twelve C++ sources of a target are
# compiled as one, and the headers of libraries once for all sources of a target. So names without
# linkage must be unique within a target. This build does not detect missing #includes; builds of
# the other presets do.
option(PHYSMEM_QUICK_BUILD "Compile several sources as one, and headers of libraries only once" OFF)
set(CMAKE_UNITY_BUILD ${PHYSMEM_QUICK_BUILD})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)

set(physmem_standard_headers <algorithm> <array> <chrono> <functional> <map> <memory> <optional>
    <ostream> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# physmem_precompile(<target> [<header>...]): precompiles these and the standard headers, for a
# target with its own flags or a large library
function(physmem_precompile target)
  if(PHYSMEM_QUICK_BUILD AND TARGET ${target})
    target_precompile_headers(${target} PRIVATE ${physmem_standard_headers} ${ARGN})
  endif()
endfunction()

# physmem_precompile_standard(<target>...): precompiles the standard headers once for these targets
function(physmem_precompile_standard)
  if(NOT PHYSMEM_QUICK_BUILD)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/physmem_headers.cc CONTENT "")
  add_library(physmem_headers OBJECT ${CMAKE_BINARY_DIR}/physmem_headers.cc)
  target_link_libraries(physmem_headers PRIVATE physmem::flags)
  target_precompile_headers(physmem_headers PRIVATE ${physmem_standard_headers})
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      target_precompile_headers(${target} REUSE_FROM physmem_headers)
    endif()
  endforeach()
endfunction()
