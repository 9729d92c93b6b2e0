# `make install`: the command, both libraries, the public headers and a pkg-config file.
if(TARGET knack_cli)
  install(TARGETS knack_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS knack_static knack_shared
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/knack DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# The rooms' own headers go below knack/, where the public ones find them (Cflags has both folders).
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/knack FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE)
configure_file(cmake/knack.pc.in ${CMAKE_BINARY_DIR}/knack.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/knack.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
