# SPDX-License-Identifier: MIT
# cmake -DFILE=PROGRAM -DKIND=TEXT -P PrintSize.cmake: prints the size of a program.
file(SIZE ${FILE} size)
set(text ${size})
while(text MATCHES "^([0-9]+)([0-9][0-9][0-9])(.*)$")
  set(text "${CMAKE_MATCH_1},${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
endwhile()
cmake_path(GET FILE FILENAME name)
message("${name}: ${text} bytes, ${KIND}")
