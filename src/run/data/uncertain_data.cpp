#include "src/run/data/uncertain_data.hpp"

#include <optional>
#include <utility>

#include "io/transactions/probability_reader.hpp"
#include "src/core/error.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {

TransactionSet read_uncertain_transactions(const std::string& data, const TransactionForm& form,
                                           const std::string& probabilities, const Report& report) {
  std::optional<io::TextInput> likely;  // its absence is told before much is read
  if (!probabilities.empty()) likely.emplace(probabilities, temporary_place());
  TransactionSet transactions = read_transactions(data, form, report);
  if (likely) {
    if (!transactions.probabilities().empty()) {
      throw UsageError(data + " holds probabilities itself: leave --probabilities out");
    }
    return std::move(transactions)
        .with_probabilities(
            io::read_probabilities(likely->open(), likely->name(), transactions.size()));
  }
  if (transactions.probabilities().empty()) {
    report(Severity::warning,
           data +
               " has no probabilities: each transaction is taken for certain (--probabilities "
               "FILE, or --probability-column NAME of a table)");
  }
  return transactions;
}

TransactionSet read_certain_transactions(const std::string& data, const TransactionForm& form,
                                         const Report& report) {
  TransactionSet transactions = read_transactions(data, form, report);
  if (transactions.probabilities().empty()) return transactions;
  report(Severity::info, data +
                             ": its probabilities are left out, as only --algorithm "
                             "probabilistic heeds them");
  return std::move(transactions).without_probabilities();
}

}  // namespace atl
