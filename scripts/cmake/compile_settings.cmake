# Warnings, floating-point rules and sanitizers for our own code.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(atoll_settings INTERFACE)
target_include_directories(atoll_settings INTERFACE "${PROJECT_SOURCE_DIR}")
# Measures must give the same bits on every machine and device: no fused multiply-add.
target_compile_options(
  atoll_settings
  INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-ffp-contract=off>"
            "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>")
if(CMAKE_UNITY_BUILD)
  # A file that is included by its unit is taken for a header, whose types others may see.
  target_compile_options(atoll_settings
                         INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>")
endif()
target_compile_definitions(atoll_settings INTERFACE ATOLL_VERSION="${PROJECT_VERSION}")
if(ATOLL_WERROR)
  target_compile_options(atoll_settings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
  # Two types of one name in different files, which only a link that optimises across them can see.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_link_options(atoll_settings INTERFACE -Werror=odr)
  endif()
endif()
include(hardening)
if(ATOLL_SANITIZE)
  # Inherited by the system libraries' headers too, hence global.
  add_compile_options(-fsanitize=${ATOLL_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ATOLL_SANITIZE})
endif()
