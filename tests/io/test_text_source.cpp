#include <sys/stat.h>
#include <unistd.h>

#include <lzma.h>
#include <zlib.h>

#include "io/tables/text_buffer.hpp"
#include "io/tables/text_source.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

class Source : public FolderTest {
 protected:
  std::string read(const std::string& file) {
    const TextInput input(file, folder);
    const auto source = input.open();
    std::string text;
    char block[1000];
    while (const std::size_t got = source->read(block, sizeof block)) text.append(block, got);
    return text;
  }
  std::string long_text() {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 100003) + "\n";
    return text;
  }
};

TEST_F(Source, ReadsPlainAndCompressedTextByContentNotByName) {
  const std::string text = long_text();
  EXPECT_EQ(read(write("plain.gz", text)), text);
  EXPECT_EQ(read(write("a.csv", gzip(text))), text);
  EXPECT_EQ(read(write("b.csv", xz(text))), text);
}

TEST_F(Source, JoinsStreamsAndMembers) {
  EXPECT_EQ(read(write("a.gz", gzip("one\n") + gzip("two\n"))), "one\ntwo\n");
  EXPECT_EQ(read(write("a.xz", xz("one\n") + xz("two\n"))), "one\ntwo\n");
  const std::string padding(100'000, '\0');
  EXPECT_EQ(read(write("b.gz", gzip("one\n") + padding)), "one\n");
}

TEST_F(Source, CanBeOpenedSeveralTimesAtOnce) {
  const TextInput input(write("a.csv", "abc"), folder);
  const auto first = input.open();
  const auto second = input.open();
  char a[2], b[2];
  EXPECT_EQ(first->read(a, 2), 2U);
  EXPECT_EQ(second->read(b, 2), 2U);
  EXPECT_EQ(std::string(a, 2), std::string(b, 2));
}

TEST_F(Source, RefusesDamagedAndTruncatedCompression) {
  const std::string text = long_text();
  const std::string packed_gzip = gzip(text);
  const std::string packed_xz = xz(text);
  const auto failure = [&](const std::string& name, const std::string& content) {
    const std::string file = write(name, content);
    return message_of<BadData>([&] { read(file); }).substr(folder.size() + 1);
  };
  EXPECT_EQ(failure("a.gz", packed_gzip.substr(0, packed_gzip.size() / 2)),
            "a.gz: gzip data ends early, the file is truncated");
  EXPECT_EQ(failure("a.gz", packed_gzip.substr(0, 5)),
            "a.gz: gzip data ends early, the file is truncated");
  EXPECT_EQ(failure("a.gz", packed_gzip + "tail"), "a.gz: gzip data is damaged");
  const std::string padding(10, '\0');
  EXPECT_EQ(failure("a.gz", packed_gzip + padding + packed_gzip), "a.gz: gzip data is damaged");
  EXPECT_EQ(failure("a.xz", packed_xz.substr(0, packed_xz.size() / 2)),
            "a.xz: xz data ends early, the file is truncated");
  for (const std::size_t at : {packed_xz.size() / 2, packed_xz.size() - 20}) {
    std::string flipped = packed_xz;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    EXPECT_EQ(failure("a.xz", flipped), "a.xz: xz data is damaged") << at;
  }
  std::string flipped = packed_gzip;
  flipped[flipped.size() - 6] = static_cast<char>(flipped[flipped.size() - 6] ^ 0x10);
  EXPECT_EQ(failure("a.gz", flipped), "a.gz: gzip data is damaged");
}

TEST_F(Source, SaysWhyAnInputCannotBeRead) {
  const auto missing = [&](const std::string& file) {
    return message_of<MissingInput>([&] { TextInput(file, folder); });
  };
  EXPECT_EQ(missing(path("none.csv")), path("none.csv") + ": No such file or directory");
  EXPECT_EQ(missing(folder), folder + ": is a folder, expected a file");
  if (::geteuid() != 0) {
    const std::string file = write("closed.csv", "a\n1\n");
    ::chmod(file.c_str(), 0);
    EXPECT_EQ(missing(file), file + ": Permission denied");
  }
  const std::string empty = write("empty.csv", "");
  EXPECT_EQ(message_of<BadData>([&] { TextInput(empty, folder); }),
            empty + ": is empty, expected a text");
}

TEST_F(Source, SpoolsPipesAndLeavesNothingBehind) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::ofstream(pipe) << "a,b\n1,2\n";
    ::_exit(0);
  }
  const TextInput input(pipe, folder);
  for (int pass = 0; pass < 2; ++pass) {
    char text[100];
    const auto source = input.open();
    const std::size_t got = source->read(text, sizeof text);
    EXPECT_EQ(std::string(text, got), "a,b\n1,2\n");
    EXPECT_EQ(source->read(text, sizeof text), 0U);
  }
  const auto files = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "only the pipe";
  EXPECT_THROW(TextInput(pipe + "x", folder), MissingInput);
}

TEST(TextBuffer, EndsTheWindowBeforeAFault) {
  for (std::size_t piece = 1; piece < 80; piece += 13) {
    TextBuffer text(std::make_unique<StringSource>(std::string(70, 'x') + "\xC3\xA9\xC3(", piece),
                    1000);
    EXPECT_EQ(text.more(), MoreText::grown);
    EXPECT_EQ(std::string(text.begin(), text.end()), std::string(70, 'x') + "\xC3\xA9");
    EXPECT_EQ(text.more(), MoreText::fault);
    EXPECT_EQ(text.faulty_byte(), '\xC3');
  }
}

TEST(TextBuffer, GrowsUpToItsLimit) {
  TextBuffer text(std::make_unique<StringSource>(std::string(3000000, 'x')), 1000000);
  while (text.more() == MoreText::grown) {
  }
  EXPECT_EQ(text.more(), MoreText::full);
  EXPECT_LE(text.end() - text.begin(), 1000004);
  text.consume(text.end());
  EXPECT_EQ(text.more(), MoreText::grown);
}

}  // namespace
}  // namespace atl::io::test
