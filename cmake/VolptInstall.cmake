# A relocatable tree: programs in bin, pages in share; nothing looks back at the source tree.
include(GNUInstallDirs)
install(TARGETS ${VOLPT_TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(PROGRAMS tests/gpu_checks.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/volpt)
install(DIRECTORY pipelines/data/materials pipelines/data/printers DESTINATION ${CMAKE_INSTALL_DATADIR}/volpt FILES_MATCHING PATTERN "*.json")
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")

# A man page a tool, made from what its --help prints, by the program just built; a sanitized build has none.
if(NOT VOLPT_SANITIZER AND NOT CMAKE_CROSSCOMPILING)
    set(pages "")
    foreach(tool ${VOLPT_TOOLS})
        set(page ${CMAKE_BINARY_DIR}/man/${tool}.1)
        add_custom_command(OUTPUT ${page}
            COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/make_man.sh $<TARGET_FILE:${tool}> ${page} ${PROJECT_VERSION}
            DEPENDS ${tool} ${CMAKE_SOURCE_DIR}/cmake/make_man.sh VERBATIM)
        list(APPEND pages ${page})
    endforeach()
    add_custom_target(man ALL DEPENDS ${pages})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
