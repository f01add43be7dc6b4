#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/h5_tables.hpp"
#include "io/hdf5/trailer.hpp"
#include "io/hdf5/transaction_writer.hpp"
#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "src/rules/item_text.hpp"
#include "tests/io/dataset_fixture.hpp"

namespace atl::test {
namespace {

TransactionSet transactions(std::uint32_t size, bool probabilities = false) {
  std::vector<std::string> names;
  for (const char* name : {"bread", "red wine", "=", "\"", "\xC3\xA4pfel", "a\nb"}) {
    names.push_back(item_text(name));
  }
  RandomStream stream({.seed = size});
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  std::vector<double> likely;
  for (std::uint32_t t = 0; t < size; ++t) {
    for (std::uint32_t item = 0; item + 1 < names.size(); ++item) {
      if (stream.below(3) == 0) items.push_back(item);
    }
    starts.push_back(items.size());
    likely.push_back(1 - stream.next_double());
  }
  TransactionSet set(std::move(names), std::move(starts), std::move(items));
  return probabilities ? std::move(set).with_probabilities(std::move(likely)) : std::move(set);
}

void write(const std::string& path, const TransactionSet& set, std::uint32_t partition) {
  io::TransactionWriter writer(
      path,
      {set.names(), {set.supports().begin(), set.supports().end()}, set.size(), set.entries()},
      partition);
  for (std::uint32_t t = 0; t < set.size(); ++t) writer.add(set.transaction(t));
  writer.finish(set.probabilities());
}

class TransactionFile : public testing::Test {
 protected:
  io::StoredTransactions read() const { return io::read_transactions(io::open_data(path_)); }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "t.h5";
};

TEST_F(TransactionFile, holds_what_was_written) {
  for (const std::uint32_t size : {1U, 4095U, 4096U, 4097U, 9000U}) {
    for (const bool probabilities : {false, true}) {
      const TransactionSet written = transactions(size, probabilities);
      write(path_, written, 4096);
      const io::StoredTransactions stored = read();
      const TransactionSet& set = stored.transactions;
      EXPECT_EQ(set.names(), written.names());
      EXPECT_EQ(set.supports(), written.supports());
      EXPECT_EQ(set.probabilities(), written.probabilities());
      ASSERT_EQ(set.size(), size);
      for (std::uint32_t t = 0; t < size; ++t) {
        const auto its = set.transaction(t);
        const auto expected = written.transaction(t);
        ASSERT_TRUE(std::equal(its.begin(), its.end(), expected.begin(), expected.end()));
      }
      const io::DatasetSummary summary = io::read_data_summary(path_);
      EXPECT_TRUE(summary.of_transactions);
      EXPECT_EQ(summary.rows, size);
      EXPECT_EQ(summary.fingerprint, stored.fingerprint);
      ASSERT_EQ(summary.attributes.size(), 6U);
      EXPECT_EQ(summary.attributes[1].name, "red wine");
      EXPECT_EQ(summary.attributes[1].counts,
                (std::vector<std::uint64_t>{size - set.supports()[1], set.supports()[1]}));
    }
  }
}

TEST_F(TransactionFile, equal_transactions_make_equal_bytes) {
  write(path_, transactions(5000, true), 4096);
  const std::string first = slurp(path_);
  write(folder_ / "again.h5", transactions(5000, true), 4096);
  EXPECT_EQ(slurp(folder_ / "again.h5"), first);
  const Fingerprint fingerprint = read().fingerprint;
  write(path_, transactions(5000, true), 8192);
  EXPECT_EQ(read().fingerprint, fingerprint) << "partitions are no content";
  write(path_, transactions(5000, false), 4096);
  EXPECT_NE(read().fingerprint, fingerprint);
  const Fingerprint without = read().fingerprint;
  write(path_, transactions(5001, false), 4096);
  EXPECT_NE(read().fingerprint, without);
}

TEST_F(TransactionFile, no_items_at_all) {
  write(path_, TransactionSet({}, {0, 0, 0}, {}), 4096);
  EXPECT_EQ(read().transactions.size(), 2U);
  EXPECT_EQ(read().transactions.item_count(), 0U);
  EXPECT_THROW(write(path_, TransactionSet({}, {0}, {}), 4096), BadData);
}

TEST_F(TransactionFile, other_files_of_ours_are_told_apart) {
  write(path_, transactions(10), 4096);
  EXPECT_THROW(io::read_summary(path_), BadData);
  EXPECT_THROW(io::read_dataset(path_, {}), BadData);
  write_table(path_, make_table(100, 1), 4096);
  EXPECT_THROW(read(), BadData);
}

/// Transactions 0 1, 1, none, 0 as a file has them.
struct Content {
  std::uint64_t version = 1, transactions = 4, partition = 4096;
  std::string fingerprint = std::string(32, '0');
  std::vector<std::string> names = {"a", "b"};
  std::vector<std::uint64_t> supports = {2, 2}, begins = {0};
  std::vector<std::uint32_t> lengths = {2, 1, 0, 1}, items = {0, 1, 1, 0};
  std::optional<std::vector<double>> probabilities = {};
};

class Contradictions : public TransactionFile {
 protected:
  std::string refusal(const std::function<void(Content&)>& spoil) const {
    Content content;
    spoil(content);
    io::AtomicFile output(path_);
    io::Hdf5Writer file;
    file.put("format", "atoll.transactions");
    file.put("version", content.version);
    file.put("transactions", content.transactions);
    file.put("partition_transactions", content.partition);
    file.put("fingerprint", content.fingerprint);
    for (const char* group : {"items", "partitions", "transactions"}) file.create_group(group);
    io::write_texts(file, "items/name", content.names);
    file.write<std::uint64_t>("items/support", content.supports);
    file.write<std::uint64_t>("partitions/begin", content.begins);
    file.write<std::uint32_t>("transactions/length", content.lengths);
    file.write<std::uint32_t>("transactions/item", content.items);
    if (content.probabilities) {
      file.write<double>("transactions/probability", *content.probabilities);
    }
    file.finish(output);
    io::append_trailer(output);
    output.commit();
    try {
      (void)read();
    } catch (const BadData& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find(path_ + ": "), 0U);
      return what.substr(path_.size() + 2);
    }
    return "";
  }
  void expect(const std::string& says, const std::function<void(Content&)>& spoil) const {
    const std::string said = refusal(spoil);
    EXPECT_NE(said.find(says), std::string::npos) << said << "\n" << says;
  }
};

TEST_F(Contradictions, are_found) {
  expect("the fingerprint is not", [](Content&) {});
  // Computed from io/FORMAT.md in Python.
  EXPECT_EQ(refusal([](Content& c) { c.fingerprint = "a12f722ffc137ceb5f0ba9b9bf01af9f"; }), "");
  expect("is newer", [](Content& c) { c.version = 2; });
  expect("no transactions", [](Content& c) { c.transactions = 0; });
  expect("or too many", [](Content& c) { c.transactions = 0xFFFFFFFF; });
  expect("one number for each transaction", [](Content& c) { c.transactions = 5; });
  expect("partition_transactions", [](Content& c) { c.partition = 100; });
  expect("32 hexadecimal", [](Content& c) { c.fingerprint = "x"; });
  expect("no name", [](Content& c) { c.names = {"a", ""}; });
  expect("same name", [](Content& c) { c.names = {"a", "a"}; });
  expect("UTF-8", [](Content& c) { c.names = {"a", "\xff"}; });
  expect("/items/support has not", [](Content& c) { c.names = {"a"}; });
  expect("more transactions than there are", [](Content& c) { c.supports = {5, 2}; });
  expect("add up", [](Content& c) { c.supports = {2, 1}; });
  expect("not what the transactions have", [](Content& c) { c.supports = {3, 1}; });
  expect("add up", [](Content& c) { c.lengths = {2, 1, 0xFFFFFFFF, 1}; });
  expect("/partitions/begin", [](Content& c) { c.begins = {1}; });
  expect("/partitions/begin", [](Content& c) { c.begins = {0, 4}; });
  expect("that the lengths ask for", [](Content& c) { c.items = {0, 1, 1}; });
  expect("transaction 1 are unknown or", [](Content& c) { c.items = {1, 0, 1, 0}; });
  expect("transaction 1 are unknown or", [](Content& c) { c.items = {0, 0, 1, 1}; });
  expect("transaction 4 are unknown or", [](Content& c) { c.items = {0, 1, 1, 2}; });
  for (const double wrong : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    expect("/transactions/probability", [&](Content& c) { c.probabilities = {{1, wrong, 1, 1}}; });
  }
  expect("/transactions/probability", [](Content& c) { c.probabilities = {{1, 1}}; });
}

TEST_F(TransactionFile, any_flipped_bit_is_found) {
  write(path_, transactions(300, true), 4096);
  const std::string good = slurp(path_);
  RandomStream stream({.seed = 5});
  for (int i = 0; i < 100; ++i) {
    std::string damaged = good;
    char& byte = damaged[stream.below(good.size())];
    byte = static_cast<char>(byte ^ (1 << stream.below(8)));
    spill(path_, damaged);
    EXPECT_THROW(read(), BadData);
    spill(path_, good.substr(0, stream.below(good.size())));
    EXPECT_THROW(read(), BadData);
  }
}

}  // namespace
}  // namespace atl::test
