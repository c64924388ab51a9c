// SPDX-License-Identifier: MIT
#include "profile_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace physmem::monitor {

RingFile::RingFile(std::string name)
    : name_(std::move(name)),
      size_(static_cast<std::size_t>(PM_PROFILE_PAGES) *
            static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
  const int file = ::open(name_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  EXPECT_GE(file, 0);
  EXPECT_EQ(::ftruncate(file, static_cast<off_t>(size_)), 0);
  void* at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  EXPECT_NE(at, MAP_FAILED);
  longs_ = static_cast<long*>(at);
  ring_ = {static_cast<unsigned long*>(at), size_ / sizeof(long), 0};
  pm_profile_clear(&ring_);
}

RingFile::~RingFile() {
  ::munmap(longs_, size_);
}

void RingFile::put(const Sample& sample) {
  const pm_profile_sample raw{
      static_cast<unsigned long>(sample.jiffies), static_cast<unsigned long>(sample.minor),
      static_cast<unsigned long>(sample.major), static_cast<unsigned long>(sample.cpu)};
  pm_profile_put(&ring_, &raw);
}

ProfileTest::ProfileTest() {
  std::string name = testing::TempDir() + "profile-XXXXXX";
  folder_ = ::mkdtemp(name.data());
}

ProfileTest::~ProfileTest() {
  std::filesystem::remove_all(folder_);
}

std::string ProfileTest::put(const std::string& name, const std::string& content) const {
  std::ofstream(in_folder(name), std::ios::binary) << content;
  return in_folder(name);
}

std::string ProfileTest::content(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace physmem::monitor
