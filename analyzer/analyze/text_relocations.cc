// SPDX-License-Identifier: MIT
#include "analyzer/analyze/text_relocations.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

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

bool is_text_relocation(const GElf_Dyn& entry) {
  return entry.d_tag == DT_TEXTREL ||
         (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0);
}

/// Looks at every entry of the dynamic section.
bool dynamic_says_so(Elf* elf) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC ||
        header.sh_entsize == 0)
      continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    const auto entries = static_cast<int>(header.sh_size / header.sh_entsize);
    GElf_Dyn entry;
    for (int i = 0; i < entries && gelf_getdyn(data, i, &entry) != nullptr; ++i)
      if (is_text_relocation(entry)) return true;
  }
  return false;
}

}  // namespace

std::optional<bool> has_text_relocations(const PrivateText& unit, const std::string& root) {
  const std::string path = root == "/" ? unit.unit : root + unit.unit;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  if (root == "/" && unit.key.first.second != status.st_ino) return std::nullopt;
  if (elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
  const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file.get(), ELF_C_READ, nullptr),
                                                     &elf_end);
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return std::nullopt;
  return dynamic_says_so(elf.get());
}

}  // namespace physmem
