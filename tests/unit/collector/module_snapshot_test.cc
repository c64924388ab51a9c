// SPDX-License-Identifier: MIT
#include "collector-proc/module_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;

/// Files in the place of the module's devices.
class ModuleSnapshot : public testing::Test {
 protected:
  std::string copied(const std::string& text, const Machine& machine = {}, bool with_ram = false) {
    folder_.put(with_ram ? "ram" : "0", text);
    TextOutput output;
    const Status status = copy_module_snapshot(folder_.name(), with_ram, machine, output);
    return status ? output.text() : "error: " + status.error().text;
  }

  TemporaryFolder folder_;
};

const std::string kSnapshot = "H: 2, arch=x86_64, collector=kmod\nG: a=1\nE: tasks=0\n";

TEST_F(ModuleSnapshot, IsCopied) {
  EXPECT_EQ(copied(kSnapshot), kSnapshot);
  EXPECT_EQ(copied(kSnapshot, {}, true), kSnapshot);
}

TEST_F(ModuleSnapshot, GetsItsNumberInTheSeriesAndWhatWasLost) {
  EXPECT_EQ(copied(kSnapshot, {.sequence = 7, .lost = 3}),
            "H: 2, arch=x86_64, collector=kmod, sequence=7\nG: collect.lost=3\nG: a=1\n"
            "E: tasks=0\n");
}

TEST_F(ModuleSnapshot, IsRefusedWithoutALine) {
  EXPECT_THAT(copied(""), HasSubstr("/0: found no snapshot"));
  EXPECT_THAT(copied(std::string(5000, 'H')), HasSubstr("found no header of a snapshot"));
}

TEST_F(ModuleSnapshot, SaysThatTheModuleIsNotLoaded) {
  TextOutput output;
  EXPECT_THAT(copy_module_snapshot(folder_.name(), false, {}, output).error().text,
              HasSubstr("/0: No such file or directory; the module physmem_info is not loaded: "
                        "modprobe physmem_info"));
}

}  // namespace
}  // namespace physmem::collect
