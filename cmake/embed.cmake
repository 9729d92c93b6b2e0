# Turns every file of data/embed/ into a byte array, and lists them in one table that base/embedded.h reads. The bytes come from a
# small script at build time, so that editing a data file rebuilds just its array.
file(GLOB_RECURSE EMBED_FILES CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/data/embed ${CMAKE_SOURCE_DIR}/data/embed/*)
list(SORT EMBED_FILES)
set(EMBED_DIR ${CMAKE_BINARY_DIR}/embedded)
set(KNACK_EMBEDDED)
set(EMBED_DECLARATIONS "")
set(EMBED_ROWS "")
foreach(name IN LISTS EMBED_FILES)
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  set(out ${EMBED_DIR}/${symbol}.c)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DIN=${CMAKE_SOURCE_DIR}/data/embed/${name} -DOUT=${out} -DSYMBOL=${symbol}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed-file.cmake
    DEPENDS ${CMAKE_SOURCE_DIR}/data/embed/${name} ${CMAKE_SOURCE_DIR}/cmake/embed-file.cmake)
  list(APPEND KNACK_EMBEDDED ${out})
  string(APPEND EMBED_DECLARATIONS "extern const unsigned char kn_embedded_${symbol}[];\nextern const size_t kn_embedded_${symbol}_size;\n")
  string(APPEND EMBED_ROWS "    {\"${name}\", kn_embedded_${symbol}, &kn_embedded_${symbol}_size},\n")
endforeach()
file(CONFIGURE OUTPUT ${EMBED_DIR}/table.c CONTENT
"#include \"base/embedded.h\"
${EMBED_DECLARATIONS}
const KnEmbeddedRow kn_embedded_rows[] = {
${EMBED_ROWS}    {NULL, NULL, NULL}};
")
list(APPEND KNACK_EMBEDDED ${EMBED_DIR}/table.c)
