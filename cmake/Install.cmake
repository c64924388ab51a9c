# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/physmem)

# libphysmem. library/CMakeLists.txt installs its archive and headers. The installed tree can be
# moved: its paths are relative.
install(EXPORT physmemTargets NAMESPACE physmem:: DESTINATION ${package_dir}
        COMPONENT development)
file(RELATIVE_PATH physmem_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/physmem.pc.in ${PROJECT_BINARY_DIR}/physmem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/physmem.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

# Documents keep their relative places, so that links between them work (check-installed-links).
install(FILES README.md LICENSE tools/pftraced/pftraced.conf
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)
foreach(folder IN ITEMS collector-crash collector-kmod docs formats kernel-image
        packaging/buildroot packaging/yocto paging tools/pftraced tools/trace viewer)
  file(GLOB documents CONFIGURE_DEPENDS ${folder}/*.md ${folder}/*.schema.json)
  install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT documents)
endforeach()
install(DIRECTORY samples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents
        PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY viewer/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/viewer COMPONENT documents)

include(Manual)
set(programs physmem physmem-analyze physmem-collect physmem-convert physmem-fleet physmem-load
             physmem-monitor physmem-top physmem-trace physmem-view physmem-watch pftrace-log)
foreach(program IN LISTS programs)
  if(TARGET ${program})
    list(APPEND built_programs ${program})
  endif()
endforeach()
if(PHYSMEM_SYSTEM)
  list(APPEND built_programs physmem-upload)
endif()
physmem_manual(1 ${built_programs})
physmem_verb_manuals()
physmem_document_manuals()
if(TARGET pftraced)
  physmem_manual(8 pftraced)
endif()

configure_package_config_file(cmake/physmemConfig.cmake.in ${PROJECT_BINARY_DIR}/physmemConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/physmemConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/physmemConfig.cmake
              ${PROJECT_BINARY_DIR}/physmemConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)
