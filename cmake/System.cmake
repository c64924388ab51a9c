# SPDX-License-Identifier: MIT
# What a system needs besides programs: units of systemd, the user and the spool folder of the
# timer, and the udev rule of the modules. Nothing is enabled or started.
option(PHYSMEM_SYSTEM "Install units of systemd, sysusers.d, tmpfiles.d and the udev rule" ON)
set(PHYSMEM_SYSTEM_DIR lib CACHE PATH
  "Folder of systemd/ and udev/: below the prefix, or absolute, such as /lib on Debian 12")
if(NOT PHYSMEM_SYSTEM)
  return()
endif()
set(system_source ${PROJECT_SOURCE_DIR}/packaging/system)
set(system_build ${PROJECT_BINARY_DIR}/system)

# physmem_units(<file>...): units; in FILE.in, places of programs are replaced.
function(physmem_units)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    if(name MATCHES "\\.in$")
      string(REGEX REPLACE "\\.in$" "" name ${name})
      configure_file(${file} ${system_build}/${name} @ONLY)
    else()
      configure_file(${file} ${system_build}/${name} COPYONLY)
    endif()
    install(FILES ${system_build}/${name} DESTINATION ${PHYSMEM_SYSTEM_DIR}/systemd/system)
  endforeach()
endfunction()

physmem_units(${system_source}/physmem-collect.service.in ${system_source}/physmem-collect.timer)
configure_file(${system_source}/spool-snapshot.in ${system_build}/spool-snapshot @ONLY)
install(PROGRAMS ${system_build}/spool-snapshot DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/physmem)
# The prefix /usr has its settings in /etc.
set(settings ${CMAKE_INSTALL_SYSCONFDIR})
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(settings ${CMAKE_INSTALL_FULL_SYSCONFDIR})
endif()
install(FILES ${system_source}/physmem-collect.default DESTINATION ${settings}/default
        RENAME physmem-collect)
install(FILES ${system_source}/physmem-collect.sysusers
        DESTINATION lib/sysusers.d RENAME physmem-collect.conf)
install(FILES ${system_source}/physmem-collect.tmpfiles
        DESTINATION lib/tmpfiles.d RENAME physmem-collect.conf)

if(NOT PHYSMEM_COLLECTOR_ONLY)
  physmem_units(${PROJECT_SOURCE_DIR}/watch/physmem-watch.service.in)
  if(TARGET pftraced)
    physmem_units(${PROJECT_SOURCE_DIR}/tracer/daemon/pftraced.service.in)
  endif()
  install(FILES ${system_source}/physmem-modules.sysusers
          DESTINATION lib/sysusers.d RENAME physmem-modules.conf)
  install(FILES ${system_source}/60-physmem.rules
          DESTINATION ${PHYSMEM_SYSTEM_DIR}/udev/rules.d)
endif()
