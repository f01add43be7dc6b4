#include "src/bench/apriori_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/bench/record.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

std::string no_data(int width) {
  return fmt::format("{:>{}}", "no data", width);
}
std::string in_ms(const std::optional<double>& seconds, int width) {
  return seconds ? fmt::format("{:>{}.4g}", *seconds * 1e3, width) : no_data(width);
}
std::string in_percent(const std::optional<double>& share, int width) {
  return share ? fmt::format("{:>{}.1f}", *share * 100, width) : no_data(width);
}

/// A figure: the paper's three variants on this machine, and what the improvement saves, there and
/// here.
std::string step_table(const std::string& title, const std::vector<AprioriRecord>& records,
                       AprioriStep AprioriRecord::*step, bool reduction) {
  std::string text =
      title + fmt::format("{:>12} {:>6}{:>12} |{:>10}{:>10}{:>10} |{:>9}{:>9}\n", "transactions",
                          "items", "candidates", reduction ? "loop" : "loops",
                          reduction ? "plain" : "square", reduction ? "flagged" : "triangle",
                          "saves, %", "paper");
  for (const AprioriRecord& record : records) {
    const AprioriStep& times = record.*step;
    std::string paper = fmt::format("{:>9.1f}", record.paper->generator * 100);
    if (reduction) {
      paper = record.paper->reduction ? in_percent(record.paper->reduction, 9)
                                      : fmt::format("{:>9}", "slower");
    }
    text +=
        fmt::format("{:>12} {:>6}{:>12} |{}{}{} |{}{}\n", record.paper->transactions, record.items,
                    record.candidates, in_ms(times.one_core.median, 10), in_ms(times.plain, 10),
                    in_ms(times.improved, 10), in_percent(times.saved(), 9), paper);
  }
  return text;
}

std::string our_table(const std::vector<AprioriRecord>& records) {
  std::string text =
      fmt::format("\nOurs, both steps in one, ms\n{:>12} |{:>10}{:>10}{:>10} |{:>12}{:>9}{:>9}\n",
                  "transactions", "one core", records.empty() ? "" : records[0].backend, "kernel",
                  "words/s", "popc, %", "ratio");
  for (const AprioriRecord& record : records) {
    std::optional<double> ours, share, ratio;
    if (record.ours) ours = record.ours->median;
    if (record.words_per_second) {
      share = *record.words_per_second / *record.popcounts_per_second;
      ratio = (*record.counting.improved + *record.generation.improved) / *record.kernel;
    }
    text +=
        fmt::format("{:>12} |{}{}{} |", record.paper->transactions,
                    in_ms(record.one_core.median, 10), in_ms(ours, 10), in_ms(record.kernel, 10));
    if (record.words_per_second) {
      text += fmt::format("{:>12.3g}{}{:>9.1f}\n", *record.words_per_second, in_percent(share, 9),
                          *ratio);
    } else {
      text += no_data(12) + no_data(9) + no_data(9) + '\n';
    }
  }
  return text;
}

void add_if(const char* name, const std::optional<double>& number, Json& json) {
  if (number) json[name] = *number;
}

Json step_json(const AprioriRecord& record, const AprioriStep& step, int figure) {
  Json json = {{"bench", "apriori"},
               {"figure", figure},
               {"transactions", record.paper->transactions},
               {"items", record.items},
               {"candidates", record.candidates},
               {"backend", record.backend},
               {"threads", record.threads},
               {"loop_seconds", step.one_core.median}};
  add_if("plain_seconds", step.plain, json);
  add_if("improved_seconds", step.improved, json);
  add_if("saved", step.saved(), json);
  BenchRecord of_machine;
  of_machine.device = record.device;
  json["machine"] = machine_description(of_machine);
  return json;
}

Json ours_json(const AprioriRecord& record) {
  Json json = {{"one_core_seconds", record.one_core.median}};
  if (record.ours) json["seconds"] = record.ours->median;
  add_if("kernel_seconds", record.kernel, json);
  add_if("words_per_s", record.words_per_second, json);
  add_if("popcount_words_per_s", record.popcounts_per_second, json);
  return json;
}

}  // namespace

void report_apriori(const BenchMachine& machine, bool json, const Report& report,
                    const std::function<void(const std::string&)>& write) {
  std::vector<AprioriRecord> records;
  bench_apriori(machine, [&](const AprioriRecord& record) {
    if (!json && records.empty()) {
      BenchRecord of_machine;
      of_machine.device = record.device;
      report(Severity::info, record.backend + ", " + counted(record.threads, "thread") + "; " +
                                 machine_description(of_machine));
    }
    records.push_back(record);
  });
  write(json ? apriori_json(records) : apriori_tables(records));
}

std::string apriori_tables(const std::vector<AprioriRecord>& records) {
  return step_table("Figure 7: counting supports, ms\n", records, &AprioriRecord::counting, true) +
         step_table("\nFigure 8: making candidates, ms\n", records, &AprioriRecord::generation,
                    false) +
         our_table(records);
}

std::string apriori_json(const std::vector<AprioriRecord>& records) {
  Json list = Json::array();
  for (const AprioriRecord& record : records) {
    Json counting = step_json(record, record.counting, 7);
    counting["published"] = {{"source", "Tang and Wang 2014, Figure 7"}};
    if (record.paper->reduction) {
      counting["published"]["saved"] = *record.paper->reduction;
    } else {
      counting["published"]["slower"] = true;
    }
    Json generation = step_json(record, record.generation, 8);
    generation["published"] = {{"source", "Tang and Wang 2014, Figure 8"},
                               {"saved", record.paper->generator}};
    counting["ours"] = generation["ours"] = ours_json(record);
    list.push_back(std::move(counting));
    list.push_back(std::move(generation));
  }
  return list.dump(2) + "\n";
}

}  // namespace atl
