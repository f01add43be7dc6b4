# The contract of a device's services, one program a backend from the same objects, and what is
# particular to one of them.
add_library(atoll_counts_contract OBJECT eval/test_counts.cpp eval/test_interval_fits.cpp
            eval/test_hard_interval_fits.cpp eval/test_similarity.cpp eval/test_rule_set_scores.cpp
            eval/test_rule_growth.cpp eval/test_divided_counts.cpp)
target_link_libraries(atoll_counts_contract PUBLIC atoll_eval atoll_test_support PRIVATE atoll_settings)
foreach(backend reference cpu)
  add_executable(test_counts_${backend} eval/backend_${backend}.cpp)
  target_link_libraries(test_counts_${backend} PRIVATE atoll_counts_contract atoll_settings)
  add_dependencies(unit_tests test_counts_${backend})
  add_test(NAME counts_${backend} COMMAND test_counts_${backend})
  set_tests_properties(counts_${backend} PROPERTIES LABELS unit TIMEOUT ${ATOLL_TEST_TIMEOUT})
endforeach()
# The reference need not be compared with itself, which takes longer than all else.
set_property(TEST counts_reference PROPERTY ENVIRONMENT
             "GTEST_FILTER=-*OfTheReference*:*EqualTheReference*:HardIntervalFits.OfOneTrial*:HardIntervalFits.OfM*")

if(ATOLL_HAS_CUDA)
  add_executable(test_counts_cuda eval/backend_cuda.cpp)
  target_link_libraries(test_counts_cuda PRIVATE atoll_counts_contract atoll_cuda atoll_settings)
  add_test(NAME counts_cuda COMMAND test_counts_cuda)
  set_tests_properties(counts_cuda PROPERTIES LABELS gpu TIMEOUT ${ATOLL_TEST_TIMEOUT} RESOURCE_LOCK gpu
                                               SKIP_RETURN_CODE 77)
endif()

add_executable(test_eval eval/test_batch.cpp eval/test_counting_team.cpp eval/test_cpu_device.cpp eval/test_cpu_rule_sets.cpp
               eval/test_list_batch.cpp eval/test_rule_set_measures.cpp eval/test_rule_counts.cpp eval/test_target_values.cpp)
target_link_libraries(test_eval PRIVATE atoll_eval atoll::highway atoll_test_support atoll_settings)
add_dependencies(unit_tests test_eval)
add_test(NAME eval COMMAND test_eval)
set_tests_properties(eval PROPERTIES LABELS unit TIMEOUT ${ATOLL_TEST_TIMEOUT})
