#include "src/run/transaction_import.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/hdf5/transaction_file.hpp"
#include "io/transactions/probability_reader.hpp"
#include "src/core/near_names.hpp"
#include "src/run/temporary_folder.hpp"

namespace atl {

TransactionSet import_transactions(const io::TextInput& input, const TransactionImport& options,
                                   const Report& report) {
  const TemporaryFolder folder;
  std::optional<io::TextInput> probabilities;  // its absence is told before much is read
  if (!options.probabilities.empty()) {
    probabilities.emplace(options.probabilities, folder.folder().path());
  }
  TransactionSet transactions = read_transaction_text(input, options.form, report);
  if (probabilities) {
    std::vector<double> likely =
        io::read_probabilities(probabilities->open(), probabilities->name(), transactions.size());
    transactions = std::move(transactions).with_probabilities(std::move(likely));
  }
  io::write_transactions(options.output, transactions, options.partition_rows, options.folder,
                         options.before_output);
  return transactions;
}

std::string in_words(const TransactionSet& transactions) {
  return fmt::format("{}, {}, {:.2f} items a transaction{}",
                     counted(transactions.size(), "transaction"),
                     counted(transactions.item_count(), "item"),
                     static_cast<double>(transactions.entries()) / transactions.size(),
                     transactions.probabilities().empty() ? "" : ", with probabilities");
}

}  // namespace atl
