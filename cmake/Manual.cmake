# SPDX-License-Identifier: MIT
# physmem_manual(PROGRAM...): manual pages and shell completions, which the programs print from
# their option tables. A cross build has none, because it cannot run the programs.
function(physmem_manual)
  if(CMAKE_CROSSCOMPILING)
    message(STATUS "Cross build: no manual pages and no shell completions")
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/manual)
  set(files)
  foreach(program IN LISTS ARGN)
    set(page ${folder}/${program}.1)
    set(bash ${folder}/${program})
    set(zsh ${folder}/_${program})
    add_custom_command(
      OUTPUT ${page} ${bash} ${zsh}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND $<TARGET_FILE:${program}> --man-page > ${page}
      COMMAND $<TARGET_FILE:${program}> --bash-completion > ${bash}
      COMMAND $<TARGET_FILE:${program}> --zsh-completion > ${zsh}
      DEPENDS ${program}
      VERBATIM)
    list(APPEND files ${page} ${bash} ${zsh})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)
    install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            COMPONENT documents)
    install(FILES ${zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
            COMPONENT documents)
  endforeach()
  add_custom_target(physmem_manual ALL DEPENDS ${files})
endfunction()
