# The site: the page with the library compiled to WebAssembly, for any web space (docs/site.md). CMake reaches this file
# when emcmake has configured the build, as `make site` does. What a browser does not have (SQLite and LMDB, sockets, threads,
# processes, plug-ins) is replaced, file by file, by what src/site/ has for the same headers.
set(KNACK_SITE_LIBRARIES "" CACHE PATH "Folder with jansson, zstd and xxhash.h for WebAssembly (tools/site-libraries.sh)")

file(GLOB_RECURSE SITE_SOURCES CONFIGURE_DEPENDS src/*.c)
list(FILTER SITE_SOURCES EXCLUDE REGEX "/src/(cli|capi|jobs/mpi|protocols)/")
list(FILTER SITE_SOURCES EXCLUDE REGEX "/src/(plugin|base/sqlite|base/child_process|base/pages|lab/plot|arena/store[a-z_]*|methods/experience/in_child)\\.c$")
list(FILTER SITE_SOURCES EXCLUDE REGEX "/src/web/(persistence|checkpointer|listen|connections|thread_pool|processes)\\.c$")

set(SITE ${CMAKE_BINARY_DIR}/site)
add_executable(knack_wasm ${SITE_SOURCES} ${KNACK_EMBEDDED})
target_include_directories(knack_wasm PRIVATE src include src/site/include)
target_include_directories(knack_wasm SYSTEM PRIVATE ${KNACK_SITE_LIBRARIES}/include)
target_compile_options(knack_wasm PRIVATE -O3 -msimd128 -Wno-unused-function -Wno-unused-const-variable
  -Wno-shorten-64-to-32 -Wno-gnu-include-next) # sizes are of 32 bits there
target_link_libraries(knack_wasm PRIVATE ${KNACK_SITE_LIBRARIES}/lib/libjansson.a ${KNACK_SITE_LIBRARIES}/lib/libzstd.a)
target_link_options(knack_wasm PRIVATE -O3 -sMODULARIZE -sEXPORT_NAME=Knack -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sINITIAL_MEMORY=64MB
  -sTOTAL_STACK=8MB -sENVIRONMENT=worker,node -sINVOKE_RUN=0 -sEXPORTED_RUNTIME_METHODS=ccall,FS -sEXIT_RUNTIME=0 --no-entry)
set_target_properties(knack_wasm PROPERTIES POSITION_INDEPENDENT_CODE OFF OUTPUT_NAME knack RUNTIME_OUTPUT_DIRECTORY ${SITE})

# The folder itself: the program, the page's files, and the page with a first game in it.
set(SITE_FILES ${CMAKE_SOURCE_DIR}/src/site/worker.js ${CMAKE_SOURCE_DIR}/src/site/run.js ${CMAKE_SOURCE_DIR}/src/site/files.js ${PAGE}/icon.svg)
set(copies)
set(rest ${PAGE_FILES})
while(rest)
  list(POP_FRONT rest name file)
  list(APPEND SITE_FILES ${file})
  get_filename_component(folder ${SITE}/${name} DIRECTORY)
  list(APPEND copies COMMAND ${CMAKE_COMMAND} -E make_directory ${folder} COMMAND ${CMAKE_COMMAND} -E copy ${file} ${SITE}/${name})
endwhile()
find_program(KNACK_NODE NAMES node nodejs REQUIRED)
add_custom_command(OUTPUT ${SITE}/index.html
  ${copies}
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/src/site/worker.js ${CMAKE_SOURCE_DIR}/src/site/run.js ${CMAKE_SOURCE_DIR}/src/site/files.js ${PAGE}/icon.svg ${SITE}
  COMMAND ${KNACK_NODE} ${CMAKE_SOURCE_DIR}/tools/site-index.mjs ${SITE}
  DEPENDS knack_wasm ${SITE_FILES} ${CMAKE_SOURCE_DIR}/tools/site-index.mjs ${CMAKE_SOURCE_DIR}/tests/site/program.mjs
  COMMENT "Assembling the site" VERBATIM)
add_custom_target(site DEPENDS ${SITE}/index.html)
