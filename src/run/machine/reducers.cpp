#include "src/run/machine/reducers.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "src/core/stopwatch.hpp"

namespace atl {

namespace {

constexpr std::size_t trials = 9;
/// As many as those of 16 islands of 200 rules.
constexpr std::size_t usual_numbers = 16000;

}  // namespace

void add_up(Reducer& reducer, std::vector<std::uint64_t>& numbers) {
  reducer.begin(std::move(numbers));
  while (true) {
    if (auto sums = reducer.poll()) {
      numbers = std::move(*sums);
      return;
    }
    std::this_thread::yield();
  }
}

double adding_seconds(Reducer& reducer, std::size_t numbers, Communicator& members) {
  std::vector<std::uint64_t> nanoseconds(static_cast<std::size_t>(members.size()));
  std::vector<std::uint64_t> zeros(numbers);
  add_up(reducer, zeros);  // what is made at first
  std::vector<double> all;
  for (std::size_t i = 0; i < trials; ++i) {
    members.barrier();
    const auto start = std::chrono::steady_clock::now();
    add_up(reducer, zeros);
    all.push_back(seconds_since(start));
  }
  std::nth_element(all.begin(), all.begin() + trials / 2, all.end());
  nanoseconds[static_cast<std::size_t>(members.rank())] =
      static_cast<std::uint64_t>(1e9 * all[trials / 2]);
  members.all_reduce_sum(nanoseconds);
  return 1e-9 * static_cast<double>(*std::max_element(nanoseconds.begin(), nanoseconds.end()));
}

void put_fastest_first(std::vector<std::unique_ptr<Reducer>>& reducers, Communicator& members) {
  std::size_t fastest = 0;
  double least = 0;
  for (std::size_t i = 0; i < reducers.size() && reducers.size() > 1; ++i) {
    const double seconds = adding_seconds(*reducers[i], usual_numbers, members);
    if (i != 0 && seconds >= least) continue;
    least = seconds;
    fastest = i;
  }
  std::rotate(reducers.begin(), reducers.begin() + static_cast<std::ptrdiff_t>(fastest),
              reducers.begin() + static_cast<std::ptrdiff_t>(fastest) + 1);
}

}  // namespace atl
