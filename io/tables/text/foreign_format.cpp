#include "io/tables/text/foreign_format.hpp"

#include <algorithm>
#include <cstddef>

#include "io/tables/text/foreign_text.hpp"

namespace atl::io {
namespace {

constexpr const char* from_parquet =
    "in pandas: pd.read_parquet(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_feather =
    "in pandas: pd.read_feather(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_orc = "in pandas: pd.read_orc(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_stream =
    "in Python: pyarrow.ipc.open_stream(FILE).read_pandas().to_csv('data.csv', index=False)";
constexpr const char* from_excel =
    "save the sheet as CSV, or in pandas: pd.read_excel(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_numpy =
    "in Python: numpy.savetxt('data.csv', numpy.load(FILE), delimiter=',')";
constexpr const char* from_joblib =
    "in pandas, if you trust it: pd.DataFrame(joblib.load(FILE)).to_csv('data.csv', index=False)";
constexpr const char* from_stata = "in pandas: pd.read_stata(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_spss = "in pandas: pd.read_spss(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_sas = "in pandas: pd.read_sas(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_r = "in R: write.csv(readRDS(FILE), 'data.csv', row.names = FALSE)";
constexpr const char* from_r_data =
    "in R: load(FILE), then write.csv(TABLE, 'data.csv', row.names = FALSE)";
constexpr const char* from_database = "write the table as CSV";
constexpr const char* save_as_csv = "write it as CSV";
constexpr const char* unpack = "unpack it; gzip, xz, zstd and bzip2 are read as they are";

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
    {"PAR1"sv, "a Parquet file", from_parquet},
    {"PARE"sv, "an encrypted Parquet file", save_as_csv},
    {"ARROW1\0"sv, "an Arrow (Feather) file", from_feather},
    {"FEA1"sv, "a Feather file", from_feather},
    {"ORC"sv, "an ORC file", from_orc},
    {"Obj\x01"sv, "an Avro file", save_as_csv},
    {"\x93NUMPY"sv, "a NumPy file", from_numpy},
    {"PK\x05\x06"sv, "an empty zip archive", no_table},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an Excel workbook of the old kind (.xls)", from_excel},
    {"SQLite format 3\0"sv, "an SQLite database", from_database},
    {"\x04\x22\x4D\x18"sv, "compressed with lz4", unpack},
    {"\xFF\x06\0\0sNaPpY"sv, "compressed with snappy", unpack},
    {"\x28\xB5\x2F\xFD"sv, "compressed twice", unpack},
    {"BZh"sv, "compressed twice", unpack},
    {"\x1F\x8B"sv, "compressed twice", unpack},
    {"\xFD"
     "7zXZ\0"sv,
     "compressed twice", unpack},
    {"\x1F\x9D"sv, "compressed with compress", unpack},
    {"LZIP"sv, "compressed with lzip", unpack},
    {"\x5D\0\0"sv, "compressed with lzma", unpack},
    {"\x78\x01"sv, "compressed with zlib, as joblib does", from_joblib},
    {"\x78\x5E"sv, "compressed with zlib, as joblib does", from_joblib},
    {"\x78\x9C"sv, "compressed with zlib, as joblib does", from_joblib},
    {"\x78\xDA"sv, "compressed with zlib, as joblib does", from_joblib},
    {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", unpack},
    {"Rar!\x1A\x07"sv, "a RAR archive", unpack},
    {"ustar"sv, "a tar archive", unpack, 257},
    {"%PDF-"sv, "a PDF document", no_table},
    {"<stata_dta>"sv, "a Stata file", from_stata},
    {"q\x02\x01\0"sv, "a Stata file", from_stata},  // versions 113 to 115
    {"r\x02\x01\0"sv, "a Stata file", from_stata},
    {"s\x02\x01\0"sv, "a Stata file", from_stata},
    {"$FL2"sv, "an SPSS file", from_spss},
    {"$FL3"sv, "an SPSS file", from_spss},
    {"\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08\0"sv, "a SAS file", from_sas, 12},
    {"HEADER RECORD*******LIBRARY"sv, "a SAS transport file", from_sas},
    {"MATLAB 5.0 MAT-file"sv, "a MATLAB file", save_as_csv},
    {"RDX2\n"sv, "a file of R", from_r_data},
    {"RDX3\n"sv, "a file of R", from_r_data},
    {"X\n\0\0\0"sv, "a file of R", from_r},
    {"\x80\x02"sv, "a pickle of Python", from_pickle},
    {"\x80\x03"sv, "a pickle of Python", from_pickle},
    {"\x80\x04"sv, "a pickle of Python", from_pickle},
    {"\x80\x05"sv, "a pickle of Python", from_pickle},
    {"ccopy_reg\n"sv, "a pickle of Python", from_pickle},
    {"ccopyreg\n"sv, "a pickle of Python", from_pickle},
    {"cpandas."sv, "a pickle of Python", from_pickle},
    {"cnumpy."sv, "a pickle of Python", from_pickle},
    {"}q\0"sv, "a pickle of Python", from_pickle},
    {"]q\0"sv, "a pickle of Python", from_pickle},
    {"\x7F"
     "ELF"sv,
     "a program", no_table},
    {"\x89PNG"sv, "an image", no_table},
    {"\xFF\xD8\xFF"sv, "an image", no_table},
    {"GIF8"sv, "an image", no_table}};

/// In whatever encoding. Text may begin like some of them: a column may have the name PAR1.
bool is_text(std::string_view start) {
  return std::none_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

/// An Arrow stream begins with a mark and the size of its schema, a multiple of 8.
bool is_arrow_stream(std::string_view bytes) {
  if (!bytes.starts_with("\xFF\xFF\xFF\xFF"sv) || bytes.size() < 8) return false;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  return byte(4) % 8 == 0 && (byte(4) > 0 || byte(5) > 0 || byte(6) > 0) && byte(7) == 0;
}

constexpr std::string_view zip_entry = "PK\x03\x04";
constexpr std::size_t name_in_entry = 30;

/// Names of the entries of a zip archive whose beginnings are among the bytes, with what follows.
Format zip_format(std::string_view bytes) {
  const Format archive = {zip_entry, "a zip archive",
                          "unpack it, for instance: unzip -p FILE | atoll ... -"};
  const Format workbook = {zip_entry, "an Excel workbook", from_excel};
  bool may_be_workbook = false;
  for (std::size_t at = 0; at != std::string_view::npos; at = bytes.find(zip_entry, at + 1)) {
    const std::string_view name = bytes.substr(std::min(at + name_in_entry, bytes.size()));
    const std::size_t length =
        at + name_in_entry < bytes.size() ? static_cast<unsigned char>(bytes[at + 26]) : 0;
    if (name.starts_with("xl/")) return workbook;
    if (name.starts_with("word/")) return {zip_entry, "a Word document", no_table};
    if (name.starts_with("ppt/")) return {zip_entry, "a PowerPoint document", no_table};
    if (name.starts_with("mimetypeapplication/vnd.oasis.opendocument") ||
        name.starts_with("META-INF/manifest.xml")) {
      return {zip_entry, "an OpenDocument file", from_excel};
    }
    if (name.substr(0, length).ends_with(".npy")) {
      return {zip_entry, "a NumPy archive (.npz)",
              "in Python: numpy.savetxt('data.csv', numpy.load(FILE)[NAME], delimiter=',')"};
    }
    may_be_workbook = may_be_workbook || name.starts_with("[Content_Types].xml");
  }
  return may_be_workbook ? workbook : archive;
}

std::string in_words(const char* name, const char* advice) {
  return std::string(name) + ", expected a text table; " + advice;
}

}  // namespace

std::optional<std::string> foreign_format(std::string_view bytes, std::string_view text,
                                          bool json) {
  if (is_text(text)) {
    const auto found = foreign_text(text, json);
    if (found) return in_words(found->name, found->advice);
    return {};
  }
  if (bytes.starts_with(zip_entry)) {
    const Format found = zip_format(bytes);
    return in_words(found.name, found.advice);
  }
  if (is_arrow_stream(bytes)) return in_words("an Arrow stream", from_stream);
  for (const Format& format : formats) {
    if (bytes.size() < format.at || !bytes.substr(format.at).starts_with(format.magic)) continue;
    return in_words(format.name, format.advice);
  }
  return {};
}

}  // namespace atl::io
