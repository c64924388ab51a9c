// SPDX-License-Identifier: MIT
// Compares digests with the examples of FIPS 180-4 and RFC 4231.
#include "program/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace physmem {
namespace {

TEST(Sha256Of, MatchesTheExamplesOfTheStandard) {
  EXPECT_EQ(hex_of(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_of(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex_of(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// At most 55 bytes fit into one block together with the padding.
TEST(Sha256Of, MatchesForMessagesThatEndNearABlock) {
  EXPECT_EQ(hex_of(sha256(std::string(55, 'a'))),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hex_of(sha256(std::string(56, 'a'))),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hex_of(sha256(std::string(64, 'a'))),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256StreamOf, PiecesAreTheWhole) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i * i);
  for (const std::size_t piece : {1, 7, 63, 64, 65, 128, 1000}) {
    Sha256Stream stream;
    for (std::size_t at = 0; at < text.size(); at += piece) stream.add(text.substr(at, piece));
    EXPECT_EQ(hex_of(stream.finish()), hex_of(sha256(text))) << piece;
  }
}

TEST(Sha256StreamOf, BeginsAgainAfterFinish) {
  Sha256Stream stream;
  stream.add("something else");
  static_cast<void>(stream.finish());
  stream.add("abc");
  EXPECT_EQ(stream.finish(), sha256("abc"));
}

TEST(BytesOfHex, AreThoseOfHexOf) {
  const Sha256 digest = sha256("abc");
  EXPECT_EQ(bytes_of_hex(hex_of(digest)), std::string(digest.begin(), digest.end()));
  EXPECT_EQ(bytes_of_hex("00fF7"), std::string("\0\xff", 2));
}

TEST(HmacSha256, MatchesTheCasesOfRfc4231) {
  EXPECT_EQ(hex_of(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex_of(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hex_of(hmac_sha256(std::string(131, '\xaa'),
                               "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace physmem
