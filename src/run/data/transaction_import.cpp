#include "src/run/data/transaction_import.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/hdf5/transaction_writer.hpp"
#include "io/transactions/probability_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/hash.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/text/near_names.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

/// The first pass counts.
class Counts : public io::TransactionSink {
 public:
  void take(std::span<const std::uint32_t> items) override {
    ++transactions_;
    entries_ += items.size();
    for (const std::uint32_t item : items) {
      if (item >= supports_.size()) supports_.resize(item + std::size_t{1}, 0);
      ++supports_[item];
    }
  }
  /// The outline without the names.
  io::TransactionOutline outline(const std::vector<std::uint32_t>& places) const {
    io::TransactionOutline outline{
        {}, std::vector<std::uint64_t>(places.size(), 0), transactions_, entries_};
    for (std::size_t item = 0; item < supports_.size(); ++item) {
      outline.supports[places[item]] = supports_[item];
    }
    return outline;
  }

 private:
  std::vector<std::uint64_t> supports_;  // [items] by their numbers
  std::uint64_t transactions_ = 0, entries_ = 0;
};

Hash128 hash_of(const std::vector<std::string>& names) {
  Hasher hasher;
  for (const std::string& name : names) hasher.update_text(name);
  return hasher.digest();
}

/// The second pass writes what the first has counted, and nothing else.
class CheckedTransactions : public io::TransactionSink {
 public:
  /// @param supports  [items]
  CheckedTransactions(const std::string& name, const std::vector<std::uint32_t>& places,
                      std::vector<std::uint64_t> supports, std::uint64_t transactions,
                      io::TransactionWriter& writer)
      : name_(name),
        places_(places),
        left_of_items_(std::move(supports)),
        left_(transactions),
        writer_(writer) {}

  void take(std::span<const std::uint32_t> items) override {
    expect(left_-- > 0);
    placed_.clear();
    for (const std::uint32_t item : items) {
      expect(item < places_.size());
      placed_.push_back(places_[item]);
      expect(left_of_items_[placed_.back()]-- > 0);
    }
    std::sort(placed_.begin(), placed_.end());
    writer_.add(placed_);
  }
  /// @param items  of the second pass
  /// @param names  of the first
  void expect_all(const io::ItemNames& items, const Hash128& names) const {
    expect(left_ == 0 && items.places == places_ && hash_of(items.names) == names &&
           std::all_of(left_of_items_.begin(), left_of_items_.end(),
                       [](std::uint64_t left) { return left == 0; }));
  }

 private:
  void expect(bool as_before) const {
    if (!as_before) throw IoError(name_, "changed while it was read");
  }

  const std::string& name_;
  const std::vector<std::uint32_t>& places_;
  std::vector<std::uint64_t> left_of_items_;
  std::uint64_t left_;
  io::TransactionWriter& writer_;
  std::vector<std::uint32_t> placed_;
};

}  // namespace

ImportedTransactions import_transactions(const io::TextInput& input,
                                         const TransactionImport& options, const Report& report) {
  input.tell(report);
  std::optional<io::TextInput> likely;  // its absence is told before much is read
  if (!options.probabilities.empty()) likely.emplace(options.probabilities, temporary_place());
  const MemoryLimit memory(options.memory_limit);
  return within(memory, input.name() + ": what atoll import holds takes", {}, [&] {
    Counts counts;
    io::ItemNames items = read_transaction_text(input, options.form, report, counts);
    const Hash128 names = hash_of(items.names);
    io::TransactionOutline outline = counts.outline(items.places);
    outline.names = std::move(items.names);
    const ImportedTransactions imported{outline.transactions, outline.names.size(), outline.entries,
                                        likely.has_value()};
    std::vector<double> probabilities;
    if (likely) {
      probabilities = io::read_probabilities(likely->open(), likely->name(), outline.transactions);
    }
    std::vector<std::uint64_t> supports = outline.supports;
    io::TransactionWriter writer(options.output, std::move(outline), options.partition_rows,
                                 options.folder);
    CheckedTransactions written(input.name(), items.places, std::move(supports),
                                imported.transactions, writer);
    const Report silent = [](Severity, const std::string&) {};
    written.expect_all(read_transaction_text(input, options.form, silent, written), names);
    writer.finish(probabilities, options.before_output);
    return imported;
  });
}

std::string in_words(const ImportedTransactions& imported) {
  return fmt::format(
      "{}, {}, {:.2f} items a transaction{}", counted(imported.transactions, "transaction"),
      counted(imported.items, "item"),
      static_cast<double>(imported.entries) / static_cast<double>(imported.transactions),
      imported.with_probabilities ? ", with probabilities" : "");
}

}  // namespace atl
