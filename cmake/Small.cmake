# SPDX-License-Identifier: MIT
# PHYSMEM_SMALL: physmem-collect alone, static, with musl instead of glibc and without exceptions.
# It uses the headers of libstdc++ and two object files without runtime dependencies (below).
# docs/collecting.md lists what it leaves out, HACKING.md the sizes.
set(PHYSMEM_COLLECTOR_ONLY ON)
set(PHYSMEM_STATIC ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE MinSizeRel CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
# Smaller than -Os, from gcc 12 on.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-Oz PHYSMEM_HAVE_OZ)
if(PHYSMEM_HAVE_OZ)
  add_compile_options($<$<CONFIG:MinSizeRel>:-Oz>)
  add_link_options($<$<CONFIG:MinSizeRel>:-Oz>)
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  message(FATAL_ERROR "PHYSMEM_SMALL: found the compiler ${CMAKE_CXX_COMPILER_ID}, expected GNU")
endif()

# musl: by default Debian's musl-dev for the compiler's architecture.
set(PHYSMEM_MUSL "/" CACHE PATH "Root folder of musl's include and lib folders")
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -dumpmachine OUTPUT_VARIABLE machine
                OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "-gnu" "-musl" musl_machine ${machine})
function(physmem_find_musl variable file)
  find_path(${variable} ${file} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE
            PATHS ${PHYSMEM_MUSL} PATH_SUFFIXES ${ARGN})
  if(NOT ${variable})
    message(FATAL_ERROR "${file} of musl for ${machine} was not found below ${PHYSMEM_MUSL}. "
            "On Debian: apt-get install musl-dev; elsewhere: -DPHYSMEM_MUSL=FOLDER")
  endif()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
physmem_find_musl(musl_include bits/alltypes.h usr/include/${musl_machine} include usr/include)
physmem_find_musl(musl_lib crt1.o usr/lib/${musl_machine} lib usr/lib)

function(physmem_file_of_compiler variable name)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name} OUTPUT_VARIABLE path
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "PHYSMEM_SMALL: the compiler has no file ${name}")
  endif()
  set(${variable} ${path} PARENT_SCOPE)
endfunction()
physmem_file_of_compiler(compiler_include include)
physmem_file_of_compiler(crt_begin crtbeginT.o)
physmem_file_of_compiler(crt_end crtend.o)
physmem_file_of_compiler(libgcc libgcc.a)
physmem_file_of_compiler(libstdcxx libstdc++.a)

# The kernel's headers by themselves: glibc's are in the same folder.
foreach(folder IN ITEMS linux asm asm-generic)
  find_path(place ${folder}/types.h NO_CACHE PATHS ${CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES}
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/kernel-headers)
  file(CREATE_LINK ${place}/${folder} ${PROJECT_BINARY_DIR}/kernel-headers/${folder} SYMBOLIC)
  unset(place)
endforeach()

# The headers of libstdc++: its folders are those in the path of C++ that have c++ in their name.
set(cxx_include ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
list(FILTER cxx_include INCLUDE REGEX "/c\\+\\+")
list(PREPEND cxx_include ${PROJECT_SOURCE_DIR}/cmake/small)
set(c_include ${musl_include} ${compiler_include} ${PROJECT_BINARY_DIR}/kernel-headers)
list(TRANSFORM cxx_include PREPEND "SHELL:-isystem ")
list(TRANSFORM c_include PREPEND "SHELL:-isystem ")
add_compile_options(-nostdinc "$<$<COMPILE_LANGUAGE:CXX>:-nostdinc++;${cxx_include}>" ${c_include})
add_compile_definitions(PHYSMEM_SMALL)
# A function with one caller is smaller on its own: its variables do not outlive it. A deallocation
# with a size calculates it for nothing.
add_compile_options(
  -fno-pie -fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables
  -ffunction-sections -fdata-sections -fmerge-all-constants -fno-inline-functions-called-once
  "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics>"
  "$<$<COMPILE_LANGUAGE:CXX>:-fno-sized-deallocation>")
# libgcc's functions for atomic operations call glibc.
if(machine MATCHES "^aarch64")
  add_compile_options(-mno-outline-atomics)
endif()

# Containers: nodes of trees, hashes of text. These objects call nothing of
# glibc; another object may, and musl's functions of the same name may expect other arguments.
set(objects tree.o hash_bytes.o)
set(runtime ${PROJECT_BINARY_DIR}/libstdc++)
file(MAKE_DIRECTORY ${runtime})
execute_process(COMMAND ${CMAKE_AR} x ${libstdcxx} ${objects} WORKING_DIRECTORY ${runtime}
                COMMAND_ERROR_IS_FATAL ANY)
list(TRANSFORM objects PREPEND ${runtime}/)
list(JOIN objects " " objects)

# One unit of code generation in sections, so that the linker drops functions whose last call was
# optimized away. Segments that share a page save 8 kB of padding, and an alignment of 64 bytes
# instead of a page another 0 to 4 kB, without which the size would jump. A static program has
# nothing to relocate.
add_link_options(-flto-partition=one -ffunction-sections -fdata-sections
                 -static -no-pie -nostdlib -s -Wl,--gc-sections -Wl,--build-id=none
                 -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-z,common-page-size=64
                 -Wl,-Map=${PROJECT_BINARY_DIR}/small.map
                 ${musl_lib}/crt1.o ${musl_lib}/crti.o ${crt_begin})
set(CMAKE_CXX_STANDARD_LIBRARIES
    "${objects} ${musl_lib}/libc.a ${libgcc} ${crt_end} ${musl_lib}/crtn.o")
