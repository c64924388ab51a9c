// SPDX-License-Identifier: MIT
// The client of the assignment, on a regular file that the module's writer filled. The file has the
// same bytes as the device; no kernel module is required.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "formats/emit/profile_ring.h"

namespace physmem {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  // NOLINTNEXTLINE(cert-env33-c): the client expects its file in the working directory
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe{popen(command.c_str(), "r"), pclose};
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
    text.append(part.data(), n);
  return text;
}

/// A folder with the file `node` that the client expects.
class AssignmentClient : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "physmem.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    pm_profile_clear(&ring_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(unsigned long first, unsigned long count) {
    for (unsigned long i = first; i < first + count; ++i) {
      const pm_profile_sample sample{1000 + i, i % 7, i % 3, 12};
      pm_profile_put(&ring_, &sample);
    }
  }
  /// Runs the client and returns its output. The ring then has the contents that the client left.
  std::string run() {
    const auto bytes = static_cast<std::streamsize>(longs_.size() * sizeof(longs_[0]));
    std::ofstream(folder_ / "node", std::ios::binary)
        .write(reinterpret_cast<const char*>(longs_.data()), bytes);
    std::string printed = output_of("cd '" + folder_.string() + "' && " PHYSMEM_ASSIGNMENT_CLIENT);
    std::ifstream(folder_ / "node", std::ios::binary)
        .read(reinterpret_cast<char*>(longs_.data()), bytes);
    return printed;
  }
  static std::string lines(unsigned long first, unsigned long count) {
    std::string text;
    for (unsigned long i = first; i < first + count; ++i)
      text += std::to_string(1000 + i) + " " + std::to_string(i % 7) + " " + std::to_string(i % 3) +
              " 12\n";
    return text;
  }

 private:
  fs::path folder_;
  std::vector<unsigned long> longs_ = std::vector<unsigned long>(
      PM_PROFILE_PAGES * static_cast<std::size_t>(getpagesize()) / sizeof(unsigned long));
  pm_profile_ring ring_{longs_.data(), longs_.size(), 0};
};

TEST_F(AssignmentClient, ReadsNothingFromAnEmptyBuffer) {
  EXPECT_EQ(run(), "read 0 profiled data\n");
}

TEST_F(AssignmentClient, ReadsThreeSamplesOnce) {
  put(0, 3);
  EXPECT_EQ(run(), "1000 0 0 12\n1001 1 1 12\n1002 2 2 12\nread 3 profiled data\n");
  EXPECT_EQ(run(), "read 0 profiled data\n");
  put(3, 1);
  EXPECT_EQ(run(), "1003 3 0 12\nread 1 profiled data\n");
}

TEST_F(AssignmentClient, ReadsAFullRingFromItsBeginning) {
  put(0, 12000);
  EXPECT_EQ(run(), lines(0, 12000) + "read 12000 profiled data\n");
  EXPECT_EQ(run(), "read 0 profiled data\n");
}

TEST_F(AssignmentClient, ReadsWrappedSamplesFirstAndTheOlderOnesNextTime) {
  put(0, 11990);
  run();
  put(11990, 20);
  EXPECT_EQ(run(), lines(12000, 10) + "read 10 profiled data\n");
  EXPECT_EQ(run(), lines(11990, 10) + "read 10 profiled data\n");
  EXPECT_EQ(run(), "read 0 profiled data\n");
}

TEST_F(AssignmentClient, ReadsAWrappedRingInBufferOrder) {
  put(0, 12003);
  EXPECT_EQ(run(), lines(12000, 3) + lines(3, 11997) + "read 12000 profiled data\n");
}

}  // namespace
}  // namespace physmem
