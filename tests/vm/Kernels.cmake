# SPDX-License-Identifier: MIT
# Sets kernels, the selected names of tests/vm/kernels, and first_kernel, that of the first tier.
string(CONCAT kernels_help "Kernels of tests/vm/kernels that are tested: a list, all, none; "
  "default: five, each test on those that its header line by-default names")
set(PHYSMEM_VM_KERNELS "default" CACHE STRING "${kernels_help}")

set(first_kernel 6.1-amd64)
set(kernels ${PHYSMEM_VM_KERNELS})
if(kernels STREQUAL "default")
  set(kernels 5.10-amd64 6.1-amd64 6.12-amd64 7.3-amd64 6.1-arm64)
elseif(kernels STREQUAL "all")
  set(kernels "")
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/kernels table REGEX "^[^# ]")
  foreach(line IN LISTS table)
    string(REGEX MATCH "^[^ ]+" kernel "${line}")
    list(APPEND kernels ${kernel})
  endforeach()
elseif(kernels STREQUAL "none")
  set(kernels "")
endif()
