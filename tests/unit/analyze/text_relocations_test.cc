// SPDX-License-Identifier: MIT
// DT_TEXTREL as proof of text relocations (I22). samples/nonpic-library builds a library with it.
#include "analyzer/analyze/process/text_relocations.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "tests/unit/temporary_folder.h"

namespace physmem {
namespace {

PrivateText unit_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  PrivateText unit;
  unit.unit = path;
  unit.key = {{0, status.st_ino}, {}};
  return unit;
}

const std::string kSelf = std::filesystem::read_symlink("/proc/self/exe");

using Entries = std::vector<Elf64_Dyn>;

template <class T>
std::string bytes_of(const T* from, std::size_t n) {
  return {reinterpret_cast<const char*>(from), n * sizeof(T)};
}

/// A library that consists of an ELF header, one program header (PT_DYNAMIC) and `entries`, without
/// section headers.
std::string library(const Entries& entries) {
  Elf64_Ehdr file{};
  std::memcpy(file.e_ident, ELFMAG, SELFMAG);
  file.e_ident[EI_CLASS] = ELFCLASS64;
  file.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  file.e_ident[EI_VERSION] = EV_CURRENT;
  file.e_type = ET_DYN;
  file.e_version = EV_CURRENT;
  file.e_phoff = sizeof file;
  file.e_ehsize = sizeof file;
  file.e_phentsize = sizeof(Elf64_Phdr);
  file.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_DYNAMIC;
  segment.p_offset = sizeof file + sizeof segment;
  segment.p_filesz = entries.size() * sizeof(Elf64_Dyn);
  return bytes_of(&file, 1) + bytes_of(&segment, 1) + bytes_of(entries.data(), entries.size());
}

std::optional<bool> answer_for(const std::string& content) {
  const TemporaryFolder folder;
  return has_text_relocations(unit_of(folder.put("library.so", content)), "/");
}

const Elf64_Dyn kTextRel{DT_TEXTREL, {0}}, kName{DT_SONAME, {1}}, kEnd{DT_NULL, {0}};

TEST(TextRelocations, AreFoundWithoutSectionHeaders) {
  EXPECT_EQ(answer_for(library({kName, kTextRel, kEnd})), std::optional(true));
  EXPECT_EQ(answer_for(library({{DT_FLAGS, {DF_TEXTREL}}, kEnd})), std::optional(true));
  EXPECT_EQ(answer_for(library({kName, {DT_FLAGS, {DF_SYMBOLIC}}, kEnd})), std::optional(false));
}

TEST(TextRelocations, AreUnknownIfDynamicSectionIsTruncated) {
  const std::string whole = library({kName, kEnd});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(answer_for(whole.substr(0, size)), std::nullopt) << size;
  EXPECT_EQ(answer_for(library({kName, kName})), std::nullopt) << "no DT_NULL";
}

TEST(TextRelocations, AreUnknownIfDynamicSectionExceeds64KiB) {
  Entries entries((64 << 10) / sizeof(Elf64_Dyn), kName);
  entries.back() = kEnd;
  EXPECT_EQ(answer_for(library(entries)), std::optional(false));
  entries.back() = kName;
  entries.push_back(kEnd);
  EXPECT_EQ(answer_for(library(entries)), std::nullopt);
}

TEST(TextRelocations, AreNotFoundInThisProgram) {
  EXPECT_EQ(has_text_relocations(unit_of(kSelf), "/"), std::optional(false));
}

TEST(TextRelocations, AreSearchedBelowGivenRoot) {
  PrivateText unit = unit_of(kSelf);
  const std::filesystem::path folder = std::filesystem::path(kSelf).parent_path();
  unit.unit = "/" + std::filesystem::path(kSelf).filename().string();
  EXPECT_EQ(has_text_relocations(unit, folder.string()), std::optional(false));
}

TEST(TextRelocations, AreUnknownIfInodeDiffersFromSnapshot) {
  PrivateText unit = unit_of(kSelf);
  ++unit.key.first.second;
  EXPECT_EQ(has_text_relocations(unit, "/"), std::nullopt);
}

TEST(TextRelocations, AreUnknownIfFileIsMissingOrNotElf) {
  EXPECT_EQ(has_text_relocations(unit_of("/etc/passwd"), "/"), std::nullopt);
  EXPECT_EQ(has_text_relocations(unit_of("/dev/null"), "/"), std::nullopt);
  EXPECT_EQ(has_text_relocations(unit_of("/tmp"), "/"), std::nullopt);
  PrivateText missing;
  missing.unit = "/nonexistent/library.so";
  EXPECT_EQ(has_text_relocations(missing, "/"), std::nullopt);
}

}  // namespace
}  // namespace physmem
