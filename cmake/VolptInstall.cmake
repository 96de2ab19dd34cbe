# A relocatable tree: programs in bin, pages in share; nothing looks back at the source tree.
include(GNUInstallDirs)
install(TARGETS ${VOLPT_TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(PROGRAMS tests/gpu_checks.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/volpt)
install(DIRECTORY pipelines/data/materials pipelines/data/printers DESTINATION ${CMAKE_INSTALL_DATADIR}/volpt FILES_MATCHING PATTERN "*.json")
# `volpt demo` finds its parts beside its own folder, in the build as where they are installed.
foreach(part demo.sh find_tools.sh make_figurine.py make_smoke.py draw_sky.py png.py data/chart.png)
    get_filename_component(name ${part} NAME)
    configure_file(pipelines/${part} ${CMAKE_BINARY_DIR}/share/volpt/demo/${name} COPYONLY)
    install(FILES pipelines/${part} DESTINATION ${CMAKE_INSTALL_DATADIR}/volpt/demo)
endforeach()
install(DIRECTORY libvolpt/job/presets/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/volpt FILES_MATCHING PATTERN "*.json")
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")

# A man page a tool, made from what its --help prints, and completion for bash and zsh, made from its --list-options, by the
# program just built; a sanitized build has none.
if(NOT VOLPT_SANITIZER AND NOT CMAKE_CROSSCOMPILING)
    set(pages "")
    set(completions_bash "")
    set(completions_zsh "")
    file(GLOB completion_parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/completion*)
    foreach(tool ${VOLPT_TOOLS})
        set(page ${CMAKE_BINARY_DIR}/man/${tool}.1)
        add_custom_command(OUTPUT ${page}
            COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/make_man.sh $<TARGET_FILE:${tool}> ${page} ${PROJECT_VERSION}
            DEPENDS ${tool} ${CMAKE_SOURCE_DIR}/cmake/make_man.sh VERBATIM)
        list(APPEND pages ${page})
        set(in_bash ${CMAKE_BINARY_DIR}/share/bash-completion/completions/${tool})
        set(in_zsh ${CMAKE_BINARY_DIR}/share/zsh/site-functions/_${tool})
        add_custom_command(OUTPUT ${in_bash} ${in_zsh}
            COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/make_completion.sh $<TARGET_FILE:${tool}> ${CMAKE_BINARY_DIR}/share
            DEPENDS ${tool} ${CMAKE_SOURCE_DIR}/cmake/make_completion.sh ${completion_parts} VERBATIM)
        list(APPEND completions_bash ${in_bash})
        list(APPEND completions_zsh ${in_zsh})
    endforeach()
    add_custom_target(man ALL DEPENDS ${pages})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    add_custom_target(completion ALL DEPENDS ${completions_bash} ${completions_zsh})
    install(FILES ${completions_bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${completions_zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
