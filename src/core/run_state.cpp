#include "src/core/run_state.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace atl {
namespace {

constexpr std::size_t longest_name = 64;
// Least bytes of a section: lengths of its name and its bytes, version, one character.
constexpr std::size_t least_section_bytes = 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t) + 1;

void put(ByteWriter& out, const RunStateHeader& header) {
  out.put(header.version);
  put(out, header.experiment);
  put(out, header.dataset);
  out.put(header.generation);
  out.put(header.seconds);
  out.put(header.jobs);
  out.put(static_cast<std::uint8_t>(header.finished));
}

RunStateHeader get_header(ByteReader& in) {
  RunStateHeader header;
  header.version = in.get<CheckpointVersion>();
  require_bytes(header.version >= CheckpointVersion::initial, "the version is 0");
  require_bytes(header.version <= CheckpointVersion::latest,
                "it was written by a newer version of atoll");
  require_bytes(header.version >= CheckpointVersion::sections,
                "it was written by an older version of atoll, which searched otherwise");
  header.experiment = get_hash(in);
  header.dataset = get_hash(in);
  header.generation = in.get<std::uint32_t>();
  header.seconds = in.get<double>();
  require_bytes(std::isfinite(header.seconds) && header.seconds >= 0,
                "the time spent is no number");
  header.jobs = in.get<std::uint32_t>();
  header.finished = in.get_flag();
  return header;
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && text.size() <= longest_name &&
         std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

std::span<const std::byte> RunState::section(std::string_view name, std::uint32_t version) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.name == name; });
  if (found == sections.end()) throw BadBytes("the section " + std::string(name) + " is missing");
  if (found->version != version) {
    throw BadBytes("the section " + std::string(name) + " is of another version of atoll");
  }
  return found->bytes;
}

Bytes encode(const RunState& state) {
  ByteWriter out;
  put(out, state.header);
  out.put(static_cast<std::uint64_t>(state.sections.size()));
  for (const Section& section : state.sections) {
    out.put_text(section.name);
    out.put(section.version);
    out.put_all(std::span<const std::byte>(section.bytes));
  }
  return std::move(out).take();
}

RunState decode_run_state(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  RunState state;
  state.header = get_header(in);
  std::set<std::string> names;
  for (std::size_t left = in.get_count(least_section_bytes); left > 0; --left) {
    Section section;
    section.name = in.get_text();
    require_bytes(is_name(section.name), "a section has no proper name");
    require_bytes(names.insert(section.name).second, "two sections have the same name");
    section.version = in.get<std::uint32_t>();
    section.bytes = in.get_all<std::byte>();
    state.sections.push_back(std::move(section));
  }
  in.expect_end();
  return state;
}

}  // namespace atl
