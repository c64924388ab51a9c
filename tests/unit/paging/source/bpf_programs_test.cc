// SPDX-License-Identifier: MIT
// The BPF programs that are chosen for a kernel, from the functions that it has.
#include "paging/source/bpf_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace physmem {
namespace {

using ::testing::HasSubstr;

using Functions = std::map<std::string_view, BpfArguments>;
using Names = std::set<std::string_view>;

const BpfArguments kFolio{"struct folio *"};
const BpfArguments kFolioOne{"struct folio *", "struct vm_area_struct *", "long unsigned int",
                             "void *"};
const BpfArguments kFault{"struct vm_fault *"};

const Functions kLinux61{
    {"do_swap_page", kFault},
    {"swap_readpage", {"struct page *", "_Bool", "struct swap_iocb * *"}},
    {"__swap_writepage", {"struct page *", "struct writeback_control *"}},
    {"swap_writepage", {"struct page *", "struct writeback_control *"}},
    {"zswap_frontswap_load", {"unsigned int", "long unsigned int", "struct page *"}},
    {"zswap_frontswap_store", {"unsigned int", "long unsigned int", "struct page *"}},
    {"try_to_unmap", {"struct folio *", "enum ttu_flags"}},
    {"try_to_unmap_one", kFolioOne}};
const Functions kLinux68{{"do_swap_page", kFault},
                         {"swap_readpage", {"struct page *", "_Bool", "struct swap_iocb * *"}},
                         {"__swap_writepage", {"struct folio *", "struct writeback_control *"}},
                         {"swap_writepage", {"struct page *", "struct writeback_control *"}},
                         {"zswap_load", kFolio},
                         {"zswap_store", kFolio},
                         {"try_to_unmap", {"struct folio *", "enum ttu_flags"}},
                         {"zswap_folio_swapin", kFolio},
                         {"try_to_unmap_one", kFolioOne}};
const Functions kLinux612{{"do_swap_page", kFault},
                          {"swap_read_folio", {"struct folio *", "struct swap_iocb * *"}},
                          {"__swap_writepage", {"struct folio *", "struct writeback_control *"}},
                          {"swap_writepage", {"struct page *", "struct writeback_control *"}},
                          {"zswap_load", kFolio},
                          {"zswap_store", kFolio},
                          {"try_to_unmap", {"struct folio *", "enum ttu_flags"}},
                          {"zswap_folio_swapin", kFolio},
                          {"try_to_unmap_one", kFolioOne}};
const Functions kLinux73{{"do_swap_page", kFault},
                         {"swap_read_folio", {"struct swap_io_ctx *", "struct folio *"}},
                         {"__swap_writepage", {"struct swap_io_ctx *", "struct folio *"}},
                         {"swap_writeout", {"struct swap_io_ctx *", "struct folio *"}},
                         {"zswap_load", kFolio},
                         {"zswap_store", kFolio},
                         {"try_to_unmap", {"struct folio *", "enum ttu_flags"}},
                         {"zswap_folio_swapin", kFolio},
                         {"try_to_unmap_one", kFolioOne}};

BpfKernel kernel_of(const Functions& functions, bool has_map_of_zeros) {
  return {[&functions](std::string_view function) -> std::optional<BpfArguments> {
            const auto found = functions.find(function);
            if (found == functions.end()) return {};
            return found->second;
          },
          has_map_of_zeros};
}

BpfChoice choose(const Functions& functions, bool has_map_of_zeros, const Names& left_out = {}) {
  const Result<BpfChoice> choice =
      choose_bpf_programs(kernel_of(functions, has_map_of_zeros), left_out);
  EXPECT_TRUE(choice);
  return choice ? *choice : BpfChoice{};
}

TEST(BpfPrograms, ProbeFrontswapOnOldKernels) {
  const BpfChoice old = choose(kLinux61, false);
  EXPECT_TRUE(old.has("begin_readpage"));
  EXPECT_FALSE(old.has("begin_read_folio"));
  EXPECT_TRUE(old.has("end_frontswap_load"));
  EXPECT_FALSE(old.has("begin_writepage"));
  EXPECT_FALSE(old.is_swapin_reported);
  EXPECT_EQ(old.shortcomings(), "");
}

/// In these kernels readahead calls zswap_folio_swapin() before the read. A swap-in that is not
/// from zswap is a read.
TEST(BpfPrograms, IgnoreZswapSwapinWithoutAZeroMap) {
  const BpfChoice choice = choose(kLinux68, false);
  EXPECT_FALSE(choice.is_swapin_reported);
  EXPECT_FALSE(choice.has("on_zswap_swapin"));
  EXPECT_FALSE(choice.has("on_zswap_load"));
  EXPECT_TRUE(choice.has("end_zswap_load"));
  EXPECT_EQ(choice.shortcomings(), "");
}

/// The return value of zswap_load() changed in later kernels, so only the call is probed.
TEST(BpfPrograms, UseZswapSwapinWithAZeroMap) {
  const BpfChoice choice = choose(kLinux612, true);
  EXPECT_TRUE(choice.is_swapin_reported);
  EXPECT_TRUE(choice.has("on_zswap_swapin"));
  EXPECT_TRUE(choice.has("on_zswap_load"));
  EXPECT_FALSE(choice.has("end_zswap_load"));
  EXPECT_TRUE(choice.has("begin_writepage"));
}

TEST(BpfPrograms, OmitOptionalProgramsAndReportShortcomings) {
  const BpfChoice unseen = choose(kLinux612, true, {"on_zswap_swapin"});
  EXPECT_FALSE(unseen.is_swapin_reported);
  EXPECT_FALSE(unseen.has("on_zswap_load"));
  EXPECT_TRUE(unseen.has("end_zswap_load"));
  const BpfChoice half = choose(kLinux612, true, {"on_zswap_load", "end_zswap_load"});
  EXPECT_FALSE(half.is_swapin_reported);
  EXPECT_THAT(half.shortcomings(), HasSubstr("cannot probe zswap"));
  EXPECT_THAT(choose(kLinux612, true, {"on_unmap_one"}).shortcomings(),
              HasSubstr("swap-out records will have no owner"));
}

TEST(BpfPrograms, ReadArgumentsAtTheirPositionsInEachKernel) {
  const BpfChoice old = choose(kLinux61, false);
  EXPECT_EQ(old.arguments[PM_BPF_READ].subject, 0);
  EXPECT_EQ(old.arguments[PM_BPF_FRONTSWAP_STORE].subject, 2);
  EXPECT_EQ(old.arguments[PM_BPF_FRONTSWAP_STORE].result, 3);
  EXPECT_EQ(old.arguments[PM_BPF_UNMAP_ONE].area, 1);
  EXPECT_EQ(old.arguments[PM_BPF_UNMAP_ONE].address, 2);
  const BpfChoice later = choose(kLinux73, true);
  EXPECT_EQ(later.arguments[PM_BPF_READ].subject, 1);
  EXPECT_EQ(later.arguments[PM_BPF_WRITE].subject, 1);
  EXPECT_EQ(later.arguments[PM_BPF_SWAPOUT].subject, 1);
  EXPECT_EQ(later.arguments[PM_BPF_SWAPOUT].result, 2);
  EXPECT_EQ(later.arguments[PM_BPF_STORE].subject, 0);
}

TEST(BpfPrograms, RejectARequiredFunctionWithOtherArguments) {
  for (const BpfArguments& strange :
       {BpfArguments{"struct swap_io_ctx *"}, BpfArguments{"struct folio *", "struct folio *"}}) {
    Functions functions = kLinux73;
    functions["__swap_writepage"] = strange;
    const Result<BpfChoice> choice = choose_bpf_programs(kernel_of(functions, true), {});
    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().text, HasSubstr("__swap_writepage(" + strange[0]));
    EXPECT_THAT(choice.error().text, HasSubstr("expected one argument of type struct folio *"));
  }
  Functions functions = kLinux73;
  functions["try_to_unmap_one"] = kFolio;
  EXPECT_THAT(choose(functions, true).shortcomings(),
              HasSubstr("swap-out records will have no owner"));
}

