# What the thread sanitizer looks at: the pool, the evaluators, islands on several threads, what
# writes beside mining, generated tables, and itemsets. Other builds have these tests in their folders'
# programs.
if(NOT ATOLL_SANITIZE STREQUAL thread)
  return()
endif()
file(GLOB archipelago_tests islands/archipelago/test_*archipelago.cpp)
add_executable(test_threads core/test_thread_pool.cpp ${archipelago_tests}
                            islands/archipelago/test_mailbox.cpp islands/archipelago/test_team_sums.cpp
                            islands/archipelago/test_turns.cpp
                            run/checkpoint/test_checkpoint_writer.cpp run/log/test_run_log.cpp
                            run/pace/test_team_looks.cpp
                            generate/test_write_table.cpp)
target_link_libraries(test_threads PRIVATE atoll_run atoll_generate atoll_test_support
                                           atoll_settings)
add_custom_target(thread_tests DEPENDS test_threads test_eval test_exhaustive)
# atoll_thread_test(NAME PROGRAM FILTER); a filter that matches no test is a failure.
function(atoll_thread_test name program filter)
  add_test(NAME threads_${name} COMMAND ${program} --gtest_filter=${filter})
  set_tests_properties(threads_${name} PROPERTIES LABELS threads TIMEOUT ${ATOLL_TEST_TIMEOUT}
                                                  FAIL_REGULAR_EXPRESSION "Running 0 tests")
endfunction()
# Without tests of one thread that take long.
atoll_thread_test(eval test_eval
  "-CpuDevice.EveryBoundOfEveryNumberOfPlanes*:CpuDevice.AnyNumberOfPlanes:*.EveryInstructionSet*")
atoll_thread_test(islands test_threads
  "*AnyNumberOfRanksAndThreads*:*AnErrorOfOneIsland*:*ManyGenerationsAtOnce*:*Asynchronous*:TeamSums.*:Turns.*:Mailbox.*")
atoll_thread_test(run test_threads "Log.*:Writing.*:LooksOfTeams.*")
atoll_thread_test(pool test_threads "*Pool*")
atoll_thread_test(generate test_threads "*WrittenTable*:*TableOfRows*/6")
atoll_thread_test(itemsets test_exhaustive
  "SharedItemsets.*:PartedSearch.*-PartedSearch.IsTheWhole*:PartedSearch.GoesOnWhereverItWasStopped")
atoll_thread_test(apriori test_exhaustive "Apriori.*")
atoll_thread_test(probabilistic test_exhaustive "UncertainTask.*:SupportMeter.*")
atoll_thread_test(pairs test_exhaustive "PairTask.FindsWhatTheSearchFinds*:PairTask.MakesTheRules*")
