#include "src/work/run_thread.hpp"

#include <exception>
#include <system_error>

namespace atl {

void RunThread::start(Work work) {
  stop_ = std::stop_source();
  try {
    done_ = std::async(std::launch::async, work, stop_.get_token());
  } catch (const std::system_error&) {
    std::promise<Done> done;
    done_ = done.get_future();
    try {
      done.set_value(work(stop_.get_token()));
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  }
}

}  // namespace atl