TEST(BpfPrograms, RejectTwoReadFunctionsWithDifferentPositions) {
  Functions functions = kLinux73;
  functions["swap_readpage"] = {"struct page *", "_Bool"};
  const Result<BpfChoice> choice = choose_bpf_programs(kernel_of(functions, true), {});
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().text,
              HasSubstr("swap_readpage and swap_read_folio, expected one of them"));
}

TEST(BpfPrograms, OmitAnOptionalFunctionWithTooManyArguments) {
  Functions functions = kLinux73;
  functions["zswap_store"].insert(functions["zswap_store"].begin(), 256, "int");
  EXPECT_FALSE(choose(functions, true).has("end_zswap_store"));
}

TEST(BpfPrograms, RequireFaultsReadsAndWrites) {
  for (const char* needed : {"do_swap_page", "__swap_writepage", "swap_readpage"}) {
    Functions functions = kLinux61;
    functions.erase(needed);
    const Result<BpfChoice> choice = choose_bpf_programs(kernel_of(functions, false), {});
    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().text, HasSubstr(needed));
  }
}

TEST(BpfPrograms, CountMissesAsLossesForEventProbes) {
  for (const BpfProgram& program : all_bpf_programs()) {
    const std::string_view function = program.function;
    const bool is_event = function == "do_swap_page" || function.starts_with("swap_read") ||
                          function == "__swap_writepage" || function.ends_with("_store");
    EXPECT_EQ(program.is_event(), is_event) << program.name;
  }
}

}  // namespace
}  // namespace physmem
