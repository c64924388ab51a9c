// SPDX-License-Identifier: MIT
// A temporary folder that replaces the root directory of the machine.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace physmem {

class ProcFixture {
 public:
  ProcFixture() {
    std::string pattern = testing::TempDir() + "/physmem-root-XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  ~ProcFixture() { std::filesystem::remove_all(root_); }
  ProcFixture(const ProcFixture&) = delete;
  ProcFixture& operator=(const ProcFixture&) = delete;

  const std::string& root() const { return root_; }
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(root_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

 private:
  std::string root_;
};

}  // namespace physmem
