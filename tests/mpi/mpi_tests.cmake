# The tests of what ranks do together: one program, run on 1, 2 and 4 ranks.
if(NOT ATOLL_MPI)
  return()
endif()
file(GLOB mpi_sources CONFIGURE_DEPENDS mpi/*.cpp)
add_executable(test_mpi ${mpi_sources})
target_link_libraries(test_mpi PRIVATE atoll_io atoll_mpi GTest::gtest MPI::MPI_CXX atoll_settings)
foreach(ranks 1 2 4)
  add_test(NAME mpi_${ranks} COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none
                                     -n ${ranks} $<TARGET_FILE:test_mpi>)
  set_tests_properties(mpi_${ranks} PROPERTIES LABELS mpi TIMEOUT ${ATOLL_TEST_TIMEOUT} PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
endforeach()
