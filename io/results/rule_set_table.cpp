#include "io/results/rule_set_table.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace atl::io {
namespace {

std::string share(std::uint64_t right, std::uint64_t rows) {
  if (rows == 0) return "";
  return fmt::format("{:.2f}%", 100 * static_cast<double>(right) / static_cast<double>(rows));
}

}  // namespace

std::string list_figures_table(std::span<const ListFigures> figures) {
  std::size_t width = 4;  // of "rows"
  for (const ListFigures& its : figures) width = std::max(width, its.rows.size());
  std::string text =
      fmt::format("{:<{}}  {:>7}  {:>8} {:>7}  {:>8} {:>7}  {:>8} {:>7}\n", "rows", width, "rule",
                  "covers", "right", "decides", "right", "so far", "right");
  for (const ListFigures& its : figures) {
    for (std::size_t r = 0; r < its.figures.size(); ++r) {
      const ListRuleFigures& rule = its.figures[r];
      text += fmt::format("{:<{}}  {:>7}  {:>8} {:>7}  {:>8} {:>7}  {:>8} {:>7}\n",
                          r == 0 ? its.rows : "", width,
                          r + 1 < its.figures.size() ? std::to_string(r + 1) : "default",
                          rule.covered, share(rule.covered_correct, rule.covered), rule.decided,
                          share(rule.decided_correct, rule.decided), rule.decided_so_far,
                          share(rule.correct_so_far, rule.decided_so_far));
    }
  }
  return text;
}

std::string front_table(const ListFront& front) {
  const bool folds = front.rows.front().unseen.has_value();
  const auto figure = [&](double value) {
    return front.log_loss ? fmt::format("{:.4f}", value) : fmt::format("{:.2f}%", 100 * value);
  };
  std::string text = fmt::format("{:>5}  {:>11}  {:>10}", "rules", "comparisons", "training");
  if (folds) text += fmt::format("  {:>11}", "inner folds");
  text += front.log_loss ? "  log-loss\n" : "\n";
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const ListFrontRow& row = front.rows[i];
    text += fmt::format("{:>5}  {:>11}  {:>10}", row.list.rules.size(), row.list.comparisons(),
                        figure(row.training));
    if (row.unseen) text += fmt::format("  {:>11}", figure(*row.unseen));
    text += i == front.chosen ? "  chosen\n" : "\n";
  }
  return text;
}

}  // namespace atl::io
