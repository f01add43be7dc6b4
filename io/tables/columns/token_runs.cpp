#include "io/tables/columns/token_runs.hpp"

#include <algorithm>
#include <cstring>
#include <queue>
#include <string>

namespace atl::io {
namespace {

constexpr std::size_t write_bytes = std::size_t{1} << 20;
constexpr std::size_t read_bytes = std::size_t{1} << 14;

// A record is the token's length (u32), its rows (u64) and its bytes.
constexpr std::size_t header_bytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

class RunReader {
 public:
  RunReader(const TemporaryFile& file, std::uint64_t begin, std::uint64_t end)
      : file_(&file), next_(begin), end_(end) {}

  /// False at the end of the run.
  bool advance() {
    if (started_) at_ += header_bytes + token_size_;
    started_ = true;
    token_size_ = 0;
    if (!fill(header_bytes)) return false;
    std::uint32_t length;
    std::memcpy(&length, buffer_.data() + at_, sizeof length);
    std::memcpy(&rows_, buffer_.data() + at_ + sizeof length, sizeof rows_);
    fill(header_bytes + length);
    token_size_ = length;
    return true;
  }
  std::string_view token() const { return {buffer_.data() + at_ + header_bytes, token_size_}; }
  std::uint64_t rows() const { return rows_; }

 private:
  /// Has `count` bytes from at_ on in the buffer; false if the run has none left.
  bool fill(std::size_t count) {
    if (buffer_.size() - at_ >= count) return true;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    if (next_ == end_ && buffer_.empty()) return false;
    const std::size_t kept = buffer_.size();
    const std::size_t wanted = std::max(count - kept, read_bytes);
    const std::size_t got = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, end_ - next_));
    buffer_.resize(kept + got);
    file_->read(next_, buffer_.data() + kept, got);
    next_ += got;
    return true;
  }

  const TemporaryFile* file_;
  std::uint64_t next_, end_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t token_size_ = 0;
  std::uint64_t rows_ = 0;
  bool started_ = false;
};

void put(std::string& block, std::string_view token, std::uint64_t rows) {
  const auto length = static_cast<std::uint32_t>(token.size());
  block.append(reinterpret_cast<const char*>(&length), sizeof length);
  block.append(reinterpret_cast<const char*>(&rows), sizeof rows);
  block.append(token);
}

}  // namespace

void TokenRuns::spill(TokenMap& map, TemporaryFile& file) {
  const std::uint64_t begin = file.size();
  std::string block;
  for (const std::uint32_t id : map.sorted()) {
    put(block, map.text(id), map.rows(id));
    if (block.size() >= write_bytes) {
      file.append(block.data(), block.size());
      block.clear();
    }
  }
  file.append(block.data(), block.size());
  runs_.push_back({begin, file.size()});
  map.clear();
}

void TokenRuns::merge(const TemporaryFile& file, const TokenVisitor& visit) const {
  std::vector<RunReader> readers;
  for (const Run& run : runs_) readers.emplace_back(file, run.begin, run.end);
  const auto later = [&](std::size_t a, std::size_t b) {
    return readers[a].token() > readers[b].token();
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (readers[i].advance()) queue.push(i);
  }
  std::string token;
  while (!queue.empty()) {
    token.assign(readers[queue.top()].token());
    std::uint64_t rows = 0;
    while (!queue.empty() && readers[queue.top()].token() == token) {
      const std::size_t i = queue.top();
      queue.pop();
      rows += readers[i].rows();
      if (readers[i].advance()) queue.push(i);
    }
    visit(token, rows);
  }
}

}  // namespace atl::io
