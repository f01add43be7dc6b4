#include "src/run/lists/kept_folds.hpp"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/files/folder.hpp"

namespace atl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Says what the folds are of.
constexpr const char* description_name = "cross-validation.json";

std::string fold_name(std::uint32_t repeat, std::uint32_t fold) {
  return fmt::format("fold-{}-{}.json", repeat + 1, fold + 1);
}

std::string description(const FoldsOf& of) {
  const Json json = {{"experiment", of.experiment},
                     {"dataset", of.dataset},
                     {"folds", of.folds},
                     {"version", of.version}};
  return json.dump(2) + "\n";
}

}  // namespace

std::string to_json(const FoldResult& result) {
  Json json = {{"repeat", result.repeat + 1}, {"fold", result.fold + 1},
               {"rules", result.rules},       {"comparisons", result.comparisons},
               {"seconds", result.seconds},   {"confusion", Json::array()}};
  for (std::size_t actual = 0; actual < result.matrix.classes(); ++actual) {
    Json row = Json::array();
    for (std::size_t predicted = 0; predicted < result.matrix.classes(); ++predicted) {
      row.push_back(result.matrix.at(actual, predicted));
    }
    json["confusion"].push_back(std::move(row));
  }
  return json.dump() + "\n";
}

FoldResult parse_fold(const std::string& json, const std::string& file, std::size_t classes) {
  try {
    const Json record = Json::parse(json);
    FoldResult result;
    result.repeat = record.at("repeat").get<std::uint32_t>() - 1;
    result.fold = record.at("fold").get<std::uint32_t>() - 1;
    record.at("rules").get_to(result.rules);
    record.at("comparisons").get_to(result.comparisons);
    record.at("seconds").get_to(result.seconds);
    const auto matrix = record.at("confusion").get<std::vector<std::vector<std::uint64_t>>>();
    if (matrix.size() != classes) throw std::out_of_range("classes");
    result.matrix = ConfusionMatrix(classes);
    for (std::size_t actual = 0; actual < classes; ++actual) {
      if (matrix[actual].size() != classes) throw std::out_of_range("classes");
      for (std::size_t predicted = 0; predicted < classes; ++predicted) {
        result.matrix.add(actual, predicted, matrix.at(actual).at(predicted));
      }
    }
    return result;
  } catch (const std::exception&) {
    throw BadData(file, "is damaged; remove it, and its fold is learnt again");
  }
}

void prepare_folds(const std::string& folder, const FoldsOf& of) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw CannotCreate(folder, error.message());
  const io::Folder there(folder, io::Access::write);
  if (there.has(description_name)) {
    if (io::read_file(there, description_name) == description(of)) return;
    throw UsageError(
        printable(folder, 200) + ": holds the folds of a cross-validation of other " +
        "data, of other options or of another version of atoll: choose another folder");
  }
  if (!there.names().empty()) {
    throw UsageError(printable(folder, 200) +
                     ": is there already, without a cross-validation to go on with");
  }
  io::write_file(there, description_name, description(of));
}

std::optional<FoldResult> read_fold(const std::string& folder, std::uint32_t repeat,
                                    std::uint32_t fold, std::size_t classes) {
  const io::Folder there(folder, io::Access::write);
  const std::string name = fold_name(repeat, fold);
  if (!there.has(name)) return std::nullopt;
  const FoldResult result = parse_fold(io::read_file(there, name), there.path_of(name), classes);
  if (result.repeat != repeat || result.fold != fold) {
    throw BadData(there.path_of(name), "holds another fold; remove it");
  }
  return result;
}

void write_fold(const std::string& folder, const FoldResult& result) {
  io::write_file(io::Folder(folder, io::Access::write), fold_name(result.repeat, result.fold),
                 to_json(result));
}

}  // namespace atl
