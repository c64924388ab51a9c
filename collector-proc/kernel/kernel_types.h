// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "collector-proc/kernel/name_index.h"

namespace physmem::collect {

/// The types of a kernel by its BTF (Documentation/bpf/btf.rst), as in /sys/kernel/btf/vmlinux: in
/// the byte order of this machine.
///
/// The bytes are not trusted: every offset and number is checked, and nesting has a limit.
class KernelTypes {
 public:
  struct Member {
    int offset = 0;  ///< bytes
    int size = 0;
  };

  /// Nothing if the bytes are no BTF.
  static std::optional<KernelTypes> parse(std::vector<char> bytes);

  /// A member of a struct or union, also of an unnamed one within it. Not a bit field.
  std::optional<Member> member(std::string_view type, std::string_view name) const;
  /// Size of a struct or union in bytes; 0 if it does not exist.
  std::size_t size_of(std::string_view type) const;
  std::optional<std::uint64_t> enumerator(std::string_view name) const;

 private:
  /// One record of the type section.
  struct Type {
    std::uint32_t name = 0;  ///< offset of the name
    std::uint32_t info = 0;
    std::uint32_t size_or_type = 0;
    std::size_t at = 0;  ///< offset of what follows the record's head

    std::uint32_t kind() const { return info >> 24 & 0x1f; }
    std::uint32_t count() const { return info & 0xffff; }
    bool has_flag() const { return info >> 31 != 0; }
  };

  explicit KernelTypes(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  bool read_head();
  bool read_types();
  void index_names();
  void index_enumerators(const Type& type);
  std::uint32_t word(std::size_t at) const;
  std::string_view name(std::uint32_t offset) const;
  Type record_of(std::uint32_t id) const;
  std::optional<std::uint32_t> struct_of(std::string_view name) const;
  std::string_view name_of_type(std::uint32_t id) const { return name(record_of(id).name); }
  std::string_view name_of_enumerator(std::uint32_t at) const { return name(word(at)); }
  /// Types without a name may contain each other many times: each one is searched once.
  using Searched = std::unordered_set<std::uint32_t>;
  std::optional<Member> member_of(std::uint32_t id, std::string_view name, unsigned depth,
                                  Searched& searched) const;
  std::optional<std::size_t> size_of_type(std::uint32_t id, unsigned depth) const;

  std::vector<char> bytes_;
  std::size_t types_at_ = 0, types_end_ = 0, names_at_ = 0, names_end_ = 0;
  std::vector<std::uint32_t> types_;  ///< offsets of the records by id; 0, without record, is void
  NameIndex structs_;                 ///< ids, also of typedefs of structs without a name
  NameIndex enumerators_;             ///< their offsets
};

}  // namespace physmem::collect
