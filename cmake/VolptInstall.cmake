# A relocatable tree: programs in bin, pages in share; nothing looks back at the source tree.
include(GNUInstallDirs)
install(TARGETS ${VOLPT_TOOLS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
