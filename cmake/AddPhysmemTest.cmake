# SPDX-License-Identifier: MIT
include(GoogleTest)

# physmem_test(<name> LABEL <label> [LOCK <name>] SOURCES <file>... [LIBRARIES <target>...])
# LOCK: never beside another test with the same. One GoogleTest program; each TEST in it is a ctest of its own. A skipped TEST counts as skipped, with its reason.
function(physmem_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT;LOCK" "SOURCES;LIBRARIES;DEFINITIONS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE physmem::flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  set(lock "")
  if(arg_LOCK)
    set(lock RESOURCE_LOCK ${arg_LOCK})
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} ${lock} DISCOVERY_TIMEOUT 60)
endfunction()
