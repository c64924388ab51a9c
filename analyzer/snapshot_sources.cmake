# SPDX-License-Identifier: MIT
# snapshot_sources: what reads and analyzes snapshots. tests/arm64 builds the same list.
file(GLOB snapshot_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/model/*.cc
     ${CMAKE_CURRENT_LIST_DIR}/parse/*.cc ${CMAKE_CURRENT_LIST_DIR}/analyze/*.cc
     ${CMAKE_CURRENT_LIST_DIR}/analyze/*/*.cc)
list(FILTER snapshot_sources EXCLUDE REGEX "/text_relocations\\.cc$")    # needs libelf
