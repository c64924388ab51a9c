# SPDX-License-Identifier: MIT
# physmem_manual(SECTION PROGRAM...): manual pages of this section and shell completions, which the
# programs print from their option tables. Those of physmem-load, in C, and of physmem-upload, a
# script in system/ (System.cmake), are made of their --help. A cross build has none, because it
# cannot run the programs.
# zsh looks below /usr/local in site-functions only; Debian's packages have a folder of their own.
# fish looks in vendor_completions.d of each of $XDG_DATA_DIRS.
set(PHYSMEM_ZSH_DIR share/zsh/site-functions CACHE STRING
    "Folder of zsh completions, relative to the prefix")
function(physmem_manual section)
  if(CMAKE_CROSSCOMPILING)
    message(STATUS "Cross build: no manual pages and no shell completions")
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/manual)
  set(of_help ${PROJECT_SOURCE_DIR}/cmake/manual-of-help)
  set(of_help_dated ${CMAKE_COMMAND} -E env DATE=${PHYSMEM_DATE} VERSION=${PROJECT_VERSION}
                    ${of_help})
  set(files)
  foreach(program IN LISTS ARGN)
    set(page ${folder}/${program}.${section})
    set(bash ${folder}/${program})
    set(zsh ${folder}/_${program})
    set(fish ${folder}/${program}.fish)
    set(print $<TARGET_FILE:${program}>)
    set(source ${program})
    if(program STREQUAL physmem-load)
      set(print ${of_help_dated} $<TARGET_FILE:${program}>)
    elseif(NOT TARGET ${program})
      set(source ${PROJECT_BINARY_DIR}/system/${program})
      set(print ${of_help_dated} ${source})
    endif()
    add_custom_command(
      OUTPUT ${page} ${bash} ${zsh} ${fish}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${print} --man-page > ${page}
      COMMAND ${print} --bash-completion > ${bash}
      COMMAND ${print} --zsh-completion > ${zsh}
      COMMAND ${print} --fish-completion > ${fish}
      DEPENDS ${source} ${of_help}
      VERBATIM)
    list(APPEND files ${page} ${bash} ${zsh} ${fish})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT documents)
    install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            COMPONENT documents)
    install(FILES ${zsh} DESTINATION ${PHYSMEM_ZSH_DIR} COMPONENT documents)
    install(FILES ${fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
            COMPONENT documents)
  endforeach()
  add_custom_target(physmem_manual_${section} ALL DEPENDS ${files})
endfunction()

# Manual pages of the verbs of physmem that analyse, such as physmem-ps(1). Its table has the verbs.
function(physmem_verb_manuals)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(questions "")
  foreach(table process_questions.cc questions.cc)
    set(table ${PROJECT_SOURCE_DIR}/analyzer/input/${table})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
    file(READ ${table} text)
    string(APPEND questions "${text}")
  endforeach()
  string(REPLACE ";" "" questions "${questions}")
  string(REGEX MATCHALL
    "word = \"[a-z-]+\",\n *\\.help = \"[^\"]*\",\n *(\\.is_[a-z]+ = true,\n *)?\\.examples"
    rows "${questions}")
  set(pages)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^word = \"([a-z-]+)\".*" "\\1" verb "${row}")
    set(page ${PROJECT_BINARY_DIR}/manual/physmem-${verb}.1)
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/manual
      COMMAND physmem ${verb} --man-page > ${page}
      DEPENDS physmem
      VERBATIM)
    list(APPEND pages ${page})
  endforeach()
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)
  add_custom_target(physmem_verb_manuals ALL DEPENDS ${pages})
endfunction()

# Manual pages made of documents: physmem(7), and the format of snapshots, physmem-records(5).
function(physmem_document_manuals)
  find_program(PHYSMEM_LOWDOWN lowdown)
  if(NOT PHYSMEM_LOWDOWN)
    message(STATUS "No lowdown: no manual pages physmem(7) and physmem-records(5)")
    return()
  endif()
  set(of_document ${PROJECT_SOURCE_DIR}/cmake/manual-of-document)
  set(pages)
  foreach(row IN ITEMS "7 docs/physmem.7.md" "5 formats/physmem-records.md")
    string(REGEX MATCH "^[0-9]" section ${row})
    string(SUBSTRING ${row} 2 -1 document)
    string(REGEX REPLACE "(\\.7)?\\.md$" "" name ${document})
    get_filename_component(name ${name} NAME)
    set(page ${PROJECT_BINARY_DIR}/manual/${name}.${section})
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/manual
      COMMAND ${of_document} ${name} ${section} ${PHYSMEM_DATE} ${PROJECT_VERSION}
              ${PROJECT_SOURCE_DIR}/${document} > ${page}
      DEPENDS ${document} ${of_document}
      VERBATIM)
    list(APPEND pages ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT documents)
  endforeach()
  add_custom_target(physmem_document_manuals ALL DEPENDS ${pages})
endfunction()
