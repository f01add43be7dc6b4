#include "src/app/itemsets/search_task.hpp"

#include <exception>
#include <system_error>

namespace atl {

void SearchTask::start(Work work) {
  stop_ = std::stop_source();
  try {
    findings_ = std::async(std::launch::async, work, stop_.get_token());
  } catch (const std::system_error&) {
    std::promise<SearchFindings> done;
    findings_ = done.get_future();
    try {
      done.set_value(work(stop_.get_token()));
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  }
}

}  // namespace atl
