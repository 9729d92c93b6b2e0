# What the shared library and the commands export: the functions of cmake/libknack.symbols, one a line, and nothing else. A plug-in
# finds them in the program that loads it. tests/house/exports.sh compares the list with the functions marked KN_API.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/libknack.symbols)
file(STRINGS cmake/libknack.symbols KNACK_SYMBOLS)
list(JOIN KNACK_SYMBOLS ";\n    " symbols)
set(KNACK_VERSION_SCRIPT ${CMAKE_BINARY_DIR}/libknack.map)
set(KNACK_DYNAMIC_LIST ${CMAKE_BINARY_DIR}/knack.list)
file(CONFIGURE OUTPUT ${KNACK_VERSION_SCRIPT} CONTENT "KNACK_0 {\n  global:\n    ${symbols};\n  local: *;\n};\n")
file(CONFIGURE OUTPUT ${KNACK_DYNAMIC_LIST} CONTENT "{\n    ${symbols};\n};\n")
