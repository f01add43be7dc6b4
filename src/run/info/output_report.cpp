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
  const bool sets = kind == io::FoundKind::itemsets;
  const char* const command = kind == io::FoundKind::enumerated_rules ? "enumerate"
                              : sets                                  ? "itemsets"
                                                                      : "itemsets --rules";
  if (json) return in_json({{"kind", sets ? "itemsets" : "rules"}, {"command", command}});
  return printable(file, 200) + ": " + (sets ? "sets of items" : "rules") + " that atoll " +
         command + " has found, no data; " +
         (sets ? "each line is a set, and in parentheses the number of transactions that have it"
               : "atoll compare RUN FILE says which of them a run has found") +
         "\n";
}

}  // namespace atl
