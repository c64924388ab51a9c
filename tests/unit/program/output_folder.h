// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/temporary_folder.h"

namespace physmem {

/// A user that neither runs the tests nor is root ("nobody").
inline constexpr uid_t kOtherUser = 65534;

/// A temporary folder per test, with helpers for the files in it.
class OutputFolder : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return temporary_.path(name); }
  void put(const std::string& name, const std::string& text, mode_t mode = 0644) const {
    ::chmod(temporary_.put(name, text).c_str(), mode);
  }
  void link(const std::string& to, const std::string& name) const {
    std::filesystem::create_symlink(to, path(name));
  }
  void give_away(const std::string& name) const {
    if (::lchown(path(name).c_str(), kOtherUser, kOtherUser) != 0)
      throw std::runtime_error("lchown");
  }
  void make_sticky() const { ::chmod(folder_.c_str(), 01777); }

  struct stat status(const std::string& name) const {
    struct stat found {};
    ::lstat(path(name).c_str(), &found);
    return found;
  }
  mode_t mode(const std::string& name) const { return status(name).st_mode & 07777; }
  std::string content(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  const TemporaryFolder temporary_;

 protected:
  const std::string& folder_ = temporary_.name();
};

#define PHYSMEM_NEEDS_ROOT() \
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of another user"

}  // namespace physmem
