#include <bzlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <lzma.h>
#include <zlib.h>

#include "io/tables/text/text_buffer.hpp"
#include "io/tables/text/text_source.hpp"
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

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  // With a checksum of the text, as the program of that name writes.
  ZSTD_CCtx* const encoder = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(encoder, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(encoder, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(encoder);
  return out;
}

std::string bzip2(const std::string& text) {
  std::string out(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                           static_cast<unsigned>(text.size()), 9, 0, 0);
  out.resize(size);
  return out;
}

class Source : public FolderTest {
 protected:
  std::string read(const std::string& file, const std::string& encoding = {}) {
    const TextInput input(file, folder, encoding);
    input.tell(report());
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
  EXPECT_EQ(read(write("c.csv", zstd(text))), text);
  EXPECT_EQ(read(write("d.csv", bzip2(text))), text);
  EXPECT_EQ(read(write("e.csv", zstd(""))), "");
  EXPECT_EQ(read(write("e.csv", bzip2(""))), "");
  EXPECT_EQ(read(write("f.csv", "BZh9,b\n1,2\n")), "BZh9,b\n1,2\n");
}

TEST_F(Source, JoinsStreamsAndMembers) {
  EXPECT_EQ(read(write("a.gz", gzip("one\n") + gzip("two\n"))), "one\ntwo\n");
  EXPECT_EQ(read(write("a.xz", xz("one\n") + xz("two\n"))), "one\ntwo\n");
  EXPECT_EQ(read(write("a.zst", zstd("one\n") + zstd(long_text()) + zstd("") + zstd("two\n"))),
            "one\n" + long_text() + "two\n");
  EXPECT_EQ(read(write("a.bz2", bzip2("one\n") + bzip2(long_text()) + bzip2("two\n"))),
            "one\n" + long_text() + "two\n");
  const std::string skipped("\x50\x2A\x4D\x18\x04\0\0\0abcd", 12);
  EXPECT_EQ(read(write("b.zst", skipped + zstd("one\n") + skipped)), "one\n");
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
  for (const auto& [name, packed] : {std::pair{"zstd", zstd(text)}, {"bzip2", bzip2(text)}}) {
    const std::string damaged = std::string("a: ") + name + " data is damaged";
    const std::string truncated =
        std::string("a: ") + name + " data ends early, the file is truncated";
    EXPECT_EQ(failure("a", packed.substr(0, packed.size() / 2)), truncated);
    EXPECT_EQ(failure("a", packed.substr(0, packed.size() - 1)), truncated);
    EXPECT_EQ(failure("a", packed.substr(0, 12)), truncated);
    EXPECT_EQ(failure("a", packed + packed.substr(0, 20)), truncated);
    EXPECT_EQ(failure("a", packed + "tail of others"), damaged);
    for (const std::size_t at : {packed.size() / 2, packed.size() - 2}) {
      std::string flipped = packed;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
      EXPECT_EQ(failure("a", flipped), damaged) << at;
    }
  }
  std::string flipped = packed_gzip;
  flipped[flipped.size() - 6] = static_cast<char>(flipped[flipped.size() - 6] ^ 0x10);
  EXPECT_EQ(failure("a.gz", flipped), "a.gz: gzip data is damaged");
}

/// The text in UTF-16, of letters below U+10000 other than those of three bytes.
std::string utf16(const std::string& text, bool little, bool mark) {
  std::string out;
  const auto add = [&](unsigned code) {
    const char high = static_cast<char>(code >> 8);
    const char low = static_cast<char>(code & 0xFF);
    out += little ? low : high;
    out += little ? high : low;
  };
  if (mark) add(0xFEFF);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    add(byte < 0x80 ? byte : (byte & 0x1FU) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3FU));
  }
  return out;
}

TEST_F(Source, ReadsUtf16ByItsMark) {
  const std::string text = "name\tcity\r\nZo\xC3\xAB\tK\xC3\xB6ln\r\n" + long_text();
  const std::string mark = "\xEF\xBB\xBF";  // which the readers pass over
  for (const bool little : {true, false}) {
    EXPECT_EQ(read(write("a.txt", utf16(text, little, true))), mark + text);
    EXPECT_EQ(read(write("a.txt", zstd(utf16(text, little, true)))), mark + text);
    EXPECT_EQ(read(write("a.txt", utf16(text, little, false)), little ? "utf-16le" : "utf-16be"),
              text);
    EXPECT_EQ(read(write("a.txt", utf16(text, little, false)), "utf-16"), text);
    EXPECT_EQ(read(write("a.txt", utf16(text, little, true)), "UTF16"), mark + text);
  }
  const std::string pair =
      "\xFF\xFE"
      "a" +
      std::string("\0\x3D\xD8\x00\xDE\n\0", 7);
  EXPECT_EQ(read(write("b.txt", pair)), mark + "a\xF0\x9F\x98\x80\n");
  EXPECT_TRUE(reports.empty());
}

