#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

#include "io/tables/columns/column_profile.hpp"
#include "io/tables/columns/token_map.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

void count(TokenMap& map, const std::string& token) {
  std::uint32_t id = map.find(token);
  if (id == TokenMap::none) id = map.add(token);
  map.count(id);
}

/// Tokens of 0 to 20 bytes, many of them prefixes of others.
std::string token_of(unsigned number) {
  return std::string("abababababababababab")
      .substr(0, number % 21)
      .append(number % 3 == 0 ? "" : std::to_string(number / 21));
}

TEST(TokenMap, CountsLikeAMapWhateverTheTokensLengths) {
  EXPECT_TRUE(rc::check([](const std::vector<unsigned>& numbers) {
    TokenMap map;
    Counts expected;
    for (const unsigned number : numbers) {
      count(map, token_of(number));
      ++expected[token_of(number)];
    }
    Counts counted;
    std::string last;
    for (const std::uint32_t id : map.sorted()) {
      counted[std::string(map.text(id))] = map.rows(id);
    }
    RC_ASSERT(counted == expected);
    RC_ASSERT(map.size() == expected.size());
  }));
}

TEST(TokenMap, TellsApartTokensOfDigitsAndSigns) {
  TokenMap map;
  std::vector<std::string> tokens;
  // Each differs in one byte from one before it, or in zeros and signs at its ends.
  for (std::size_t size = 0; size <= 18; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'*', '+', ',', '-', '.', '/', '1', '9', ':', ';', 'e', '\x80'}) {
        std::string token(size, '0');
        token[at] = c;
        tokens.push_back(token);
      }
    }
    tokens.emplace_back(size, '+');
    tokens.emplace_back(size + 1, '0');
  }
  std::set<std::string> once;
  for (const std::string& token : tokens) {
    const std::uint32_t id = map.find(token);
    EXPECT_EQ(id == TokenMap::none, once.insert(token).second) << token;
    if (id == TokenMap::none) map.add(token);
  }
  for (const std::string& token : tokens) EXPECT_EQ(map.text(map.find(token)), token);
}

TEST(TokenMap, VisitsEachTokenWithItsKeyHoweverFewItHolds) {
  TokenMap map;
  std::vector<std::string> texts;
  for (unsigned i = 0; i < 100; ++i) texts.push_back(std::to_string(i * i * i * 1001));
  std::vector<std::string_view> fields;
  for (const std::string& text : texts) fields.insert(fields.end(), {text, "other column"});
  for (unsigned pass = 0; pass < 3; ++pass) {
    const std::size_t count = pass < 2 ? 100 : 67;  // the last has fewer than the map
    std::size_t next = 0;
    visit_keys(map, fields.data(), 2, count, [&](std::uint64_t key, std::string_view token) {
      EXPECT_EQ(token, texts[next]);
      EXPECT_EQ(map.find(key, token), pass == 0 ? TokenMap::none : next);
      if (pass == 0) map.add(key, token);
      ++next;
    });
    EXPECT_EQ(next, count);
  }
}

TEST(TokenMap, NumbersTokensInTheOrderTheyCome) {
  TokenMap map;
  for (unsigned i = 0; i < 100000; ++i) EXPECT_EQ(map.add("token" + std::to_string(i)), i);
  for (unsigned i = 0; i < 100000; ++i) EXPECT_EQ(map.find("token" + std::to_string(i)), i);
  EXPECT_EQ(map.find(std::string("token")), TokenMap::none);
  EXPECT_EQ(map.find(std::string()), TokenMap::none);
}

TEST(TokenRuns, MergeToTheSumOfWhatWasSpilled) {
  TemporaryFile file(std::filesystem::temp_directory_path().string());
  TokenRuns runs;
  TokenRuns others;
  Counts expected;
  for (unsigned run = 0; run < 7; ++run) {
    TokenMap map;
    for (unsigned i = 0; i < 3000; ++i) {
      std::string token = token_of(i * (run + 1));
      if (i % 1000 == 0) token.append(40000, 'z');  // longer than a reader's buffer
      count(map, token);
      ++expected[token];
    }
    runs.spill(map, file);
    EXPECT_EQ(map.size(), 0U);
    count(map, "of another column");
    others.spill(map, file);
  }
  Counts merged;
  std::string last;
  runs.merge(file, [&](std::string_view token, std::uint64_t rows) {
    EXPECT_TRUE(merged.empty() || last < token);
    last = token;
    merged.emplace(token, rows);
  });
  EXPECT_EQ(merged, expected);
}

}  // namespace
}  // namespace atl::io::test
