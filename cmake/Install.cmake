# SPDX-License-Identifier: MIT
# Headers keep their folders below include/physmem/, so that their #includes work.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/physmem)

install(TARGETS physmem_analyzer physmem_compact physmem_emit physmem_output physmem_paging
                physmem_program
        EXPORT physmemTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT physmemTargets NAMESPACE physmem:: DESTINATION ${package_dir})
install(DIRECTORY analyzer/model analyzer/parse analyzer/analyze analyzer/shape analyzer/report
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/physmem/analyzer FILES_MATCHING PATTERN "*.h")
install(DIRECTORY output paging program
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/physmem FILES_MATCHING PATTERN "*.h")
install(DIRECTORY formats/emit formats/compact
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/physmem/formats FILES_MATCHING PATTERN "*.h")

# Documents keep their relative places, so that links between them work (check-installed-links).
install(FILES README.md LICENSE tracer/daemon/pftraced.conf
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)
foreach(folder IN ITEMS collector-crash collector-kmod docs formats kernel-image
        packaging/buildroot packaging/yocto tracer viewer)
  file(GLOB documents CONFIGURE_DEPENDS ${folder}/*.md ${folder}/*.schema.json)
  install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT documents)
endforeach()
install(DIRECTORY samples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents
        PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY viewer/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/viewer COMPONENT documents)

include(Manual)
set(programs physmem physmem-analyze physmem-collect physmem-convert physmem-load physmem-monitor
             physmem-top physmem-trace physmem-view physmem-watch pftrace-log)
foreach(program IN LISTS programs)
  if(TARGET ${program})
    list(APPEND built_programs ${program})
  endif()
endforeach()
physmem_manual(1 ${built_programs})
physmem_verb_manuals()
if(TARGET pftraced)
  physmem_manual(8 pftraced)
endif()

configure_package_config_file(cmake/physmemConfig.cmake.in ${PROJECT_BINARY_DIR}/physmemConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/physmemConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/physmemConfig.cmake
              ${PROJECT_BINARY_DIR}/physmemConfigVersion.cmake
              cmake/FindLibCsv.cmake
        DESTINATION ${package_dir})