TEST_F(Source, ReadsOtherEncodingsThatAreNamed) {
  const std::string text = "name\nZo\xC3\xAB\n";
  EXPECT_EQ(read(write("a.csv", "name\nZo\xEB\n"), "latin1"), text);
  EXPECT_EQ(read(write("a.csv", gzip("name\nZo\xEB\n")), "cp1252"), text);
  EXPECT_EQ(read(write("a.csv", "name\nZo\x91\n"), "macintosh"), text);
  EXPECT_EQ(read(write("a.csv", "\x96\xBC\n"), "shift_jis"), "\xE5\x90\x8D\n");
  EXPECT_EQ(read(write("a.csv", text), "utf8"), text);
  EXPECT_TRUE(reports.empty());
  EXPECT_EQ(read(write("a.csv", text), "latin1"), "name\nZo\xC3\x83\xC2\xAB\n");
  EXPECT_EQ(reports, std::vector<std::string>{"warning: " + path("a.csv") +
                                              ": is UTF-8 text, too; is --encoding latin1 right?"});
  std::string long_latin;
  std::string long_utf8;
  for (int i = 0; i < 100000; ++i) {
    long_latin += "\xEB\xFC\n";
    long_utf8 += "\xC3\xAB\xC3\xBC\n";
  }
  EXPECT_EQ(read(write("b.csv", long_latin), "latin1"), long_utf8);
}

TEST_F(Source, RefusesWhatIsNotInItsEncoding) {
  const auto failure = [&](const std::string& content, const std::string& encoding) {
    const std::string file = write("a", content);
    return message_of<BadData>([&] { read(file, encoding); }).substr(folder.size() + 1);
  };
  EXPECT_EQ(failure("a\nb\nxy\x81z\n", "cp1252"),
            "a:3:3: found '\\x81z\\x0a', expected text in cp1252, as --encoding says");
  EXPECT_EQ(failure("a\rb\rxy\x81z\r", "cp1252"),
            "a:3:3: found '\\x81z\\x0d', expected text in cp1252, as --encoding says");
  EXPECT_EQ(failure("a\nb\x96", "shift_jis"),
            "a:2:2: found '\\x96', expected text in shift_jis, as --encoding says");
  EXPECT_EQ(failure(utf16("a,b\n", true, true) + "1", {}),
            "a:2:1: found '1', expected text in UTF-16LE, as its byte order mark says");
  EXPECT_EQ(failure("a,b\n1,2\n", "utf-16"),
            "a: has no zero bytes, as text in UTF-16 has; expected --encoding as the text is, or "
            "none for UTF-8");
  EXPECT_EQ(failure(utf16("a,b\n1,2\n", true, false), "utf-16be"),
            "a: looks like UTF-16LE, but --encoding says utf-16be");
  EXPECT_EQ(failure(utf16("a,b\n1,2\n", true, true), "latin1"),
            "a: begins with the byte order mark of UTF-16LE, but --encoding says latin1");
  EXPECT_EQ(failure("\xEF\xBB\xBF"
                    "a,b\n",
                    "cp1252"),
            "a: begins with the byte order mark of UTF-8, but --encoding says cp1252");
  EXPECT_EQ(failure(utf16("a,b\n1,2\n", true, false), {}),
            "a:1:2: found '\\x00', expected UTF-8 text; it is likely UTF-16LE without a byte order "
            "mark, which --encoding utf-16le reads");
  EXPECT_THROW(read(write("a", "a\n1\n"), "nonsense"), UsageError);
}

TEST_F(Source, ReadsLinesThatEndInCarriageReturnsAlone) {
  const std::string note = ": lines end in carriage returns alone (CR), read as lines";
  EXPECT_EQ(read(write("a.csv", "a,b\r1,2\r3,4\r")), "a,b\n1,2\n3,4\n");
  EXPECT_EQ(reports, std::vector<std::string>{"info: " + path("a.csv") + note});
  EXPECT_EQ(read(write("b.csv", "a,b\r1,\"x\ny\"\r\"p\rq\",2")), "a,b\n1,\"x\ny\"\n\"p\nq\",2");
  EXPECT_EQ(read(write("c.csv", utf16("a,b\r1,2\r", true, true))),
            "\xEF\xBB\xBF"
            "a,b\n1,2\n");
  EXPECT_EQ(read(write("d.csv", gzip(std::string(200000, 'x') + "\r1\r"))),
            std::string(200000, 'x') + "\n1\n");
  EXPECT_EQ(reports.size(), 4U);
  // The readers tell what is wrong with these.
  reports.clear();
  for (const std::string text :
       {"a,b\r\n1,2\r\n", "a,b\n1,2\r3\n", "a\r\r\n1\r\r\n", "a\n\r1\n\r", "a,b\r1,2\n3,4\n",
        "\"a\rb\",c\n1,2\n", "a,b\n", "a", "5\"\n1\n2\r"}) {
    EXPECT_EQ(read(write("e.csv", text)), text);
  }
  EXPECT_EQ(read(write("f.csv", std::string(65535, 'x') + "\r\n1\r\n")),
            std::string(65535, 'x') + "\r\n1\r\n");
  EXPECT_TRUE(reports.empty());
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
