# `make install`: the command with its manual pages and completion for shells, both libraries, the public headers, a pkg-config file, and the
# Python module in share/knack/python.
install(TARGETS knack_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET knack_mpi)
  install(TARGETS knack_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS knack_static knack_shared
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/knack DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
configure_file(cmake/knack.pc.in ${CMAKE_BINARY_DIR}/knack.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/knack.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY python/knack DESTINATION ${CMAKE_INSTALL_DATADIR}/knack/python FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")

# The command writes its own pages and completion, from the tables of its --help.
if(TARGET knack_cli AND NOT CMAKE_CROSSCOMPILING AND NOT KNACK_SANITIZE)
  add_custom_command(OUTPUT shell/knack.fish
    COMMAND knack_cli man --all shell/man
    COMMAND sh -c "'$<TARGET_FILE:knack_cli>' complete bash >shell/knack && '$<TARGET_FILE:knack_cli>' complete fish >shell/knack.fish && '$<TARGET_FILE:knack_cli>' complete zsh >shell/_knack"
    DEPENDS knack_cli VERBATIM)
  add_custom_target(shell_files ALL DEPENDS shell/knack.fish)
  add_dependencies(product shell_files)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/shell/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${CMAKE_BINARY_DIR}/shell/knack DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/shell/knack.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${CMAKE_BINARY_DIR}/shell/_knack DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
