# The evaluator's contract, one program a backend from the same sources (test_counts*.cpp), and
# what is particular to one of them.
atoll_test(eval atoll_eval)
