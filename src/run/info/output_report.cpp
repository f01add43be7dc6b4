#include "src/run/info/output_report.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <nlohmann/json.hpp>

#include "io/results/true_rules.hpp"
#include "src/core/error.hpp"
#include "src/core/files/folder_lock.hpp"
#include "src/core/files/input_file.hpp"

namespace atl {

namespace {

constexpr std::size_t most_looked_at = 4096;

std::string in_json(const nlohmann::ordered_json& report) {
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

struct FoundWords {
  bool sets;  ///< else rules
  const char* command;
  const char* more;
};

FoundWords words_of(io::FoundKind kind) {
  constexpr const char* rules = "atoll compare RUN FILE says which of them a run has found";
  switch (kind) {
    case io::FoundKind::enumerated_rules:
      return {false, "enumerate", rules};
    case io::FoundKind::itemset_rules:
      return {false, "itemsets --rules", rules};
    case io::FoundKind::itemsets:
      return {true, "itemsets",
              "each line is a set, and in parentheses the number of transactions that have it"};
    case io::FoundKind::uncertain_itemsets:
      break;
  }
  return {true, "itemsets --algorithm probabilistic",
          "with each set is the probability that enough transactions have it"};
}

}  // namespace

std::string task_report(const std::string& file, bool json) {
  const auto owner = io::folder_owner(file + ".checkpoint");
  if (json) {
    return in_json({{"kind", "task"},
                    {"state", owner ? "running" : "unfinished"},
                    {"owner", owner ? nlohmann::ordered_json(*owner) : nlohmann::ordered_json()}});
  }
  return printable(file, 200) + ": is not there yet; " +
         (owner ? "worked on by " + *owner
                : "the command that was to make it goes on from its checkpoint") +
         "\n";
}

std::optional<std::string> found_report(const std::string& file, bool json) {
  std::array<char, most_looked_at> bytes;
  const io::InputFile input(file);
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), bytes.size()));
  input.read(0, std::as_writable_bytes(std::span(bytes)).first(size));
  const auto kind = io::found_kind({bytes.data(), size});
  if (!kind) return std::nullopt;
  const FoundWords words = words_of(*kind);
  if (json) {
    return in_json({{"kind", words.sets ? "itemsets" : "rules"}, {"command", words.command}});
  }
  return printable(file, 200) + ": " + (words.sets ? "sets of items" : "rules") + " that atoll " +
         words.command + " has found, no data; " + words.more + "\n";
}

}  // namespace atl
