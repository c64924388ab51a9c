// SPDX-License-Identifier: MIT
#include "program/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <thread>
#include <vector>

namespace physmem {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = 1 << 20;

TEST(MemorySize, AcceptsWholeNumbersWithAUnit) {
  EXPECT_EQ(memory_size_of("64M"), 64 * kMiB);
  EXPECT_EQ(memory_size_of("64m"), 64 * kMiB);
  EXPECT_EQ(memory_size_of("64MiB"), 64 * kMiB);
  EXPECT_EQ(memory_size_of("2GB"), 2048 * kMiB);
  EXPECT_EQ(memory_size_of("65536K"), 64 * kMiB);
  EXPECT_EQ(memory_size_of("1T"), kMiB * kMiB);
  EXPECT_EQ(memory_size_of("16777216"), 16 * kMiB);
}

TEST(MemorySize, RejectsMalformedTooSmallAndTooLargeSizes) {
  for (const char* text : {"", "M", "64X", "64 M", "-64M", "1.5G", "64MM", "64Mi", "15M",
                           "16777215", "0", "B", "99999999999999999999", "17179869184T"})
    EXPECT_EQ(memory_size_of(text), std::nullopt) << text;
}

TEST(MemoryShare, FindsMemTotalInMeminfo) {
  EXPECT_EQ(ram_of("MemTotal:       24682416 kB\nMemFree: 1 kB\n"), std::uint64_t{24682416} << 10);
  EXPECT_EQ(ram_of("MemFree: 1 kB\n"), std::nullopt);
  EXPECT_EQ(ram_of("MemTotal:\n"), std::nullopt);
  EXPECT_EQ(ram_of("MemTotal: 99999999999999999999 kB\n"), std::nullopt);
}

TEST(MemoryShare, FindsTheControlGroupOfVersion1And2) {
  EXPECT_EQ(memory_group_of("0::/user.slice/a:b\n"), "/user.slice/a:b");
  EXPECT_EQ(memory_group_of("0::/\n"), "");
  EXPECT_EQ(memory_group_of("5:cpu,cpuacct:/x\n4:memory:/docker/12\n0::/init\n"),
            "/memory/docker/12");
  EXPECT_EQ(memory_group_of(""), "");
  EXPECT_EQ(memory_group_of("nonsense\n"), "");
  EXPECT_EQ(memory_group_of("0::nonsense\n"), "");
}

class MemoryShareOfATree : public testing::Test {
 protected:
  MemoryShareOfATree() {
    std::string name = testing::TempDir() + "/memory-share-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = name;
  }
  ~MemoryShareOfATree() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  std::string root_;
};

TEST_F(MemoryShareOfATree, IsHalfOfTheRam) {
  EXPECT_EQ(memory_share(root_), std::nullopt);
  write("/proc/meminfo", "MemTotal: 1048576 kB\n");
  EXPECT_EQ(memory_share(root_), 512 * kMiB);
  write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(memory_share(root_), 512 * kMiB);
}

TEST_F(MemoryShareOfATree, IsHalfOfTheSmallestLimitOfTheGroupAndItsParents) {
  write("/proc/meminfo", "MemTotal: 1048576 kB\n");
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/memory.max", "209715200\n");
  write("/sys/fs/cgroup/a/b/memory.max", "419430400\n");
  EXPECT_EQ(memory_share(root_), 100 * kMiB);
  write("/sys/fs/cgroup/a/b/memory.max", "104857600\n");
  EXPECT_EQ(memory_share(root_), 50 * kMiB);
  write("/sys/fs/cgroup/a/b/memory.max", "4096\n");
  EXPECT_EQ(memory_share(root_), kMinMemory);
}

TEST_F(MemoryShareOfATree, IsHalfOfALimitOfVersion1) {
  write("/proc/meminfo", "MemTotal: 1048576 kB\n");
  write("/proc/self/cgroup", "4:memory:/docker\n0::/\n");
  write("/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "104857600\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory_share(root_), 50 * kMiB);
}

/// Runs in a child process, which may be terminated.
void allocate_endlessly() {
  std::vector<std::vector<char>> taken;
  while (true) taken.emplace_back(kMiB);
}

#ifdef __SANITIZE_ADDRESS__
#define NOT_WITH_SANITIZER GTEST_SKIP() << "a sanitizer needs address space without a limit"
#else
#define NOT_WITH_SANITIZER
#endif

TEST(MemoryLimitDeathTest, ThrowsBadAllocAtTheLimit) {
  NOT_WITH_SANITIZER;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        limit_memory("program", 64 * kMiB, 0);
        try {
          allocate_endlessly();
        } catch (const std::bad_alloc&) {
          const std::string refusal = memory_refusal("it", "less");
          rusage usage{};
          ::getrusage(RUSAGE_SELF, &usage);
          ::_exit(usage.ru_maxrss < 96 * 1024 && !refusal.empty() ? 0 : 1);
        }
      },
      testing::ExitedWithCode(0), "");
}

TEST(MemoryLimitDeathTest, PrintsTheRefusalWhenAThreadDoesNotCatchIt) {
  NOT_WITH_SANITIZER;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        limit_memory("program", 64 * kMiB, 1);
        std::thread(allocate_endlessly).join();
      },
      testing::ExitedWithCode(4),
      "^program: it needs more than 64 MiB of memory \\(--max-memory\\): allow more, or ask for "
      "less at once\n$");
}

TEST(MemoryLimitDeathTest, NamesTheLimitOfTheShellIfItIsLower) {
  NOT_WITH_SANITIZER;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto refusal_with = [](__rlimit_resource resource) {
    const rlimit limit{1 << 30, 1 << 30};
    ::setrlimit(resource, &limit);
    limit_memory("program", std::uint64_t{1} << 40, 0);
    std::cerr << memory_refusal("it", "allow more");
    ::_exit(0);
  };
  EXPECT_EXIT(refusal_with(RLIMIT_AS), testing::ExitedWithCode(0),
              "^it needs more than 1024 MiB of memory \\(ulimit -v\\): allow more$");
  EXPECT_EXIT(refusal_with(RLIMIT_DATA), testing::ExitedWithCode(0),
              "^it needs more than 1024 MiB of memory \\(ulimit -d\\): allow more$");
}

}  // namespace
}  // namespace physmem
