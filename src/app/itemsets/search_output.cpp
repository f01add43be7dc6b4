#include "src/app/itemsets/search_output.hpp"

#include <span>
#include <utility>

#include "src/app/itemsets/text_spool.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {

void SearchOutput::write(std::string_view text) {
  if (!file_) {
    if (!write_stdout_exactly(text)) throw ReaderGone();
    return;
  }
  const auto bytes = std::as_bytes(std::span(text));
  file_->append(bytes);
  if (hasher_) hasher_->update(bytes);
  size_ += bytes.size();
}

const std::vector<TextPart>& SearchOutput::park(const io::Folder& folder) {
  file_->park(folder, parked_name);
  if (size_ > 0) {
    const Hash128 hash = hasher_ ? hasher_->digest() : hash_of_file(folder, parked_name, size_);
    parked_.push_back({0, size_, hash});
  }
  size_ = 0;
  hasher_.emplace();
  return parked_;
}

void SearchOutput::take_up(const std::string& file, const io::Folder& folder,
                           std::vector<TextPart> parked) {
  std::uint64_t size = 0;
  for (const TextPart& part : parked) size += part.size;
  file_.reset();
  file_ = std::make_unique<io::AtomicFile>(file, folder, parked_name, size);
  parked_ = std::move(parked);
  hasher_.emplace();
}

void SearchOutput::commit() {
  if (file_) file_->commit();
}

}  // namespace atl
