# What needs a device.
if(ATOLL_HAS_CUDA)
  foreach(name devices counting fitness published pittsburgh lists growth reduce itemsets apriori pairs
               uncertain thesis)
    add_executable(test_${name} cuda/${name}_on_device.cpp)
    target_link_libraries(test_${name} PRIVATE atoll_cuda atoll_test_support atoll_settings)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES LABELS gpu TIMEOUT ${ATOLL_TEST_TIMEOUT} RESOURCE_LOCK gpu
                                            SKIP_RETURN_CODE 77)
  endforeach()
  target_sources(test_devices PRIVATE cuda/trap.cu)
  target_link_libraries(test_devices PRIVATE CUDA::cudart_static)
endif()
