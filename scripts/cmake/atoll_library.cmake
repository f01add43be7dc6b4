# atoll_library(NAME FOLDER [ONLY files | EXCLUDE files] [LINK public] [PRIVATE private])
# The static library atoll_NAME of a folder's sources. A new .cpp or .cu file in the folder is picked
# up by itself; ONLY and EXCLUDE choose between a backend and its stub.
function(atoll_library name folder)
  cmake_parse_arguments(arg "" "" "ONLY;EXCLUDE;LINK;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp"
       "${PROJECT_SOURCE_DIR}/${folder}/*.cu")
  if(arg_ONLY)
    list(TRANSFORM arg_ONLY PREPEND "${PROJECT_SOURCE_DIR}/${folder}/" OUTPUT_VARIABLE sources)
  endif()
  list(TRANSFORM arg_EXCLUDE PREPEND "${PROJECT_SOURCE_DIR}/${folder}/")
  list(REMOVE_ITEM sources ${arg_EXCLUDE})
  # What is compiled once for each instruction set cannot share a unit with other files.
  foreach(source ${sources})
    file(STRINGS "${source}" each_target REGEX "hwy/foreach_target.h")
    if(each_target)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  add_library(atoll_${name} STATIC ${sources})
  target_link_libraries(atoll_${name} PUBLIC ${arg_LINK} PRIVATE atoll_settings ${arg_PRIVATE})
endfunction()
