// SPDX-License-Identifier: MIT
#include "viewer/snapshot_message.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/viewer/page_client.h"

namespace physmem::view {
namespace {

std::string sample() {
  ShownSnapshot shown;
  shown.notes = {"a note"};
  fold(maps_snapshot(R"(
process cat 371
400000-404000 r-xpX 0 10 /bin/cat : f2@7E f2@7F f1@80 s
700000-702000 rw-p 0 0 [heap] : a1@10 a1@11
)"),
       shown.analyses());
  return snapshot_bytes(shown);
}

TEST(SnapshotMessage, HasFactsAndColumns) {
  const std::string bytes = sample();
  ASSERT_EQ(bytes[0], 4);
  const std::uint32_t length = u32(bytes, 4);
  EXPECT_EQ(length % 4, 0u);
  const auto facts = nlohmann::json::parse(bytes.substr(8, length));
  ASSERT_EQ(facts["runs"], 3);
  ASSERT_EQ(bytes.size(), 8 + length + 3 * 5 * 4u);
  const auto column = [&](std::size_t which, std::size_t row) {
    return u32(bytes, 8 + length + (which * 3 + row) * 4);
  };
  EXPECT_EQ(column(2, 0), 0x10u);
  EXPECT_EQ(column(3, 0), 2u);
  EXPECT_EQ(column(2, 1), 0x7Eu);
  EXPECT_EQ(column(4, 1), 2u);
  EXPECT_EQ(column(1, 2), 2u) << "page index in the VMA";
  const auto& area = facts["areas"][column(0, 0)];
  EXPECT_EQ(area["start"], "700000");
  EXPECT_EQ(area["flags"], "rw-p");
  EXPECT_EQ(facts["units"][area["unit"].get<int>()], "[heap]");
  EXPECT_EQ(facts["regions"][area["region"].get<int>()], "heap");
  EXPECT_EQ(facts["processes"][0],
            nlohmann::json::parse(
                R"({"tgid":371,"comm":"cat","resident":5,"unique":3,"swapped":1,"uid":0})"));
  EXPECT_EQ(facts["notes"][0], "a note");
}

TEST(SnapshotMessage, HasNoUniquePagesOfAProcessThatCouldNotBeRead) {
  ShownSnapshot shown;
  fold(
      "H: 2, page_size=4096\nG: process.7.rss_kB=400, process.7.swap_kB=12\n"
      "T: hidden, 7, 00000007, 0, 5, 0, 0, 0, 3, 2, 7, 70, 1, 0, 5, 0, 3, 2, /a\n"
      "E: 1, 0, 0, 0, 0\n",
      shown.analyses());
  const std::string bytes = snapshot_bytes(shown);
  const auto facts = nlohmann::json::parse(bytes.substr(8, u32(bytes, 4)));
  EXPECT_EQ(facts["processes"], nlohmann::json::parse(R"([{"tgid":7,"comm":"hidden",
      "resident":100,"swapped":3,"uid":0,"cgroup":"/a"}])"));
}

/// Decodes base64 and decompresses gzip.
std::string unpacked(const std::string& base64) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string packed;
  unsigned bits = 0;
  int n = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(kDigits.find(c));
    n += 6;
    if (n >= 8) packed += static_cast<char>(bits >> (n -= 8) & 0xFF);
  }
  std::string out(1 << 20, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(SnapshotMessage, IsEmbeddedInThePageAndDecodedUnchanged) {
  for (std::string bytes :
       {sample(), std::string("1"), std::string("12"), std::string("123"), std::string()}) {
    const auto page = page_with("<p>before</p><!--SNAPSHOT--><p>after</p>", {bytes}, {});
    ASSERT_TRUE(page);
    const std::string begin =
        R"(<p>before</p><script type="application/octet-stream" id="snapshot">)";
    ASSERT_TRUE(page->starts_with(begin));
    const std::size_t end = page->find("</script><p>after</p>");
    ASSERT_NE(end, std::string::npos);
    const std::string base64 = page->substr(begin.size(), end - begin.size());
    EXPECT_EQ(base64.size() % 4, 0u);
    EXPECT_EQ(unpacked(base64), bytes);
  }
}

TEST(SnapshotMessage, RejectsAPageWithoutAPlaceholder) {
  EXPECT_FALSE(page_with("<p></p>", {"x"}, {}));
}

}  // namespace
}  // namespace physmem::view
