#include "io/results/json_list.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

using Json = nlohmann::json;
using Take = std::function<void(const Json&)>;

constexpr std::size_t deepest_element = 16, deepest_text = 256;

/// What a library's message says to those who know no library: "[json.exception.type_error.304]
/// cannot use at() with number" is a number where an object should be.
std::string problem_of(const Json::exception& error) {
  constexpr int at_of_another = 304, item_of_another = 305;
  const std::string_view text = error.what();
  if (error.id == at_of_another || error.id == item_of_another) {
    return "an object was expected, found " + std::string(text.substr(text.rfind(' ') + 1));
  }
  const std::size_t behind = text.find("] ");
  return printable(behind == text.npos ? text : text.substr(behind + 2), 200);
}

/// Builds each element while the text is read.
class JsonReader : public nlohmann::json_sax<Json> {
 public:
  /// @param element  what messages call an element of the list; empty: the text is one element
  JsonReader(std::string_view text, const std::string& file, const std::string& element,
             const Take& take)
      : text_(text),
        file_(file),
        element_(element),
        take_(take),
        deepest_(element.empty() ? deepest_text : deepest_element),
        in_list_(element.empty()) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override {
    if (in_list_) return open(Json::array());
    in_list_ = true;
    return true;
  }
  bool key(std::string& name) override {
    if (open_.back().contains(name)) fail("key " + quoted(name) + " is there twice");
    keys_.push_back(std::move(name));
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return open_.empty() || close(); }

  bool parse_error(std::size_t position, const std::string& token,
                   const Json::exception&) override {
    const std::string_view before = text_.substr(0, position > 0 ? position - 1 : 0);
    const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t line_begin = before.rfind('\n') + 1;
    throw BadCell(file_, lines + 1, before.size() - line_begin + 1,
                  position > text_.size() ? "the end of the text" : token, "JSON");
  }

 private:
  static std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

  [[noreturn]] void fail(const std::string& problem) const {
    const std::string number = std::to_string(taken_ + 1);
    throw BadData(file_, (element_.empty() ? "" : element_ + " " + number + ": ") + problem);
  }

  [[noreturn]] void expect_list() const {
    throw BadData(file_, "a list of " + element_ + "s was expected");
  }

  bool open(Json container) {
    if (!in_list_) expect_list();
    if (open_.size() == deepest_) fail("is nested more than " + std::to_string(deepest_) + " deep");
    open_.push_back(std::move(container));
    return true;
  }

  bool close() {
    Json done = std::move(open_.back());
    open_.pop_back();
    return add(std::move(done));
  }

  bool add(Json value) {
    if (!in_list_) expect_list();
    if (open_.empty()) {
      take(value);
    } else if (open_.back().is_array()) {
      open_.back().push_back(std::move(value));
    } else {
      open_.back()[std::move(keys_.back())] = std::move(value);
      keys_.pop_back();
    }
    return true;
  }

  void take(const Json& element) {
    try {
      take_(element);
    } catch (const Json::exception& error) {
      fail(problem_of(error));
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
    ++taken_;
  }

  std::string_view text_;
  const std::string& file_;
  const std::string& element_;
  const Take& take_;
  std::vector<Json> open_;         ///< containers of an element, the outermost first
  std::vector<std::string> keys_;  ///< whose values are still to come
  std::uint64_t taken_ = 0;
  const std::size_t deepest_;
  bool in_list_;
};

void read(std::string_view json, const std::string& file, const std::string& element,
          const Take& take) {
  // The library takes it for the end of the text.
  if (json.find('\0') != std::string_view::npos)
    throw BadData(file, "has a NUL byte, expected JSON");
  JsonReader reader(json, file, element, take);
  Json::sax_parse(json, &reader);
}

}  // namespace

void for_each_in_json_list(std::string_view json, const std::string& file,
                           const std::string& element, const Take& take) {
  read(json, file, element, take);
}

void with_json(std::string_view json, const std::string& file, const Take& take) {
  read(json, file, "", take);
}

std::uint64_t json_count(const Json& value, const std::string& what) {
  if (!value.is_number_unsigned()) throw std::invalid_argument("\"" + what + "\" is not a count");
  return value.get<std::uint64_t>();
}

}  // namespace atl::io
