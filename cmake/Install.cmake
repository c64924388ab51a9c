# SPDX-License-Identifier: MIT
# The library's headers keep their places below include/physmem/, so that they find each other.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/physmem)

install(TARGETS physmem_analyzer physmem_compact physmem_emit physmem_paging physmem_program
        EXPORT physmemTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT physmemTargets NAMESPACE physmem:: DESTINATION ${package_dir})
install(DIRECTORY analyzer/model analyzer/parse analyzer/analyze analyzer/shape analyzer/report
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/physmem/analyzer FILES_MATCHING PATTERN "*.h")
install(DIRECTORY paging program DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/physmem FILES_MATCHING PATTERN "*.h")
install(DIRECTORY formats/emit formats/compact DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/physmem/formats FILES_MATCHING PATTERN "*.h")
install(FILES tracer/daemon/pftraced.conf tracer/daemon/pftraced.service tracer/pftraced.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES formats/physmem-records.md formats/compact-snapshots.md formats/report-columns.md formats/report.schema.json formats/profile-buffer.md formats/trace-records.md README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/physmemConfig.cmake.in ${PROJECT_BINARY_DIR}/physmemConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/physmemConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/physmemConfig.cmake ${PROJECT_BINARY_DIR}/physmemConfigVersion.cmake
              cmake/FindLibCsv.cmake DESTINATION ${package_dir})
