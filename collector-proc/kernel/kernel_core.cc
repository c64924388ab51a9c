// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/kernel_core.h"

#include <elf.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

constexpr std::size_t kMaxSegments = 4096;
constexpr std::size_t kMaxNoteBytes = std::size_t{1} << 20;

constexpr unsigned char kByteOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

bool is_core(const Elf64_Ehdr& head) {
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
         head.e_ident[EI_DATA] == kByteOrder && head.e_type == ET_CORE &&
         head.e_phentsize == sizeof(Elf64_Phdr) && head.e_phnum <= kMaxSegments;
}

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 3) & ~std::size_t{3};
}

/// "-129", or "0xfffffc0000000000", which becomes negative.
std::optional<std::int64_t> whole_number(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  std::int64_t value = 0;
  std::uint64_t bits = 0;
  const char* const end = text.data() + text.size();
  const auto result = is_hex ? std::from_chars(text.data() + 2, end, bits, 16)
                             : std::from_chars(text.data(), end, value);
  if (result.ec != std::errc()) return std::nullopt;
  return is_hex ? static_cast<std::int64_t>(bits) : value;
}

}  // namespace

Result<KernelCore> KernelCore::open(const ProcTree& tree) {
  UniqueFd file = open_at(tree.fd(), "kcore");
  if (!file) return io_error("open " + tree.path("kcore"), errno);
  KernelCore core(std::move(file));
  if (!core.read_head())
    return Error{Error::Kind::kIo,
                 tree.path("kcore") + ": found no ELF core of this machine's word size"};
  return core;
}

bool KernelCore::read_file(std::uint64_t offset, void* to, std::size_t bytes) const {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(file_.get(), static_cast<char*>(to) + done, bytes - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

bool KernelCore::read_head() {
  Elf64_Ehdr head;
  if (!read_file(0, &head, sizeof head) || !is_core(head)) return false;
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part;
    if (!read_file(head.e_phoff + i * sizeof part, &part, sizeof part)) return false;
    if (part.p_type == PT_NOTE) read_note(part.p_offset, part.p_filesz);
    if (part.p_type == PT_LOAD && part.p_memsz != 0 && part.p_vaddr + part.p_memsz > part.p_vaddr)
      segments_.push_back({part.p_vaddr, part.p_paddr, part.p_memsz, part.p_offset});
  }
  return !segments_.empty();
}

void KernelCore::read_note(std::uint64_t offset, std::uint64_t bytes) {
  std::vector<char> notes(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kMaxNoteBytes)));
  if (!read_file(offset, notes.data(), notes.size())) return;
  std::string_view rest(notes.data(), notes.size());
  while (rest.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr head;
    std::memcpy(&head, rest.data(), sizeof head);
    rest.remove_prefix(sizeof head);
    const std::size_t name = padded(head.n_namesz), text = padded(head.n_descsz);
    if (name > rest.size() || text > rest.size() - name) return;
    if (rest.starts_with("VMCOREINFO")) vmcoreinfo_ = std::string(rest.substr(name, head.n_descsz));
    rest.remove_prefix(name + text);
  }
}

bool KernelCore::read_virtual(std::uint64_t at, void* to, std::size_t bytes) const {
  for (const Segment& part : segments_)
    if (at >= part.address && at - part.address < part.bytes &&
        bytes <= part.bytes - (at - part.address))
      return read_file(part.offset + (at - part.address), to, bytes);
  return false;
}

bool KernelCore::read_physical(std::uint64_t at, void* to, std::size_t bytes) const {
  for (const Segment& part : segments_)
    if (part.physical != ~std::uint64_t{0} && at >= part.physical &&
        at - part.physical < part.bytes && bytes <= part.bytes - (at - part.physical))
      return read_file(part.offset + (at - part.physical), to, bytes);
  return false;
}

std::optional<std::int64_t> KernelCore::number(std::string_view key) const {
  TextCursor lines(vmcoreinfo_);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    if (!line.skip(key) || !line.skip('=')) continue;
    return whole_number(line.rest());
  }
  return std::nullopt;
}

}  // namespace physmem::collect
