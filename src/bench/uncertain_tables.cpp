#include "src/bench/uncertain_tables.hpp"

#include <string>
#include <string_view>

namespace atl {
namespace {

enum class Lines {
  missing,
  ranks,
  singles,
  inclusion,
  decoding,
  gains,
  times,
  by_rank,
  jobs,
  steps
};

std::string_view figure_of_lines(Lines lines) {
  switch (lines) {
    case Lines::missing:
      return "";
    case Lines::ranks:
      return "3.7";
    case Lines::singles:
      return "3.8";
    case Lines::inclusion:
      return "3.9";
    case Lines::decoding:
      return "3.10";
    case Lines::gains:
    case Lines::times:
      return "3.11";
    case Lines::by_rank:
      return "3.12";
    case Lines::jobs:
      return "3.13";
    case Lines::steps:
      return "table 3.3";
  }
  return "";
}

template <Lines kind>
std::vector<Record> lines_of_kind(std::span<const Record> records) {
  std::vector<Record> lines;
  for (const Record& record : records) {
    const std::string_view figure =
        record.contains("figure") ? record["figure"].get<std::string_view>() : "";
    if (figure == figure_of_lines(kind)) lines.push_back(record);
  }
  return lines;
}

std::vector<Record> lines_by_rank(std::span<const Record> records) {
  std::vector<Record> lines = lines_of_kind<Lines::by_rank>(records);
  std::erase_if(lines, [](const Record& line) { return !line.contains("rank"); });
  return lines;
}

/// From which rank on a GPU is always the faster.
std::vector<Record> crossing_lines(std::span<const Record> records) {
  std::vector<Record> lines = lines_of_kind<Lines::by_rank>(records);
  std::erase_if(lines, [](const Record& line) { return line.contains("rank"); });
  for (Record& line : lines) {
    const auto rank = [&](const char* key) {
      const Record* const found = figure_of(line, key);
      return found == nullptr ? std::string("no rank") : std::to_string(found->get<unsigned>());
    };
    line["faster"] = "GPU faster from: its way " + rank("thesis_crossing") + ", ours " +
                     rank("device_crossing") + "; cores of the paper up to " +
                     rank("published.crossing");
  }
  return lines;
}

/// Missing data sets are told of by messages.
std::vector<Record> no_lines(std::span<const Record>) {
  return {};
}

const Column dataset = {"dataset", "", as_it_is, "{:<11}"};
const Column minsup = {"minsup", "minsup, %", in_percent, "{:>9.4g}"};

Column seconds(const char* key, const char* heading) {
  return {key, heading, in_ms, "{:>9.5g}", "-"};
}
Column gain(const char* key, const char* heading) {
  return {key, heading, as_it_is, "{:>7.3g}", "-"};
}
Column paper(const char* key) {
  return {key, "paper", as_it_is, "{:>8}", "-"};
}

}  // namespace

std::vector<Table> uncertain_tables() {
  return {
      {"", {}, no_lines},
      {"Figure 3.7: candidates that are not pruned\n",
       {dataset,
        minsup,
        {"rank", "rank", as_it_is, "{:>6}"},
        {"candidates", "candidates", as_it_is, "{:>12}"}},
       lines_of_kind<Lines::ranks>},
      {"\nFigure 3.8: single items, ms; times as fast\n",
       {dataset, minsup, seconds("cores_seconds", "cores"), bar, seconds("host_seconds", "host"),
        seconds("scan_seconds", "GPU"), gain("host_gain", "host"), paper("published.host_gain")},
       lines_of_kind<Lines::singles>},
      {"\nFigure 3.9: inclusion of longer sets, ms; times as fast\n",
       {dataset, minsup, seconds("cores_seconds", "cores"), seconds("device_seconds", "our GPU"),
        bar, seconds("scan_seconds", "scan"), seconds("and_seconds", "AND"),
        gain("and_gain", "AND"), paper("published.and_gain")},
       lines_of_kind<Lines::inclusion>},
      {"\nFigure 3.10: pruning by the ways to decode, ms; times as fast\n",
       {dataset, minsup, bar, seconds("loop_seconds", "loop"), seconds("find_seconds", "find"),
        gain("find_gain", "faster")},
       lines_of_kind<Lines::decoding>},
      {"\nFigure 3.11: distributions, ms\n",
       {dataset, seconds("cores_seconds", "cores"), seconds("device_seconds", "our GPU"), bar,
        seconds("plain_seconds", "plain"), seconds("filter_seconds", "filter"),
        seconds("scatter_seconds", "scatter"), seconds("gather_seconds", "gather"),
        seconds("several_seconds", "several")},
       lines_of_kind<Lines::times>},
      {"\nFigure 3.11: times as fast, and in the paper\n",
       {dataset, gain("filter_gain", "filter"), gain("published.filter_gain", "paper"),
        gain("gather_gain", "gather"), gain("published.gather_gain", "paper"),
        gain("several_gain", "many"), gain("published.several_gain", "paper"),
        gain("speedup", "cores"), gain("published.speedup", "paper")},
       lines_of_kind<Lines::gains>},
      {"\nFigure 3.12: a distribution, us\n",
       {{"rank", "rank", as_it_is, "{:>4}"},
        {"cores_seconds", "cores", in_us, "{:>10.4g}"},
        {"thesis_seconds", "its way", in_us, "{:>10.4g}", "-"},
        {"device_seconds", "our GPU", in_us, "{:>10.4g}", "-"}},
       lines_by_rank},
      {"", {{"faster", "", as_it_is, "{:<1}"}}, crossing_lines},
      {"\nFigure 3.13: whole searches, ms; its way over plain cores\n",
       {dataset, minsup, seconds("cores_seconds", "cores"), seconds("plain_cores_seconds", "plain"),
        seconds("device_seconds", "our GPU"), seconds("plain_device_seconds", "plain"),
        seconds("thesis_seconds", "its way"), gain("speedup", "faster"),
        paper("published.speedup")},
       lines_of_kind<Lines::jobs>},
      {"\nTable 3.3: steps of a search, ms\n",
       {dataset,
        {"way", "", as_it_is, " {:<13}"},
        {"inclusion_seconds", "inclusion", in_ms, "{:>10.5g}"},
        {"pruning_seconds", "pruning", in_ms, "{:>9.4g}", ""},
        {"filtering_seconds", "filter", in_ms, "{:>9.4g}", ""},
        {"distribution_seconds", "SPMF", in_ms, "{:>9.5g}"},
        {"other_seconds", "others", in_ms, "{:>9.5g}"},
        {"total_seconds", "total", in_ms, "{:>9.5g}"}},
       lines_of_kind<Lines::steps>}};
}

}  // namespace atl
