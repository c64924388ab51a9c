// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_url.h"

#include <gmock/gmock.h>

#include <fstream>

#include "fleet/store/open_store.h"
#include "tests/unit/temporary_folder.h"

namespace physmem::fleet {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string error_of(const std::string& url) {
  const auto parsed = parse_clickhouse_url(url);
  return parsed ? "no error" : parsed.error().text;
}

TEST(ClickhouseUrl, HasDefaults) {
  const auto url = parse_clickhouse_url("clickhouse+http://store");
  ASSERT_TRUE(url);
  EXPECT_FALSE(url->is_https);
  EXPECT_THAT(url->hosts, ElementsAre("store:8123"));
  EXPECT_EQ(url->database, "physmem");
  EXPECT_EQ(url->user, "");
  EXPECT_EQ(url->cluster, "");
}

TEST(ClickhouseUrl, NamesEachShard) {
  const auto url = parse_clickhouse_url(
      "clickhouse+https://ann:p%40s%2fs:x@a,b:9000,[::1]:1,[fe80::2]/memory?cluster=all&timeout=5");
  ASSERT_TRUE(url) << url.error().text;
  EXPECT_TRUE(url->is_https);
  EXPECT_THAT(url->hosts, ElementsAre("a:8443", "b:9000", "[::1]:1", "[fe80::2]:8443"));
  EXPECT_EQ(url->user, "ann");
  EXPECT_EQ(url->password, "p@s/s:x");
  EXPECT_EQ(url->database, "memory");
  EXPECT_EQ(url->cluster, "all");
  EXPECT_EQ(url->timeout_seconds, 5U);
}

TEST(ClickhouseUrl, ReadsThePasswordOfAFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("password")) << "se cret\nnot this\n";
  const auto url =
      parse_clickhouse_url("clickhouse+http://ann@a/?password-file=" + folder.path("password"));
  ASSERT_TRUE(url) << url.error().text;
  EXPECT_EQ(url->password, "se cret");
  EXPECT_THAT(error_of("clickhouse+http://a/?password-file=/nonexistent"),
              HasSubstr("cannot read the password in /nonexistent: No such file"));
}

TEST(ClickhouseUrl, ErrorsDoNotShowAPassword) {
  for (const char* url : {"clickhouse+http://ann:sec/ret@a/d", "clickhouse+http://ann:sec?ret@a/d",
                          "clickhouse+http://ann:7/secret@a/d"})
    EXPECT_THAT(error_of(url), AllOf(HasSubstr("in a password are %2F"), Not(HasSubstr("sec"))))
        << url;
  const auto store = open_store("clickhouse+htp://ann:sec/r?t@a/d", StoreAccess::kRead);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().text, AllOf(HasSubstr("htp://a/d"), Not(HasSubstr("sec"))));
}

TEST(ShownStore, HasNoPassword) {
  EXPECT_EQ(shown_store("clickhouse+http://ann:p@ss@a,b/memory?cluster=c"),
            "clickhouse+http://a,b/memory");
  EXPECT_EQ(shown_store("clickhouse+https://a/d@e?password-file=/p"), "clickhouse+https://a/d@e");
  EXPECT_EQ(shown_store("sqlite:a@b?.db"), "sqlite:a@b?.db");
}

TEST(ClickhouseUrl, RejectsWhatSqlAndHttpWouldMisread) {
  EXPECT_THAT(error_of("http://a"), HasSubstr("expected clickhouse+http://HOST/DATABASE"));
  EXPECT_THAT(error_of("clickhouse+http://"), HasSubstr("expected a host"));
  EXPECT_THAT(error_of("clickhouse+http://a:0"), HasSubstr("expected a host"));
  EXPECT_THAT(error_of("clickhouse+http://a:65536"), HasSubstr("expected a host"));
  EXPECT_THAT(error_of("clickhouse+http://[::1"), HasSubstr("expected a host"));
  EXPECT_THAT(error_of("clickhouse+http://a b"), HasSubstr("expected a host"));
  EXPECT_THAT(error_of("clickhouse+http://a/x;y"), HasSubstr("expected a database"));
  EXPECT_THAT(error_of("clickhouse+http://a/1x"), HasSubstr("expected a database"));
  EXPECT_THAT(error_of("clickhouse+http://a/?cluster=x'"), HasSubstr("expected a name"));
  EXPECT_THAT(error_of("clickhouse+http://a/?timeout=0"), HasSubstr("expected at most"));
  EXPECT_THAT(error_of("clickhouse+http://a/?shard=1"), HasSubstr("expected cluster, "));
  EXPECT_THAT(error_of("clickhouse+http://a%4@b"), HasSubstr("hexadecimal"));
  EXPECT_THAT(error_of("clickhouse+http://a,b"), HasSubstr("?cluster=NAME"));
}

}  // namespace
}  // namespace physmem::fleet
