# SPDX-License-Identifier: MIT
# Sets, from the table tests/vm/kernels:
#   kernels               the names that PHYSMEM_VM_KERNELS selects
#   default_kernels       the kernels of the full tier
#   first_kernel          the kernel of the first tier
#   kernels_with_dumps    the part of `kernels` with debug information
#   arch_of_<name>        Debian's architecture
string(CONCAT kernels_help "Kernels of tests/vm/kernels that are tested: a list, all, none; "
  "default: the full tier's kernels, each test on the kernels in its header line by-default")
set(PHYSMEM_VM_KERNELS "default" CACHE STRING "${kernels_help}")

set(all_kernels "")
set(default_kernels "")
set(without_dumps "")
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/kernels table REGEX "^[^# ]")
foreach(line IN LISTS table)
  string(REGEX REPLACE " +" ";" cells "${line}")
  list(GET cells 0 1 2 7 row)
  list(POP_FRONT row kernel arch when debug_megabytes)
  set(arch_of_${kernel} ${arch})
  list(APPEND all_kernels ${kernel})
  if(when STREQUAL "first")
    set(first_kernel ${kernel})
  endif()
  if(NOT when STREQUAL "asked")
    list(APPEND default_kernels ${kernel})
  endif()
  if(debug_megabytes STREQUAL "-")
    list(APPEND without_dumps ${kernel})
  endif()
endforeach()

set(kernels ${PHYSMEM_VM_KERNELS})
if(kernels STREQUAL "default")
  set(kernels ${default_kernels})
elseif(kernels STREQUAL "all")
  set(kernels ${all_kernels})
elseif(kernels STREQUAL "none")
  set(kernels "")
endif()
set(kernels_with_dumps ${kernels})
list(REMOVE_ITEM kernels_with_dumps ${without_dumps} "")
