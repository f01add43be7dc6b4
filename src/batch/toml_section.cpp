#include "src/batch/toml_section.hpp"

#include <algorithm>

#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

bool is_plain(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

}  // namespace

const toml::node* TomlSection::ask(std::string_view key) {
  asked_.emplace_back(key);
  return table_ == nullptr ? nullptr : table_->get(key);
}

std::string TomlSection::place(std::string_view key) const {
  const toml::node* node = table_ == nullptr ? nullptr : table_->get(key);
  if (node == nullptr) node = table_;
  if (node == nullptr || node->source().begin.line == 0) return *file_;
  const toml::source_position& begin = node->source().begin;
  return *file_ + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column);
}

void TomlSection::fail(std::string_view key, const std::string& problem) const {
  throw BadData(place(key), problem);
}

std::optional<std::string> TomlSection::text(std::string_view key) {
  const toml::node* const node = ask(key);
  if (node == nullptr) return {};
  if (node->is_integer()) return std::to_string(node->as_integer()->get());
  if (!node->is_string() || !is_plain(node->as_string()->get())) {
    fail(key, std::string(key) + ": expected a text of one line");
  }
  return node->as_string()->get();
}

std::optional<std::uint32_t> TomlSection::number(std::string_view key, std::uint32_t least,
                                                 std::uint32_t most) {
  const toml::node* const node = ask(key);
  if (node == nullptr) return {};
  const std::int64_t value = node->is_integer() ? node->as_integer()->get() : -1;
  if (value < least || value > most) {
    fail(key, std::string(key) + ": expected a whole number from " + std::to_string(least) +
                  " to " + std::to_string(most));
  }
  return static_cast<std::uint32_t>(value);
}

std::optional<bool> TomlSection::truth(std::string_view key) {
  const toml::node* const node = ask(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) fail(key, std::string(key) + ": expected true or false");
  return node->as_boolean()->get();
}

std::vector<std::string> TomlSection::texts(std::string_view key) {
  const toml::node* const node = ask(key);
  if (node == nullptr) return {};
  std::vector<std::string> list;
  const toml::array* const array = node->as_array();
  if (array == nullptr) fail(key, std::string(key) + ": expected a list of texts");
  for (const toml::node& element : *array) {
    if (!element.is_string() || !is_plain(element.as_string()->get())) {
      throw BadToml(*file_, element.source(), std::string(key) + ": expected texts of one line");
    }
    list.push_back(element.as_string()->get());
  }
  return list;
}

const toml::table* TomlSection::table(std::string_view key) {
  const toml::node* const node = ask(key);
  if (node == nullptr) return nullptr;
  const toml::table* const table = node->as_table();
  if (table == nullptr)
    fail(key, std::string(key) + ": expected a table [" + std::string(key) + "]");
  return table;
}

void TomlSection::reject_others() const {
  if (table_ == nullptr) return;
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    throw BadToml(*file_, key.source(),
                  "unknown key " + in_quotes(name) + " in " + what_ + suggestion(name, asked_));
  }
}

}  // namespace atl
