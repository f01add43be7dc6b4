#include "src/exhaustive/pairs/pair_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/text/near_names.hpp"
#include "src/exhaustive/pairs/item_bits.hpp"

namespace atl {
namespace {

/// "all", "94.1%"; of nearly all "over 99.9%", as shares beside it are not to add up to more.
std::string share_in_words(std::uint64_t some, std::uint64_t all) {
  if (some == all) return "all";
  const double percent = 100 * static_cast<double>(some) / static_cast<double>(all);
  return percent > 99.9 ? "over 99.9%" : fmt::format("{:.3g}%", percent);
}

}  // namespace

const char* to_string(PairForm form) noexcept {
  switch (form) {
    case PairForm::batmap:
      return "batmap";
    case PairForm::bitmap:
      return "bitmap";
    case PairForm::lists:
      return "lists";
    case PairForm::product:
      return "product";
  }
  return "";
}

PairPlan::PairPlan(const PairRows& rows, std::optional<PairForm> form, std::uint32_t band_rows,
                   const PairCosts& costs)
    : rows_(rows), band_rows_(band_rows), costs_(costs), entries_before_{0} {
  for (std::uint32_t r = 0; r < rows.items(); ++r) {
    entries_before_.push_back(entries_before_.back() + rows.places(r).size());
  }
  for (std::uint32_t first = 0; first < rows.items(); first += band_rows) {
    const RankRange band{first, first + std::min(band_rows, rows.items() - first)};
    if (!form) {
      bands_.push_back(cheapest(band));
    } else if (*form == PairForm::lists) {
      bands_.push_back({band});
    } else {
      bands_.push_back({band, band.end, *form});
    }
  }
}

/// Of lists the meetings of the rows are known, not with which items: with each as often as it
/// occurs. So columns are worth their rectangle down to some frequency.
PairBand PairPlan::cheapest(RankRange rows) {
  std::uint64_t meetings = 0;
  for (std::uint32_t r = rows.first; r < rows.end; ++r) meetings += rows_.meetings[r];
  const auto places = static_cast<double>(entries_before_[rows.end] - entries_before_[rows.first]);
  const auto all = static_cast<double>(entries_before_[rows.end]);
  const double steps = (static_cast<double>(rows_.transactions()) + 127) / 128;
  const auto blocks = static_cast<double>((rows.size() + BitProduct::rows - 1) / BitProduct::rows);
  const double ns_of_entry = static_cast<double>(meetings) * costs_.meeting / std::max(all, 1.0);
  std::uint32_t worth = 0;
  while (worth<rows.end&& static_cast<double>(rows_.places(worth).size()) * ns_of_entry> blocks *
             steps * costs_.product +
         rows.size() * costs_.copied) {
    ++worth;
  }
  PairBand best{rows};
  double least = 0;
  for (const std::uint32_t columns : {std::uint32_t{0}, worth, rows.end}) {
    const double entries = all - static_cast<double>(entries_before_[columns]);
    const double lists = columns == rows.end ? 0 : entries * ns_of_entry + places * costs_.place;
    const double pairs = static_cast<double>(rows.size()) * columns;
    const double tables = (columns + 4095) / 4096;
    const double product = blocks * steps * (columns * costs_.product + tables * costs_.tables) +
                           pairs * costs_.copied;
    const double bits = pairs * (steps / 4 * costs_.bits + costs_.common);
    const double time = lists + std::min(product, bits);
    if (columns == 0 || time < least) {
      least = time;
      best.columns = columns;
      best.form = columns == 0     ? PairForm::lists
                  : product < bits ? PairForm::product
                                   : PairForm::bitmap;
    }
  }
  seconds_ += least * 1e-9;
  return best;
}

std::uint32_t PairPlan::columns_of(PairForm form) const noexcept {
  std::uint32_t columns = 0;
  for (const PairBand& band : bands_) {
    if (band.form == form) columns = std::max(columns, band.columns);
  }
  return columns;
}

std::array<std::uint64_t, pair_forms> PairPlan::pairs() const noexcept {
  std::array<std::uint64_t, pair_forms> pairs{};
  for (const PairBand& band : bands_) {
    const std::uint64_t all = pairs_of_rows(band.rows.first, band.rows.end);
    std::uint64_t counted = 0;  // by the rectangle
    for (std::uint32_t r = band.rows.first; r < band.rows.end; ++r) {
      counted += std::min(r, band.columns);
    }
    pairs[static_cast<std::size_t>(band.form)] += counted;
    pairs[static_cast<std::size_t>(PairForm::lists)] += all - counted;
  }
  return pairs;
}

std::string PairPlan::in_words() const {
  const auto pairs = this->pairs();
  const std::uint64_t all = pairs_of_rows(0, rows_.items());
  std::string text = counted(all, "pair") + " of " + counted(rows_.items(), "item");
  const char* before = ": ";
  for (const PairForm form :
       {PairForm::product, PairForm::bitmap, PairForm::batmap, PairForm::lists}) {
    const std::uint64_t here = pairs[static_cast<std::size_t>(form)];
    if (here == 0) continue;
    text += fmt::format("{}{} by {}", before, share_in_words(here, all), to_string(form));
    before = ", ";
  }
  return text;
}

}  // namespace atl
