// SPDX-License-Identifier: MIT
// Copies of this kernel's memory by BPF. Skipped where it is not permitted.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/utsname.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collector-proc/kernel/kernel_types.h"

extern "C" {
#include "kernel-image/bpf_copy.h"
}

namespace physmem::collect {
namespace {

class BpfCopy : public testing::TestWithParam<pm_copy_way> {
 protected:
  void SetUp() override {
    std::array<char, 256> why{};
    if (pm_bpf_copy_open(&copy_, GetParam(), why.data(), why.size()) != 0)
      GTEST_SKIP() << why.data();
  }
  ~BpfCopy() override { pm_bpf_copy_close(copy_); }

  pm_bpf_copy* copy_ = nullptr;
};

std::vector<char> content(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Where the name of this thread is, which this test sets; nothing without BTF.
std::optional<std::uint64_t> name_of_thread(const pm_bpf_copy* copy) {
  const auto types = KernelTypes::parse(content("/sys/kernel/btf/vmlinux"));
  const auto comm = types ? types->member("task_struct", "comm") : std::nullopt;
  if (!comm || ::prctl(PR_SET_NAME, "read by BPF") != 0) return std::nullopt;
  return pm_bpf_copy_task(copy) + static_cast<std::uint64_t>(comm->offset);
}

TEST_P(BpfCopy, ReadsTheNameOfThisThread) {
  const auto at = name_of_thread(copy_);
  if (!at) GTEST_SKIP() << "/sys/kernel/btf/vmlinux cannot be read";
  std::array<char, 16> name{};
  EXPECT_TRUE(pm_bpf_copy_read(copy_, *at, name.data(), name.size()));
  EXPECT_STREQ(name.data(), "read by BPF");
}

TEST_P(BpfCopy, ReadsAListLongerThanARun) {
  const auto at = name_of_thread(copy_);
  if (!at) GTEST_SKIP() << "/sys/kernel/btf/vmlinux cannot be read";
  std::vector<std::array<char, 8>> words(2 * PM_ITEMS);
  std::vector<pm_item> items;
  for (auto& word : words) items.push_back({*at, 8, false, word.data()});
  items[100].at = 0;        // an address of a process
  items[200].bytes = 4096;  // larger than its place: the test gives it one
  std::vector<char> large(4096);
  items[200].to = large.data();
  pm_bpf_copy_list(copy_, items.data(), items.size());
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].is_read, i != 100) << i;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == 100 || i == 200) continue;
    EXPECT_EQ(words[i], words[0]) << i;
  }
  EXPECT_EQ((words[100]), (std::array<char, 8>{}));
  EXPECT_TRUE(std::equal(words[0].begin(), words[0].end(), large.begin()));
}

TEST_P(BpfCopy, RefusesMoreThanAnItemMayHave) {
  std::vector<char> bytes(PM_ITEM_BYTES + 8, '#');
  pm_item item{pm_bpf_copy_task(copy_), PM_ITEM_BYTES + 8, true, bytes.data()};
  pm_bpf_copy_list(copy_, &item, 1);
  EXPECT_FALSE(item.is_read);
}

/// bpf_loop() exists since Linux 5.17, and needs the JIT.
bool can_loop() {
  utsname kernel{};
  int major = 0, minor = 0;
  if (::uname(&kernel) != 0 || std::sscanf(kernel.release, "%d.%d", &major, &minor) != 2)
    return false;
  const std::vector<char> jit = content("/proc/sys/net/core/bpf_jit_enable");
  return std::pair(major, minor) >= std::pair(5, 17) && !jit.empty() && jit[0] != '0';
}

TEST_P(BpfCopy, WorksInTheWayThatWasAskedForIfTheKernelHasIt) {
  if (!can_loop()) GTEST_SKIP() << "this kernel has no bpf_loop(), or no JIT";
  EXPECT_EQ(pm_bpf_copy_way(copy_), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Ways, BpfCopy,
                         testing::Values(PM_COPY_PREEMPTIBLE, PM_COPY_LOOP, PM_COPY_UNROLLED));

}  // namespace
}  // namespace physmem::collect
