// SPDX-License-Identifier: MIT
// Which BPF programs kernels get, by the functions that they have.
#include "tracer/source/bpf_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem {
namespace {

using ::testing::HasSubstr;

using Functions = std::set<std::string_view>;

const Functions kLinux61{"do_swap_page",   "swap_readpage",        "__swap_writepage",
                         "swap_writepage", "zswap_frontswap_load", "zswap_frontswap_store",
                         "try_to_unmap",   "try_to_unmap_one"};
const Functions kLinux68{"do_swap_page",   "swap_readpage",      "__swap_writepage",
                         "swap_writepage", "zswap_load",         "zswap_store",
                         "try_to_unmap",   "zswap_folio_swapin", "try_to_unmap_one"};
const Functions kLinux612{"do_swap_page",   "swap_read_folio",    "__swap_writepage",
                          "swap_writepage", "zswap_load",         "zswap_store",
                          "try_to_unmap",   "zswap_folio_swapin", "try_to_unmap_one"};

BpfChoice choose(const Functions& functions, bool has_map_of_zeros, const Functions& left_out = {}) {
  const BpfKernel kernel{[&](std::string_view function) { return functions.contains(function); },
                         has_map_of_zeros};
  const Result<BpfChoice> choice = choose_bpf_programs(kernel, left_out);
  EXPECT_TRUE(choice);
  return choice ? *choice : BpfChoice{};
}

TEST(BpfPrograms, AskFrontswapOfOldKernels) {
  const BpfChoice old = choose(kLinux61, false);
  EXPECT_TRUE(old.has("begin_readpage"));
  EXPECT_FALSE(old.has("begin_read_folio"));
  EXPECT_TRUE(old.has("end_frontswap_load"));
  EXPECT_FALSE(old.has("begin_writepage"));
  EXPECT_FALSE(old.is_swapin_told);
  EXPECT_EQ(old.shortcomings(), "");
}

/// Readahead calls zswap_folio_swapin() before the read there: what is not from zswap is read.
TEST(BpfPrograms, BelieveNoSwapinWithoutAMapOfZeros) {
  const BpfChoice choice = choose(kLinux68, false);
  EXPECT_FALSE(choice.is_swapin_told);
  EXPECT_FALSE(choice.has("on_zswap_swapin"));
  EXPECT_FALSE(choice.has("on_zswap_load"));
  EXPECT_TRUE(choice.has("end_zswap_load"));
  EXPECT_EQ(choice.shortcomings(), "");
}

/// What zswap_load() returns has changed since, so that it is called must do.
TEST(BpfPrograms, BelieveItWithOne) {
  const BpfChoice choice = choose(kLinux612, true);
  EXPECT_TRUE(choice.is_swapin_told);
  EXPECT_TRUE(choice.has("on_zswap_swapin"));
  EXPECT_TRUE(choice.has("on_zswap_load"));
  EXPECT_FALSE(choice.has("end_zswap_load"));
  EXPECT_TRUE(choice.has("begin_writepage"));
}

TEST(BpfPrograms, DoWithoutWhatIsOptionalAndSayWhatThatCosts) {
  const BpfChoice unseen = choose(kLinux612, true, {"on_zswap_swapin"});
  EXPECT_FALSE(unseen.is_swapin_told);
  EXPECT_FALSE(unseen.has("on_zswap_load"));
  EXPECT_TRUE(unseen.has("end_zswap_load"));
  const BpfChoice half = choose(kLinux612, true, {"on_zswap_load", "end_zswap_load"});
  EXPECT_FALSE(half.is_swapin_told);
  EXPECT_THAT(half.shortcomings(), HasSubstr("zswap is not there to be looked at"));
  EXPECT_THAT(choose(kLinux612, true, {"on_unmap_one"}).shortcomings(),
              HasSubstr("owners of swap-outs are not told"));
}

TEST(BpfPrograms, NeedFaultsReadsAndWrites) {
  for (const char* needed : {"do_swap_page", "__swap_writepage", "swap_readpage"}) {
    Functions functions = kLinux61;
    functions.erase(needed);
    const BpfKernel kernel{[&](std::string_view function) { return functions.contains(function); }, false};
    const Result<BpfChoice> choice = choose_bpf_programs(kernel, {});
    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().text, HasSubstr(needed));
  }
}

TEST(BpfPrograms, ThatStandForAnEventAreThoseWhoseMissesAreLosses) {
  for (const BpfProgram& program : all_bpf_programs()) {
    const std::string_view function = program.function;
    const bool is_event = function == "do_swap_page" || function.starts_with("swap_read") ||
                          function == "__swap_writepage" || function.ends_with("_store");
    EXPECT_EQ(program.is_event(), is_event) << program.name;
  }
}

}  // namespace
}  // namespace physmem
