# Turns files into byte arrays, and lists them in one table that base/embedded.h reads. The bytes come from a small script
# at build time, so that editing a file rebuilds just its array.
#
#   data/embed/PATH          is known as PATH
#   data/gdl/PATH            is known as gdl/PATH: the rule sheets, which `gdl:NAME` opens
#   src/web/page/PATH        is known as page/PATH: what `knack serve` serves; its modules joined to js/main.js and js/later.js
#                            (join.awk), its style sheets to css/page.css
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

# knack_embed_folder(PREFIX FOLDER [EXCEPT]): all that does not match the expression
macro(knack_embed_folder prefix folder)
  file(GLOB_RECURSE EMBED_FILES CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
  if(${ARGC} GREATER 2)
    list(FILTER EMBED_FILES EXCLUDE REGEX ${ARGV2})
  endif()
  list(SORT EMBED_FILES)
  foreach(path IN LISTS EMBED_FILES)
    knack_embed(${prefix}${path} ${folder}/${path})
  endforeach()
endmacro()

knack_embed_folder("" ${CMAKE_SOURCE_DIR}/data/embed)
knack_embed_folder("gdl/" ${CMAKE_SOURCE_DIR}/data/gdl)

# A request costs a browser more than a kilobyte does.
set(PAGE ${CMAKE_SOURCE_DIR}/src/web/page)
find_program(KNACK_AWK NAMES awk REQUIRED)
file(GLOB_RECURSE PAGE_MODULES CONFIGURE_DEPENDS ${PAGE}/js/*.js)
set(PAGE_STYLES ${PAGE}/css/base.css ${PAGE}/css/stage.css ${PAGE}/css/board.css ${PAGE}/css/views.css)
file(MAKE_DIRECTORY ${EMBED_DIR})
add_custom_command(OUTPUT ${EMBED_DIR}/main.js ${EMBED_DIR}/later.js
  COMMAND ${KNACK_AWK} -v root=${PAGE}/js -v first=${EMBED_DIR}/main.js -v later=${EMBED_DIR}/later.js -f ${CMAKE_SOURCE_DIR}/cmake/join.awk
  DEPENDS ${PAGE_MODULES} ${CMAKE_SOURCE_DIR}/cmake/join.awk)
add_custom_command(OUTPUT ${EMBED_DIR}/page.css COMMAND ${CMAKE_COMMAND} -E cat ${PAGE_STYLES} > ${EMBED_DIR}/page.css DEPENDS ${PAGE_STYLES})
knack_embed(page/js/main.js ${EMBED_DIR}/main.js)
knack_embed(page/js/later.js ${EMBED_DIR}/later.js)
knack_embed(page/css/page.css ${EMBED_DIR}/page.css)
knack_embed_folder("page/" ${PAGE} "^(js|css)/")

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
