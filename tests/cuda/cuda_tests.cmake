# What needs a device.
if(ATOLL_HAS_CUDA)
  foreach(name evaluator published)
    add_executable(test_${name}_on_device cuda/${name}_on_device.cpp)
    target_link_libraries(test_${name}_on_device PRIVATE atoll_cuda atoll_test_support
                                                         atoll_settings)
    add_test(NAME ${name}_on_device COMMAND test_${name}_on_device)
    set_tests_properties(${name}_on_device PROPERTIES LABELS gpu TIMEOUT 300 SKIP_REGULAR_EXPRESSION
                                                      "\\[  SKIPPED \\]")
  endforeach()
endif()
