// SPDX-License-Identifier: MIT
#include "viewer/access.h"

#include <gtest/gtest.h>

namespace physmem::view {
namespace {

const Access kAccess("0123456789abcdef", {"box.example"});

TEST(Access, RequiresTheExactToken) {
  EXPECT_TRUE(kAccess.has_token("/?token=0123456789abcdef"));
  EXPECT_TRUE(kAccess.has_token("/live?a=b&token=0123456789abcdef&c"));
  for (const char* target :
       {"/", "/?", "/?token", "/?token=", "/?token=0123456789abcde", "/?token=0123456789abcdef0",
        "/?xtoken=0123456789abcdef", "/0123456789abcdef", "/?token=wrong&token=0123456789abcdef",
        "/?&&token=x"})
    EXPECT_FALSE(kAccess.has_token(target)) << target;
}

TEST(Access, AcceptsTheTokenInTheAuthorizationHeader) {
  for (const char* header : {"Bearer 0123456789abcdef", "bearer 0123456789abcdef"})
    EXPECT_TRUE(kAccess.has_bearer_token(header)) << header;
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "0123456789abcdef",
                             "Basic 0123456789abcdef", "Bearer  0123456789abcdef"})
    EXPECT_FALSE(kAccess.has_bearer_token(header)) << header;
}

TEST(Access, AcceptsItsOwnHostNamesOnly) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080",
                           "192.0.2.7:8080", "box.example:8080", "Box.Example:8080", "127.0.0.1",
                           "[::1]", "box.example", "127.0.0.1:9000"})
    EXPECT_TRUE(kAccess.is_own_host(host)) << host;
  for (const char* host : {"", "evil.example:8080", "evil.example", "localhost.evil.example:8080",
                           "127.0.0.1.evil.example:8080", ":8080", "[evil]:8080",
                           "127.0.0.1:8080:8080", "127.0.0.1:8080x", "localhost:\xAC", "[::1]:-1"})
    EXPECT_FALSE(kAccess.is_own_host(host)) << host;
}

TEST(Access, AcceptsItsOwnOriginOrNone) {
  EXPECT_TRUE(kAccess.is_own_origin("http://127.0.0.1:8080", "127.0.0.1:8080"));
  EXPECT_TRUE(kAccess.is_own_origin("", "127.0.0.1:8080"));
  for (const char* origin :
       {"http://evil.example", "https://127.0.0.1:8080", "null", "http://127.0.0.1:8081",
        "http://localhost:8080", "http://127.0.0.1:80801"})
    EXPECT_FALSE(kAccess.is_own_origin(origin, "127.0.0.1:8080")) << origin;
}

TEST(Access, CreatesLongUniqueTokens) {
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

}  // namespace
}  // namespace physmem::view
