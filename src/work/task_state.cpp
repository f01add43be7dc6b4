#include "src/work/task_state.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

constexpr std::string_view magic = "atoll.task";
constexpr std::uint32_t state_version = 1;

enum class ItemKind : std::uint8_t { piece, text };

void put(ByteWriter& out, const TextPart& text) {
  out.put(text.file);
  out.put(text.size);
  put(out, text.hash);
}

TextPart get_text_part(ByteReader& in) {
  TextPart text;
  text.file = in.get<std::uint64_t>();
  text.size = in.get<std::uint64_t>();
  text.hash = get_hash(in);
  return text;
}

void put(ByteWriter& out, const Identity& identity) {
  out.put_text(identity.task);
  out.put(identity.version);
  out.put(std::uint64_t{identity.marks.size()});
  for (const Identity::Mark& mark : identity.marks) out.put_text(mark.value);
}

Identity get_identity(ByteReader& in) {
  Identity identity;
  identity.task = in.get_text();
  identity.version = in.get<std::uint32_t>();
  identity.marks.resize(in.get_count(8));
  for (Identity::Mark& mark : identity.marks) mark.value = in.get_text();
  return identity;
}

}  // namespace

std::string difference(const Identity& here, const Identity& other) {
  if (here.task != other.task) return "another task, " + printable(other.task);
  std::vector<std::string> differences;
  for (std::size_t m = 0; m < here.marks.size(); ++m) {
    if (m < other.marks.size() && here.marks[m].value == other.marks[m].value) continue;
    differences.push_back(here.marks[m].difference);
  }
  if (other.marks.size() > here.marks.size()) differences.push_back("more options");
  return first_three(differences);
}

Bytes encode(const TaskState& state) {
  ByteWriter out;
  out.put_text(std::string(magic));
  out.put(state_version);
  put(out, state.identity);
  out.put(state.seconds);
  out.put(state.round);
  out.put_all(std::span(std::as_const(state.news)));
  out.put_all(std::span(std::as_const(state.own)));
  out.put(std::uint64_t{state.output.size()});
  for (const TextPart& text : state.output) put(out, text);
  out.put(std::uint64_t{state.items.size()});
  for (const auto& item : state.items) {
    if (const auto* const piece = std::get_if<Piece>(&item)) {
      out.put(ItemKind::piece);
      out.put_all(std::span(*piece));
    } else {
      out.put(ItemKind::text);
      put(out, std::get<TextPart>(item));
    }
  }
  put(out, hash_bytes(out.bytes()));
  return std::move(out).take();
}

TaskState decode_task_state(std::span<const std::byte> bytes) {
  constexpr std::size_t hash_size = 16;
  require_bytes(bytes.size() >= hash_size, "the bytes end early");
  ByteReader trailer(bytes.last(hash_size));
  const auto content = bytes.first(bytes.size() - hash_size);
  require_bytes(get_hash(trailer) == hash_bytes(content), "the content is not what was written");
  ByteReader in(content);
  require_bytes(in.get_text() == magic, "this is no state of a task");
  if (in.get<std::uint32_t>() != state_version) {
    throw OtherVersion("it is of another version of atoll");
  }
  TaskState state;
  state.identity = get_identity(in);
  state.seconds = in.get<double>();
  state.round = in.get<std::uint32_t>();
  state.news = in.get_all<std::byte>();
  state.own = in.get_all<std::byte>();
  state.output.resize(in.get_count(32));
  for (TextPart& text : state.output) text = get_text_part(in);
  const std::size_t items = in.get_count(9);
  for (std::size_t k = 0; k < items; ++k) {
    const auto kind = in.get<std::uint8_t>();
    require_bytes(kind <= static_cast<std::uint8_t>(ItemKind::text), "unknown item");
    if (kind == static_cast<std::uint8_t>(ItemKind::piece)) {
      state.items.emplace_back(in.get_all<std::byte>());
    } else {
      state.items.emplace_back(get_text_part(in));
    }
  }
  in.expect_end();
  return state;
}

}  // namespace atl
