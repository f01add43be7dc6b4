#include "src/work/text_spool.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <span>
#include <unistd.h>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/input_file.hpp"

namespace atl {
namespace {

constexpr std::string_view stem = "text-";

}  // namespace

std::string TextSpool::file_name(std::uint64_t number) {
  return std::string(stem) + std::to_string(number);
}

bool TextSpool::is_file_name(std::string_view name) {
  if (!name.starts_with(stem)) return false;
  const std::string_view digits = name.substr(stem.size());
  return !digits.empty() &&
         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

void TextSpool::append(SpooledText& text, std::string_view more) {
  text.kept += more;
  kept_ += more.size();
  if (kept_ > most_kept_) write_out(text);
}

void TextSpool::write_out(SpooledText& text) {
  const io::Folder& folder = folder_();
  if (text.file == 0) text.file = ++last_;
  const std::string name = file_name(text.file);
  const io::Descriptor file = folder.open_in_place(name, text.file_size == 0 ? O_TRUNC : 0);
  io::write_at(file.get(), text.file_size, std::as_bytes(std::span(text.kept)),
               folder.path_of(name));
  text.file_size += text.kept.size();
  kept_ -= text.kept.size();
  text.kept = std::string();
}

void TextSpool::sync(SpooledText& text) {
  if (text.kept.empty() && text.hash != Hash128()) return;
  if (!text.kept.empty()) write_out(text);
  const io::Folder& folder = folder_();
  const std::string name = file_name(text.file);
  const io::Descriptor file = folder.open_in_place(name);
  if (::fsync(file.get()) != 0) io::throw_write_error(folder.path_of(name), errno);
  text.hash = hash_of_file(folder, name, text.file_size);
}

void TextSpool::hand_over(SpooledText& text, const std::function<void(std::string_view)>& write) {
  if (text.file != 0) {
    read_spooled(folder_(), file_name(text.file), text.file_size, write);
    unneeded_.push_back(text.file);
    text.file = 0;
    text.file_size = 0;
    text.hash = {};
    if (!keeps_) remove_unneeded();
  }
  if (text.kept.empty()) return;
  write(text.kept);
  kept_ -= text.kept.size();
  text.kept = std::string();
}

SpooledText TextSpool::take_up(std::uint64_t file, std::uint64_t size, const Hash128& hash) {
  SpooledText text;
  text.file = file;
  text.file_size = size;
  text.hash = hash;
  return text;
}

void TextSpool::remove_unneeded() {
  for (const std::uint64_t number : unneeded_) folder_().remove_if_possible(file_name(number));
  unneeded_.clear();
}

Hash128 hash_of_file(const io::Folder& folder, const std::string& name, std::uint64_t size) {
  Hasher hasher;
  read_spooled(folder, name, size,
               [&](std::string_view text) { hasher.update(std::as_bytes(std::span(text))); });
  return hasher.digest();
}

void read_spooled(const io::Folder& folder, const std::string& name, std::uint64_t size,
                  const std::function<void(std::string_view)>& take) {
  const io::InputFile file(folder, name);
  std::string block;
  for (std::uint64_t at = 0; at < size; at += block.size()) {
    block.resize(std::min<std::uint64_t>(std::size_t{1} << 20, size - at));
    file.read(at, std::as_writable_bytes(std::span(block)));
    take(block);
  }
}

}  // namespace atl
