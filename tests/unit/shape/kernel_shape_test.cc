// SPDX-License-Identifier: MIT
// The kernel's memory as a line and tables.
#include "analyzer/shape/kernel_shape.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem {
namespace {

using testing::ElementsAre;

/// Stacks of these tasks, 50 pages of slab and 3 unknown ones, of 1000.
KernelUse kernel_with(std::uint64_t tasks) {
  KernelUse kernel;
  Header header;
  header.ram = Header::Ram::kAll;
  kernel.on_header(header);
  std::uint64_t next = 0;
  const auto add = [&](std::uint64_t pages, FrameClass use, std::uint64_t owner = 0) {
    kernel.on_ram({next, pages, use, owner, 0, 0, 0, 0});
    next += pages;
  };
  for (std::uint64_t id = 1; id <= tasks; ++id) {
    RamOwner task;
    task.id = id;
    task.kind = RamOwner::Kind::kTask;
    task.number = 100 + id;
    kernel.on_owner(task);
    add(4, PM_RAM_KERNEL_STACK, id);
  }
  add(2, PM_RAM_KERNEL_STACK);
  add(50, PM_RAM_SLAB);
  add(3, PM_RAM_UNKNOWN);
  add(1000 - next, PM_RAM_ANON);
  return kernel;
}

std::vector<std::string> rows_of(const Table& table) {
  std::vector<std::string> rows;
  for (const auto& row : table.rows) {
    std::string& text = rows.emplace_back();
    for (const Cell& cell : row) {
      if (const auto* name = std::get_if<std::string>(&cell)) text += *name + " ";
      if (const auto* number = std::get_if<std::uint64_t>(&cell))
        text += fmt::format("{} ", *number);
    }
  }
  return rows;
}

TEST(KernelTable, HasUsesByPagesAndTheirSum) {
  EXPECT_THAT(
      rows_of(kernel_table(kernel_with(5))),
      ElementsAre("slab caches 50 0 ", "kernel stacks 22 0 5 ", "unknown 3 0 ", "total 75 0 "));
}

TEST(KernelLine, HasTheShareOfRam) {
  EXPECT_EQ(kernel_line(kernel_with(5), {}),
            "300 KiB, 7.50 % of RAM; 0 KiB of it by totals of the kernel, 12 KiB unknown");
  EXPECT_THAT(kernel_line({}, {}), testing::StartsWith("unknown, the snapshot has no "));
}

TEST(KernelOwnerTables, SumUpWhatFollowsTheFirstRows) {
  const Table stacks = kernel_owner_tables(kernel_with(5), {}, 2).front();
  EXPECT_EQ(stacks.head.name, "kernel-stacks");
  EXPECT_THAT(rows_of(stacks), ElementsAre("101  4 ", "102  4 ", "(4 others) 14 "));
}

TEST(KernelOwnerTables, HaveFramesWithoutOwner) {
  EXPECT_THAT(rows_of(kernel_owner_tables(kernel_with(1), {}, 10).front()),
              ElementsAre("101  4 ", "[unknown] 2 "));
}

TEST(KernelChart, DividesPagesByWhatIsKnownOfThem) {
  const BarChart chart = kernel_chart(kernel_with(5), {});
  ASSERT_EQ(chart.groups.size(), 3u);
  EXPECT_EQ(chart.groups[1].label, "kernel stacks");
  EXPECT_THAT(chart.groups[1].bars.front(), ElementsAre(20, 2, 0));
}

}  // namespace
}  // namespace physmem
