#include "io/hdf5/data_file.hpp"

#include <utility>

#include "io/hdf5/dataset_tables.hpp"
#include "src/data/transactions/item_attribute.hpp"

namespace atl::io {

DataKind kind_of(const Hdf5Reader& file) {
  return holds_transactions(file) ? DataKind::transactions : DataKind::table;
}

Hdf5Reader open_data(const std::string& path, const Folder* folder) {
  Hdf5Names names = dataset_names();
  const Hdf5Names others = transaction_names();
  names.attributes.insert(names.attributes.end(), others.attributes.begin(),
                          others.attributes.end());
  names.datasets.insert(names.datasets.end(), others.datasets.begin(), others.datasets.end());
  return {open_input(path, folder), names};
}

DatasetSummary read_data_summary(const std::string& path, const Folder* folder) {
  const Hdf5Reader file = open_data(path, folder);
  if (!holds_transactions(file)) return read_tables(file);
  TransactionSummary summary = read_transaction_summary(file);
  DatasetSummary table;
  table.rows = summary.transactions;
  table.partition_rows = summary.partition_transactions;
  table.fingerprint = summary.fingerprint;
  table.of_transactions = true;
  table.attributes.reserve(summary.names.size());
  for (std::size_t i = 0; i < summary.names.size(); ++i) {
    table.attributes.push_back(
        item_attribute(std::move(summary.names[i]), summary.supports[i], summary.transactions));
  }
  return table;
}

}  // namespace atl::io
