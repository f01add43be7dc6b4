# What makes a fault of memory end the program instead of being of use to whoever made the input:
# stack protector, checked calls of the C library, control-flow enforcement (CET, x86), and a layout
# in which only code is executable and the tables of the linker are read-only (full RELRO).
# Sanitizers check more, and do not go with some of it. tests/e2e/test_hardening.py reads the programs.
include(CheckCXXSourceCompiles)
include(CheckPIESupported)
check_pie_supported()

if(NOT ATOLL_SANITIZE)
  set(hardening -fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
    list(APPEND hardening -fcf-protection=full)
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${hardening}>")
  list(TRANSFORM hardening PREPEND -Xcompiler= OUTPUT_VARIABLE hardening_of_host)
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${hardening_of_host}>")

  # Level 3 also checks sizes that are known only when the program runs. The C library warns where the
  # compiler cannot. All of it needs optimisation; some compilers define a level by themselves.
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_cxx_source_compiles(
    "#include <cstring>
     #if _FORTIFY_SOURCE != 3 || __USE_FORTIFY_LEVEL != 3
     #error
     #endif
     int main() { return 0; }"
    ATOLL_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(fortify -U_FORTIFY_SOURCE "-D_FORTIFY_SOURCE=$<IF:$<BOOL:${ATOLL_FORTIFY_3}>,3,2>")
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<NOT:$<CONFIG:Debug>>>:${fortify}>")
  list(TRANSFORM fortify PREPEND -Xcompiler= OUTPUT_VARIABLE fortify_of_host)
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<CONFIG:Debug>>>:${fortify_of_host}>")
endif()
add_link_options("LINKER:-z,relro" "LINKER:-z,now" "LINKER:-z,noexecstack" "LINKER:-z,separate-code")
