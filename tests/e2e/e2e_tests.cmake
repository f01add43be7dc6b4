# The program as a person uses it.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(mpiexec "")
set(labels e2e)
if(ATOLL_MPI)
  set(mpiexec "${MPIEXEC_EXECUTABLE}")
  list(APPEND labels mpi)
endif()
add_executable(atoll_pretending "${PROJECT_SOURCE_DIR}/src/app/main.cpp" e2e/pretend_cuda.cpp)
target_link_libraries(atoll_pretending PRIVATE atoll_app atoll_settings)
add_library(atoll_faulty_storage MODULE support/faulty_storage.c)
target_link_libraries(atoll_faulty_storage PRIVATE ${CMAKE_DL_LIBS})
# atoll_e2e(NAME SCRIPT [argument...])
function(atoll_e2e name script)
  add_test(NAME e2e_${name}
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/e2e/${script}" -v ${ARGN})
  set_tests_properties(e2e_${name} PROPERTIES LABELS "${labels}" TIMEOUT ${ATOLL_TEST_TIMEOUT} PROCESSORS 2
    ENVIRONMENT
    "ATOLL_PROGRAM=$<TARGET_FILE:atoll>;ATOLL_PRETENDER=$<TARGET_FILE:atoll_pretending>;ATOLL_MPIEXEC=${mpiexec};ATOLL_FAULTY_STORAGE=$<TARGET_FILE:atoll_faulty_storage>;ATOLL_CMAKE=${CMAKE_COMMAND}")
endfunction()
# Each test_NAME.py is a test by itself, but for those that need something of their own, below.
set(on_gpu bench_cuda gpu)
set(with_packages quality quality_aimed quality_classify foreign_files transaction_files examples)
file(GLOB scripts RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/e2e" CONFIGURE_DEPENDS e2e/test_*.py)
list(TRANSFORM scripts REPLACE "^test_(.*)[.]py$" "\\1" OUTPUT_VARIABLE names)
list(REMOVE_ITEM names slurm two_hosts ${on_gpu} ${with_packages})
foreach(name ${names})
  atoll_e2e(${name} test_${name}.py)
endforeach()
# They wait for Slurm most of the time, and so begin first, beside others.
atoll_e2e(slurm test_slurm.py Jobs)
atoll_e2e(slurm_requeued test_slurm.py Requeued)
atoll_e2e(slurm_limit test_slurm.py Limit)
set_tests_properties(e2e_slurm e2e_slurm_requeued e2e_slurm_limit PROPERTIES PROCESSORS 1 COST 1000)
# So do these for what a host that is lost no longer sends.
atoll_e2e(two_hosts test_two_hosts.py Across)
atoll_e2e(two_hosts_cut test_two_hosts.py Cut)
atoll_e2e(two_hosts_lost test_two_hosts.py Lost)
set_tests_properties(e2e_two_hosts_cut e2e_two_hosts_lost PROPERTIES PROCESSORS 1 COST 1000)
if(ATOLL_HAS_CUDA)
  foreach(name ${on_gpu})
    add_test(NAME e2e_${name}
             COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/e2e/test_${name}.py" -v)
    set_tests_properties(
      e2e_${name} PROPERTIES LABELS gpu TIMEOUT ${ATOLL_TEST_TIMEOUT} RESOURCE_LOCK gpu
                             SKIP_REGULAR_EXPRESSION "OK [(]skipped=" ENVIRONMENT
                             "ATOLL_PROGRAM=$<TARGET_FILE:atoll>;ATOLL_MPIEXEC=${mpiexec}")
  endforeach()
endif()
# They need numpy, as scripts/quality does, or h5py.
foreach(name ${with_packages})
  add_test(NAME e2e_${name}
           COMMAND ${ATOLL_PYTHON} -B "${CMAKE_CURRENT_SOURCE_DIR}/e2e/test_${name}.py" -v)
  set_tests_properties(e2e_${name} PROPERTIES LABELS e2e TIMEOUT ${ATOLL_TEST_TIMEOUT} ENVIRONMENT
    "ATOLL_PROGRAM=$<TARGET_FILE:atoll>;ATOLL_MPIEXEC=${mpiexec};ATOLL_EXAMPLES=$<TARGET_FILE_DIR:prime_task>")
endforeach()
