#include "io/hdf5/transaction_writer.hpp"

#include <cassert>
#include <filesystem>
#include <utility>

#include "io/hdf5/h5_tables.hpp"
#include "io/hdf5/trailer.hpp"
#include "io/hdf5/transaction_file.hpp"
#include "src/core/error.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/item_text.hpp"

namespace atl::io {
namespace {

constexpr std::size_t piece = std::size_t{1} << 18;  // numbers that are written at once

/// Names as they are, without quotes.
std::vector<std::string> names_of(std::vector<std::string> texts, const std::string& path) {
  for (std::string& text : texts) {
    text = item_name(text);
    if (text.size() > longest_text) {
      throw BadData(path, "an item has a name of more than 64 KiB: " + printable(text));
    }
  }
  return texts;
}

AtomicFile output_at(const std::string& path, const Folder* folder) {
  if (folder == nullptr) return AtomicFile(path);
  return AtomicFile(*folder, std::filesystem::path(path).filename().string());
}

}  // namespace

void TransactionHasher::add(std::span<const std::uint32_t> lengths,
                            std::span<const std::uint32_t> items) {
  lengths_.update(std::as_bytes(lengths));
  items_.update(std::as_bytes(items));
}

Fingerprint TransactionHasher::digest(const std::vector<std::string>& names,
                                      std::uint64_t transactions,
                                      std::span<const double> probabilities) const {
  Hasher hasher;
  const auto add = [&](const Hash128& hash) {
    hasher.update_u64(hash.low);
    hasher.update_u64(hash.high);
  };
  hasher.update_u64(transactions);
  hasher.update_u64(names.size());
  for (const std::string& name : names) hasher.update_text(name);
  add(lengths_.digest());
  add(items_.digest());
  if (!probabilities.empty()) add(hash_bytes(std::as_bytes(probabilities)));
  return hasher.digest();
}

TransactionWriter::TransactionWriter(const std::string& path, TransactionOutline outline,
                                     std::uint32_t partition, const Folder* folder)
    : partition_(partition),
      names_(names_of(std::move(outline.names), path)),
      supports_(std::move(outline.supports)),
      expected_(outline.entries),
      output_(output_at(path, folder)),
      file_(making(path, [] { return std::make_unique<Hdf5Writer>(); })) {
  assert(partition > 0 && partition % partition_granule == 0);
  if (outline.transactions == 0) throw BadData(path, "would have no transactions");
  making(path, [&] {
    file_->create_group("transactions");
    lengths_.at = file_->set_aside_u32("transactions/length", outline.transactions);
    if (outline.entries > 0) {
      items_.at = file_->set_aside_u32("transactions/item", outline.entries);
    } else {
      file_->write<std::uint32_t>("transactions/item", {});
    }
  });
}

void TransactionWriter::add(std::span<const std::uint32_t> items) {
  if (transactions_ % partition_ == 0) begins_.push_back(entries_);
  ++transactions_;
  entries_ += items.size();
  lengths_.waiting.push_back(static_cast<std::uint32_t>(items.size()));
  items_.waiting.insert(items_.waiting.end(), items.begin(), items.end());
  if (lengths_.waiting.size() + items_.waiting.size() >= piece) flush();
}

void TransactionWriter::flush() {
  hasher_.add(lengths_.waiting, items_.waiting);
  write(lengths_);
  write(items_);
}

void TransactionWriter::write(Column& column) {
  const auto bytes = std::as_bytes(std::span(column.waiting));
  if (!bytes.empty()) output_.write(column.at, bytes);
  column.at += bytes.size();
  column.waiting.clear();
}

void TransactionWriter::finish(std::span<const double> probabilities,
                               const std::function<void()>& before_output) {
  assert(entries_ == expected_ && (probabilities.empty() || probabilities.size() == transactions_));
  flush();
  making(output_.path(), [&] {
    put_transaction_format(*file_);
    file_->put("transactions", transactions_);
    file_->put("partition_transactions", partition_);
    file_->put("fingerprint", to_hex(hasher_.digest(names_, transactions_, probabilities)));
    file_->create_group("items");
    write_texts(*file_, "items/name", names_);
    file_->write<std::uint64_t>("items/support", supports_);
    file_->create_group("partitions");
    file_->write<std::uint64_t>("partitions/begin", begins_);
    if (!probabilities.empty()) file_->write<double>("transactions/probability", probabilities);
    file_->finish(output_);
  });
  append_trailer(output_);
  if (before_output) before_output();
  output_.commit();
}

}  // namespace atl::io
