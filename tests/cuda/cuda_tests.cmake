# What needs a device.
if(ATOLL_HAS_CUDA)
  add_executable(test_published cuda/published_on_device.cpp)
  target_link_libraries(test_published PRIVATE atoll_cuda atoll_test_support atoll_settings)
  add_test(NAME published COMMAND test_published)
  set_tests_properties(published PROPERTIES LABELS gpu TIMEOUT 300 SKIP_REGULAR_EXPRESSION
                                            "\\[  SKIPPED \\]")
endif()
