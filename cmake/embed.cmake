# Turns files into byte arrays, and lists them in one table that base/embedded.h reads. The bytes come from a small script
# at build time, so that editing a file rebuilds just its array.
#
#   data/embed/PATH          is known as PATH
#   data/gdl/PATH            is known as gdl/PATH: the rule sheets, which `gdl:NAME` opens
#   src/web/page/PATH        is known as page/PATH: what `knack serve` serves
#   the chart library uPlot  is known as page/vendor/...: from the npm registry (package.json), installed by
#                            tools/packages.sh; a build without it has tables where charts would be
set(EMBED_DIR ${CMAKE_BINARY_DIR}/embedded)
set(KNACK_EMBEDDED)
set(EMBED_DECLARATIONS "")
set(EMBED_ROWS "")

# knack_embed(NAME FILE): one more row of the table
macro(knack_embed name file)
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  set(out ${EMBED_DIR}/${symbol}.c)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${out} -DSYMBOL=${symbol} -P ${CMAKE_SOURCE_DIR}/cmake/embed-file.cmake
    DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/embed-file.cmake)
  list(APPEND KNACK_EMBEDDED ${out})
  string(APPEND EMBED_DECLARATIONS "extern const unsigned char kn_embedded_${symbol}[];\nextern const size_t kn_embedded_${symbol}_size;\n")
  string(APPEND EMBED_ROWS "    {\"${name}\", kn_embedded_${symbol}, &kn_embedded_${symbol}_size},\n")
endmacro()

# knack_embed_folder(PREFIX FOLDER)
macro(knack_embed_folder prefix folder)
  file(GLOB_RECURSE EMBED_FILES CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
  list(SORT EMBED_FILES)
  foreach(path IN LISTS EMBED_FILES)
    knack_embed(${prefix}${path} ${folder}/${path})
  endforeach()
endmacro()

knack_embed_folder("" ${CMAKE_SOURCE_DIR}/data/embed)
knack_embed_folder("gdl/" ${CMAKE_SOURCE_DIR}/data/gdl)
knack_embed_folder("page/" ${CMAKE_SOURCE_DIR}/src/web/page)

set(UPLOT ${CMAKE_SOURCE_DIR}/node_modules/uplot)
if(EXISTS ${UPLOT}/dist/uPlot.iife.min.js)
  knack_embed(page/vendor/uPlot.js ${UPLOT}/dist/uPlot.iife.min.js)
  knack_embed(page/vendor/uPlot.css ${UPLOT}/dist/uPlot.min.css)
  knack_embed(page/vendor/uPlot-LICENSE.txt ${UPLOT}/LICENSE)
else()
  message(STATUS "uPlot not found: the page shows tables instead of charts ('make setup' installs it)")
endif()

file(CONFIGURE OUTPUT ${EMBED_DIR}/table.c CONTENT
"#include \"base/embedded.h\"
${EMBED_DECLARATIONS}
const KnEmbeddedRow kn_embedded_rows[] = {
${EMBED_ROWS}    {NULL, NULL, NULL}};
")
list(APPEND KNACK_EMBEDDED ${EMBED_DIR}/table.c)
