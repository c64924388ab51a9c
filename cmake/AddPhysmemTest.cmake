# SPDX-License-Identifier: MIT
include(GoogleTest)

# A test program takes longer to compile than to run. Compiling without optimisation, with one
# precompiled header and twelve sources at a time (shared templates) takes a quarter of the time.
option(PHYSMEM_QUICK_TESTS "Compile test programs without optimisation, several sources at once" ON)
function(physmem_quick_test name)
  if(NOT PHYSMEM_QUICK_TESTS)
    return()
  endif()
  target_compile_options(${name} PRIVATE -O0)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  if(NOT TARGET physmem_test_headers)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/physmem_test_headers.cc CONTENT "")
    add_library(physmem_test_headers OBJECT ${CMAKE_BINARY_DIR}/physmem_test_headers.cc)
    target_link_libraries(physmem_test_headers PRIVATE physmem::flags GTest::gmock GTest::gtest)
    target_compile_options(physmem_test_headers PRIVATE -O0)
    target_precompile_headers(physmem_test_headers PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <fstream> <sstream> <thread> <variant>)
  endif()
  target_precompile_headers(${name} REUSE_FROM physmem_test_headers)
endfunction()

# physmem_test(<name> [OPTIMISED] LABEL <label> [LOCK <name>] SOURCES <file>...
#              [LIBRARIES <target>...])
#
# Adds a GoogleTest program with one ctest per TEST. A skipped TEST counts as skipped, with its
# reason. OPTIMISED: for programs that run longer than they compile. LOCK: tests with the same lock
# never run at the same time.
function(physmem_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "OPTIMISED" "LABEL;TIMEOUT;LOCK" "SOURCES;LIBRARIES;DEFINITIONS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE
    physmem::flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  if(arg_OPTIMISED)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${PHYSMEM_QUICK_TESTS})
  else()
    physmem_quick_test(${name})
  endif()
  set(lock "")
  if(arg_LOCK)
    set(lock RESOURCE_LOCK ${arg_LOCK})
  endif()
  # Names do not contain values of parameters: some are addresses, which differ between builds.
  gtest_discover_tests(${name} NO_PRETTY_VALUES
    PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} ${lock} DISCOVERY_TIMEOUT 60)
endfunction()
