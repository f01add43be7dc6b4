// A benchmark as benchmarks.cpp lists it, and the state that it runs with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "src/bench/dataset_bench.hpp"
#include "src/core/communicator.hpp"
#include "src/core/report.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

struct Table;

// Kinds of values that an option takes:
struct WholeNumber {
  std::uint64_t lowest, highest;
};
struct Fraction {
  double most;  ///< from 0 on
};
using OneOf = std::vector<std::string>;

/// An option of a benchmark. Several benchmarks may have the same option.
struct Axis {
  const char* option;    ///< "--rows"
  const char* type;      ///< "N"
  std::string help;      ///< what it is, in few words
  std::string standard;  ///< what holds if it is not given, as the help shows it
  std::variant<WholeNumber, Fraction, OneOf> takes;
};

/// Values of options by their names, as they were typed.
using AxisTexts = std::map<std::string, std::string>;

struct Benchmark;

/// A benchmark's options, and the machine that it runs on.
struct BenchState {
  const Benchmark& benchmark;
  AxisTexts given;
  BenchMachine machine;
  ChooseBackend make_backend;  ///< for a team of ranks
  Communicator& communicator;
  Report report;
  std::string data;  ///< folder with the data sets of papers; may be empty
  /// Takes a record as soon as it is there.
  std::function<void(nlohmann::ordered_json record)> add = {};

  bool has(std::string_view option) const;  ///< the benchmark
  bool is_given(std::string_view option) const { return given.contains(std::string(option)); }
  /// Values of axes that the benchmark has. If an option is not given, the number that its
  /// `standard` begins with, and no name. @throws UsageError
  std::uint64_t number(std::string_view option) const;
  std::uint32_t small_number(std::string_view option) const;
  double fraction(std::string_view option) const;
  std::optional<std::size_t> name(std::string_view option) const;  ///< its place
};

struct Benchmark {
  const char* name = "";
  const char* measures = "";   ///< what, as a line of the help
  const char* published = "";  ///< whose figures stand beside ours, if there are any
  /// Stands behind the name where an option is given that it does not have.
  const char* refuses = "";
  bool on_all_ranks = false;  ///< else on rank 0
  std::vector<Axis> axes = {};
  /// How people see the records. Lines of the first table are written as soon as they are there.
  std::vector<Table> (*tables)(const BenchMachine& machine) = nullptr;
  /// @throws BackendUnavailable before anything is added; InternalError if two ways count
  /// differently
  void (*run)(const BenchState& state) = nullptr;
};

/// Runs it and writes tables, or JSON at the end. Tells people of the machine by `state.report`.
/// @param state  of which `add` is overwritten
/// @throws UsageError for options that it does not have
void run_benchmark(BenchState state, bool json,
                   const std::function<void(const std::string&)>& write);

}  // namespace atl
