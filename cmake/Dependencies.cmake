# SPDX-License-Identifier: MIT
# Finds the dependencies. If one is missing, the message contains the name of its Debian package.

# physmem_require(<found> <what> <package>): stops with an error unless <found> is true.
function(physmem_require found what package)
  if(NOT found)
    message(FATAL_ERROR "${what} was not found. On Debian: apt-get install ${package}")
  endif()
endfunction()

find_package(Threads REQUIRED)
if(NOT PHYSMEM_SMALL)
  find_package(PkgConfig QUIET)
  physmem_require("${PKG_CONFIG_FOUND}" "pkg-config" pkg-config)
endif()

# physmem_pkg(<target> <pkg-config module> <package>): an imported target physmem_dep_<target>.
macro(physmem_pkg target module package)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET GLOBAL ${module})
  physmem_require("${${target}_FOUND}" "The library ${module}" ${package})
endmacro()

# The collector writes .zst files only if it is built with zstd.
if(NOT PHYSMEM_SMALL)
  pkg_check_modules(ZSTD QUIET IMPORTED_TARGET GLOBAL libzstd)
endif()

if(NOT PHYSMEM_COLLECTOR_ONLY)
  if(POLICY CMP0167)
    cmake_policy(SET CMP0167 NEW)    # by Boost's own file: CMake 4 has no other
  endif()
  find_package(Boost 1.74 QUIET COMPONENTS program_options)
  physmem_require("${Boost_PROGRAM_OPTIONS_FOUND}" "Boost.Program_options"
                  libboost-program-options-dev)
  find_package(fmt QUIET)
  physmem_require("${fmt_FOUND}" "The library fmt" libfmt-dev)
  find_package(nlohmann_json QUIET)
  physmem_require("${nlohmann_json_FOUND}" "The library nlohmann-json" nlohmann-json3-dev)
  find_package(LibCsv QUIET)
  physmem_require("${LibCsv_FOUND}" "The library libcsv" libcsv-dev)
  physmem_require("${ZSTD_FOUND}" "The library libzstd" libzstd-dev)
  physmem_pkg(ZLIB zlib zlib1g-dev)
  physmem_pkg(LZ4 liblz4 liblz4-dev)
  physmem_pkg(LZMA liblzma liblzma-dev)
  physmem_pkg(CAIRO cairo-pdf>=1.16 libcairo2-dev)
  pkg_check_modules(CAIRO_PS QUIET IMPORTED_TARGET GLOBAL cairo-ps cairo-png cairo-ft fontconfig)
  physmem_require("${CAIRO_PS_FOUND}" "cairo with its ps and png surfaces and its fonts"
                  libcairo2-dev)
  physmem_pkg(LIBELF libelf libelf-dev)
  physmem_pkg(SQLITE sqlite3 libsqlite3-dev)
  physmem_pkg(NCURSESW ncursesw libncurses-dev)
  if(PHYSMEM_TESTS)
    find_package(GTest QUIET)
    physmem_require("${GTest_FOUND}" "GoogleTest" "libgtest-dev libgmock-dev")
    if(NOT TARGET GTest::gmock)
      physmem_require(FALSE "GoogleMock" libgmock-dev)
    endif()
  endif()
  if(PHYSMEM_BENCH)
    find_package(benchmark QUIET)
    physmem_require("${benchmark_FOUND}" "Google Benchmark" libbenchmark-dev)
  endif()
endif()
