// SPDX-License-Identifier: MIT
// Rings and texts as files in a temporary folder per test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/emit/profile_ring.h"
#include "tools/monitor/profile.h"

namespace physmem::monitor {

/// A buffer with the module's layout, filled by the module's own writer.
class RingFile {
 public:
  explicit RingFile(std::string name);
  ~RingFile();
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  void put(const Sample& sample);
  long* longs() { return longs_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::size_t size_;
  long* longs_;
  pm_profile_ring ring_;
};

class ProfileTest : public testing::Test {
 protected:
  ProfileTest();
  ~ProfileTest() override;

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  std::string put(const std::string& name, const std::string& content) const;
  static std::string content(const std::string& name);

 private:
  std::filesystem::path folder_;
};

}  // namespace physmem::monitor
