// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/text_relocations.h"

#include <fcntl.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace physmem {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

struct Elf32 {
  using Ehdr = Elf32_Ehdr;
  using Phdr = Elf32_Phdr;
  using Dyn = Elf32_Dyn;
  static constexpr auto kTranslate = elf32_xlatetom;
};
struct Elf64 {
  using Ehdr = Elf64_Ehdr;
  using Phdr = Elf64_Phdr;
  using Dyn = Elf64_Dyn;
  static constexpr auto kTranslate = elf64_xlatetom;
};

/// Bytes of a dynamic section. Those of 1700 programs and libraries of Debian are below 1 KiB.
constexpr std::size_t kMaxDynamic = 64 << 10;

/// Reads the program headers one by one and at most kMaxDynamic: the file may be made to use up
/// memory, and libelf's own reading of headers and sections depends on sizes that the file gives.
template <class Elf>
class DynamicReader {
 public:
  DynamicReader(int file, unsigned encoding) : file_(file), encoding_(encoding) {}

  std::optional<bool> has_text_relocations() const {
    typename Elf::Ehdr file;
    if (!read(0, &file, 1, ELF_T_EHDR) || file.e_phnum == 0 || file.e_phnum == PN_XNUM ||
        file.e_phentsize != sizeof(typename Elf::Phdr))
      return std::nullopt;
    for (std::uint64_t i = 0; i < file.e_phnum; ++i) {
      typename Elf::Phdr segment;
      if (!read(file.e_phoff + i * sizeof segment, &segment, 1, ELF_T_PHDR)) return std::nullopt;
      if (segment.p_type == PT_DYNAMIC) return dynamic_says_so(segment.p_offset, segment.p_filesz);
    }
    return false;  // statically linked
  }

 private:
  std::optional<bool> dynamic_says_so(std::uint64_t offset, std::uint64_t size) const {
    std::vector<typename Elf::Dyn> entries(std::min<std::uint64_t>(size, kMaxDynamic) /
                                           sizeof(typename Elf::Dyn));
    if (!read(offset, entries.data(), entries.size(), ELF_T_DYN)) return std::nullopt;
    for (const auto& entry : entries) {
      if (entry.d_tag == DT_NULL) return false;
      if (entry.d_tag == DT_TEXTREL ||
          (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0))
        return true;
    }
    return std::nullopt;  // the end was not read
  }

  template <class T>
  bool read(std::uint64_t offset, T* to, std::size_t n, Elf_Type type) const {
    Elf_Data data{};
    data.d_buf = to;
    data.d_type = type;
    data.d_version = EV_CURRENT;
    data.d_size = n * sizeof(T);
    return pread(file_, to, data.d_size, static_cast<off_t>(offset)) ==
               static_cast<ssize_t>(data.d_size) &&
           Elf::kTranslate(&data, &data, encoding_) != nullptr;
  }

  int file_;
  unsigned encoding_;
};

}  // namespace

std::optional<bool> has_text_relocations(const PrivateText& unit, const std::string& root) {
  const std::string path = root == "/" ? unit.unit : root + unit.unit;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  if (root == "/" && unit.key.first.second != status.st_ino) return std::nullopt;
  if (elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
  unsigned char ident[EI_NIDENT];
  if (pread(file.get(), ident, sizeof ident, 0) != sizeof ident ||
      std::memcmp(ident, ELFMAG, SELFMAG) != 0)
    return std::nullopt;
  if (ident[EI_CLASS] == ELFCLASS64)
    return DynamicReader<Elf64>(file.get(), ident[EI_DATA]).has_text_relocations();
  if (ident[EI_CLASS] == ELFCLASS32)
    return DynamicReader<Elf32>(file.get(), ident[EI_DATA]).has_text_relocations();
  return std::nullopt;
}

}  // namespace physmem
