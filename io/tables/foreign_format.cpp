#include "io/tables/foreign_format.hpp"

#include <algorithm>

#include "src/core/utf8.hpp"

namespace atl::io {
namespace {

constexpr const char* save_as_csv = "write it as CSV";
constexpr const char* save_sheet = "save the sheet as CSV";
constexpr const char* unpack = "unpack it; gzip and xz are read as they are";
constexpr const char* no_table = "name a table of CSV, ARFF or KEEL";

struct Format {
  std::string_view magic;
  const char* name;
  const char* advice;
  std::size_t at = 0;
};

using namespace std::string_view_literals;

// The first that fits.
constexpr Format formats[] = {
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file",
     "a dataset is given by its name, not compressed or through a pipe"},
    {"PAR1"sv, "a Parquet file", save_as_csv},
    {"PARE"sv, "an encrypted Parquet file", save_as_csv},
    {"ARROW1\0"sv, "an Arrow (Feather) file", save_as_csv},
    {"FEA1"sv, "a Feather file", save_as_csv},
    {"ORC"sv, "an ORC file", save_as_csv},
    {"Obj\x01"sv, "an Avro file", save_as_csv},
    {"\x93NUMPY"sv, "a NumPy file", save_as_csv},
    {"[Content_Types].xml"sv, "an Excel workbook", save_sheet, 30},
    {"mimetypeapplication/vnd.oasis.opendocument"sv, "an OpenDocument file", save_sheet, 30},
    {"PK\x03\x04"sv, "a zip archive, as Excel's .xlsx and NumPy's .npz are",
     "save the sheet as CSV, or unpack the archive"},
    {"PK\x05\x06"sv, "an empty zip archive", no_table},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an Excel workbook of the old kind (.xls)", save_sheet},
    {"SQLite format 3\0"sv, "an SQLite database", "write the table as CSV"},
    {"\x28\xB5\x2F\xFD"sv, "compressed with zstd", unpack},
    {"BZh"sv, "compressed with bzip2", unpack},
    {"\x04\x22\x4D\x18"sv, "compressed with lz4", unpack},
    {"\x1F\x8B"sv, "compressed twice", unpack},
    {"\xFD"
     "7zXZ\0"sv,
     "compressed twice", unpack},
    {"\x1F\x9D"sv, "compressed with compress", unpack},
    {"\x5D\0\0"sv, "compressed with lzma", unpack},
    {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", unpack},
    {"Rar!\x1A\x07"sv, "a RAR archive", unpack},
    {"ustar"sv, "a tar archive", unpack, 257},
    {"%PDF-"sv, "a PDF document", no_table},
    {"<stata_dta>"sv, "a Stata file", save_as_csv},
    {"$FL2"sv, "an SPSS file", save_as_csv},
    {"$FL3"sv, "an SPSS file", save_as_csv},
    {"MATLAB 5.0 MAT-file"sv, "a MATLAB file", save_as_csv},
    {"RDX2\n"sv, "a file of R", save_as_csv},
    {"RDX3\n"sv, "a file of R", save_as_csv},
    {"X\n\0\0\0"sv, "a file of R", save_as_csv},
    {"\x80\x02"sv, "a pickle of Python", save_as_csv},
    {"\x80\x03"sv, "a pickle of Python", save_as_csv},
    {"\x80\x04\x95"sv, "a pickle of Python", save_as_csv},
    {"\x80\x05\x95"sv, "a pickle of Python", save_as_csv},
    {"\x7F"
     "ELF"sv,
     "a program", no_table},
    {"\x89PNG"sv, "an image", no_table},
    {"\xFF\xD8\xFF"sv, "an image", no_table},
    {"GIF8"sv, "an image", no_table}};

/// Text may begin like some of them: a column may have the name PAR1.
bool is_text(std::string_view start) {
  // The last sequence may be cut off.
  if (first_invalid_utf8(start) + 4 <= start.size()) return false;
  return std::none_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

}  // namespace

std::optional<std::string> foreign_format(std::string_view start) {
  const bool text = is_text(start);
  for (const Format& format : formats) {
    if (text && format.magic != "%PDF-") continue;
    if (start.size() < format.at || !start.substr(format.at).starts_with(format.magic)) continue;
    return std::string(format.name) + ", expected a text table; " + format.advice;
  }
  return {};
}

}  // namespace atl::io
