# Turns files into byte arrays and lists them in one table, which base/embedded.h reads. A script makes the bytes at build time,
# so that editing a file rebuilds only its array.
#
#   data/embed/PATH          is known as PATH
#   data/gdl/PATH            is known as gdl/PATH: the game descriptions that `gdl:NAME` opens
#   examples/PATH            is known as examples/NAME: what `knack example` prints
#   src/web/page/PATH        is known as page/PATH: what `knack serve` serves. esbuild bundles and minifies its modules to
#                            js/main.js (the first view and what others share with it) and js/later.js (views loaded on
#                            demand), and its style sheets to css/page.css
#   the chart library uPlot  is known as page/vendor/..., with its licence; scripts and style sheets also as page/....gz, packed by gzip
#
# esbuild and uPlot come from the npm registry in the versions of package-lock.json; tools/packages.sh installs them. Debian's
# package esbuild serves as well. KNACK_UPLOT names another folder of uPlot, for builds without the npm registry.
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
file(GLOB EMBED_EXAMPLES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.py ${CMAKE_SOURCE_DIR}/examples/*.c
     ${CMAKE_SOURCE_DIR}/examples/plugins/*.c)
list(SORT EMBED_EXAMPLES)
foreach(path IN LISTS EMBED_EXAMPLES)
  get_filename_component(name ${path} NAME)
  knack_embed(examples/${name} ${path})
endforeach()

set(PAGE ${CMAKE_SOURCE_DIR}/src/web/page)
set(NODE_MODULES ${CMAKE_SOURCE_DIR}/node_modules)
set(KNACK_UPLOT ${NODE_MODULES}/uplot CACHE PATH "Folder of the npm package uplot")
file(GLOB ESBUILD_PLACES ${NODE_MODULES}/@esbuild/*/bin) # the program itself; .bin has a script that needs node
find_program(KNACK_ESBUILD NAMES esbuild HINTS ${ESBUILD_PLACES} ${NODE_MODULES}/.bin)
if(NOT KNACK_ESBUILD)
  message(FATAL_ERROR "esbuild is missing; it bundles the page. Run 'make setup', or 'npm ci' in ${CMAKE_SOURCE_DIR}, or install Debian's package esbuild.")
endif()
if(NOT EXISTS ${KNACK_UPLOT}/dist/uPlot.iife.min.js)
  message(FATAL_ERROR "uPlot is missing; it draws the page's charts. Run 'make setup', or 'npm ci' in ${CMAKE_SOURCE_DIR}, or name its folder with -DKNACK_UPLOT=FOLDER.")
endif()

file(GLOB_RECURSE PAGE_MODULES CONFIGURE_DEPENDS ${PAGE}/js/*.js)
set(PAGE_STYLES ${PAGE}/css/base.css ${PAGE}/css/stage.css ${PAGE}/css/board.css ${PAGE}/css/views.css)
set(PAGE_SCRIPTS ${EMBED_DIR}/js/main.js ${EMBED_DIR}/js/later.js)
add_custom_command(OUTPUT ${PAGE_SCRIPTS}
  COMMAND ${KNACK_ESBUILD} ${PAGE}/js/app.js ${PAGE}/js/later.js --bundle --splitting --format=esm --minify --target=es2022 --chunk-names=main
          --outdir=${EMBED_DIR}/js --log-level=warning
  DEPENDS ${PAGE_MODULES} COMMENT "Bundling the page's modules" VERBATIM)
add_custom_command(OUTPUT ${EMBED_DIR}/page.css
  COMMAND ${CMAKE_COMMAND} -E cat ${PAGE_STYLES} > ${EMBED_DIR}/page.raw.css
  COMMAND ${KNACK_ESBUILD} ${EMBED_DIR}/page.raw.css --minify --outfile=${EMBED_DIR}/page.css --log-level=warning
  DEPENDS ${PAGE_STYLES} COMMENT "Joining the page's style sheets" VERBATIM)
set(PAGE_FILES
  css/page.css ${EMBED_DIR}/page.css
  js/main.js ${EMBED_DIR}/js/main.js
  js/later.js ${EMBED_DIR}/js/later.js
  vendor/uPlot.js ${KNACK_UPLOT}/dist/uPlot.iife.min.js
  vendor/uPlot.css ${KNACK_UPLOT}/dist/uPlot.min.css
  vendor/uPlot-LICENSE.txt ${KNACK_UPLOT}/LICENSE)
knack_embed_folder("page/" ${PAGE} "^(js|css)/")
if(NOT EMSCRIPTEN) # there they lie beside the program
  set(rest ${PAGE_FILES})
  find_program(KNACK_GZIP gzip) # without it the page travels as it is
  while(rest)
    list(POP_FRONT rest name file)
    knack_embed(page/${name} ${file})
    if(KNACK_GZIP AND name MATCHES "[.](css|js)$")
      string(MAKE_C_IDENTIFIER "${name}" symbol)
      add_custom_command(OUTPUT ${EMBED_DIR}/${symbol}.gz COMMAND ${KNACK_GZIP} -9nc ${file} > ${EMBED_DIR}/${symbol}.gz DEPENDS ${file} VERBATIM)
      knack_embed(page/${name}.gz ${EMBED_DIR}/${symbol}.gz)
    endif()
  endwhile()
endif()

file(CONFIGURE OUTPUT ${EMBED_DIR}/table.c CONTENT
"#include \"base/embedded.h\"
${EMBED_DECLARATIONS}
const KnEmbeddedRow kn_embedded_rows[] = {
${EMBED_ROWS}    {NULL, NULL, NULL}};
")
list(APPEND KNACK_EMBEDDED ${EMBED_DIR}/table.c)
