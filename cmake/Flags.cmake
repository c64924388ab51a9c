# SPDX-License-Identifier: MIT
# All targets of the project link physmem_flags; third-party code does not.
add_library(physmem_flags INTERFACE)
add_library(physmem::flags ALIAS physmem_flags)
target_compile_features(physmem_flags INTERFACE cxx_std_20 c_std_11)
target_include_directories(physmem_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
# On 32-bit machines a snapshot may be larger than 2 GiB, and /proc/kpagecount too.
target_compile_definitions(physmem_flags INTERFACE _FILE_OFFSET_BITS=64)
target_compile_options(
  physmem_flags
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
            $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
            $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)

# g++ 12 reports uninitialised strings in every std::variant that contains one (GCC bug 105562), and
# with optimisation overlapping copies in "text" + string (GCC bug 105651).
target_compile_options(physmem_flags INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)

option(PHYSMEM_WERROR "Treat warnings as errors" OFF)
if(PHYSMEM_WERROR)
  target_compile_options(physmem_flags INTERFACE -Werror)
endif()

option(PHYSMEM_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
if(PHYSMEM_SANITIZE)
  target_compile_options(physmem_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(physmem_flags INTERFACE -fsanitize=address,undefined)
endif()

if(PHYSMEM_FUZZ)
  # Instruments the libraries. Only the fuzz programs link the main() of libFuzzer.
  target_compile_options(physmem_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
