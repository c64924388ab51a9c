# SPDX-License-Identifier: MIT
# What a system needs besides programs: units of systemd, the user and the spool folder of the
# timer, uploads of a fleet, and the udev rule of the modules. Nothing is enabled or started.
option(PHYSMEM_SYSTEM "Install units of systemd, sysusers.d, tmpfiles.d and the udev rule" ON)
set(PHYSMEM_SYSTEM_DIR lib CACHE PATH
  "Folder of systemd/ and udev/: below the prefix, or absolute, such as /lib on Debian 12")
if(NOT PHYSMEM_SYSTEM)
  return()
endif()
set(system_source ${PROJECT_SOURCE_DIR}/packaging/system)
set(system_build ${PROJECT_BINARY_DIR}/system)

# Files that name places are made twice: in the build, for tests, and when they are installed, so
# that `cmake --install --prefix` can name another prefix than the build.
function(physmem_folder variable folder)
  if(IS_ABSOLUTE "${folder}")
    set(${variable} "${folder}" PARENT_SCOPE)
  else()
    set(${variable} "\${CMAKE_INSTALL_PREFIX}/${folder}" PARENT_SCOPE)
  endif()
endfunction()

# physmem_install_filled(<template> <name> <destination> <type>): type FILE or PROGRAM.
function(physmem_install_filled template name destination type)
  configure_file(${template} ${system_build}/${name} @ONLY)
  foreach(kind IN ITEMS BINDIR SBINDIR LIBEXECDIR SYSCONFDIR)
    physmem_folder(${kind} ${CMAKE_INSTALL_${kind}})
  endforeach()
  physmem_folder(target ${destination})
  install(CODE "
    set(spool_ending \"${spool_ending}\")
    set(CMAKE_INSTALL_FULL_BINDIR \"${BINDIR}\")
    set(CMAKE_INSTALL_FULL_SBINDIR \"${SBINDIR}\")
    set(CMAKE_INSTALL_FULL_LIBEXECDIR \"${LIBEXECDIR}\")
    set(CMAKE_INSTALL_FULL_SYSCONFDIR \"${SYSCONFDIR}\")
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(CMAKE_INSTALL_FULL_SYSCONFDIR \"/etc\")
    endif()
    configure_file(\"${template}\" \"${system_build}/installed/${name}\" @ONLY)
    file(INSTALL DESTINATION \"${target}\" TYPE ${type}
         FILES \"${system_build}/installed/${name}\")")
endfunction()

# physmem_units(<file>...): units; in FILE.in, places of programs are replaced.
function(physmem_units)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    if(name MATCHES "\\.in$")
      string(REGEX REPLACE "\\.in$" "" name ${name})
      physmem_install_filled(${file} ${name} ${PHYSMEM_SYSTEM_DIR}/systemd/system FILE)
    else()
      configure_file(${file} ${system_build}/${name} COPYONLY)
      install(FILES ${system_build}/${name} DESTINATION ${PHYSMEM_SYSTEM_DIR}/systemd/system)
    endif()
  endforeach()
endfunction()

# Without zstd the collector refuses .zst.
set(spool_ending .pmc)
get_target_property(output_definitions physmem_output COMPILE_DEFINITIONS)
if(output_definitions MATCHES PHYSMEM_HAVE_ZSTD)
  set(spool_ending .pmc.zst)
endif()
physmem_units(${system_source}/physmem-collect.service.in ${system_source}/physmem-collect.timer
              ${system_source}/physmem-collect-for-spool.service.in)
foreach(script IN ITEMS spool-snapshot collect-for-spool)
  physmem_install_filled(${system_source}/${script}.in ${script}
                         ${CMAKE_INSTALL_LIBEXECDIR}/physmem PROGRAM)
endforeach()
# The prefix /usr has its settings in /etc.
set(settings ${CMAKE_INSTALL_SYSCONFDIR})
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(settings ${CMAKE_INSTALL_FULL_SYSCONFDIR})
endif()

# physmem_settings(<folder> <name>): the settings, user and folders of the units in <folder>.
function(physmem_settings folder name)
  configure_file(${folder}/${name}.default ${system_build}/${name}.default @ONLY)
  install(FILES ${system_build}/${name}.default DESTINATION ${settings}/default RENAME ${name})
  install(FILES ${folder}/${name}.sysusers DESTINATION lib/sysusers.d RENAME ${name}.conf)
  install(FILES ${folder}/${name}.tmpfiles DESTINATION lib/tmpfiles.d RENAME ${name}.conf)
endfunction()
physmem_settings(${system_source} physmem-collect)

if(NOT PHYSMEM_COLLECTOR_ONLY)
  physmem_units(${PROJECT_SOURCE_DIR}/tools/watch/physmem-watch.service.in)
  if(TARGET pftraced)
    physmem_units(${PROJECT_SOURCE_DIR}/tools/pftraced/pftraced.service.in)
  endif()
  install(FILES ${system_source}/physmem-modules.sysusers
          DESTINATION lib/sysusers.d RENAME physmem-modules.conf)
  install(FILES ${system_source}/60-physmem.rules
          DESTINATION ${PHYSMEM_SYSTEM_DIR}/udev/rules.d)

  # From hosts to the store of a fleet.
  set(fleet_source ${PROJECT_SOURCE_DIR}/packaging/fleet)
  physmem_units(${fleet_source}/physmem-upload.service.in ${fleet_source}/physmem-upload.timer
    ${fleet_source}/physmem-fleet-collect.timer ${fleet_source}/physmem-fleet-load.service.in
    ${fleet_source}/physmem-fleet-daily.service.in ${fleet_source}/physmem-fleet-daily.timer)
  physmem_settings(${fleet_source} physmem-fleet)
  physmem_install_filled(${fleet_source}/physmem-upload.in physmem-upload
                         ${CMAKE_INSTALL_BINDIR} PROGRAM)
  install(PROGRAMS ${fleet_source}/make-test-ca
          DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/physmem)
  install(FILES ${fleet_source}/nginx-receiver.conf
          DESTINATION ${CMAKE_INSTALL_DATADIR}/physmem)
endif()
