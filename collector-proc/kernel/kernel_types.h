// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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
    std::uint32_t at = 0;  ///< offset of what follows the record's head

    std::uint32_t kind() const { return info >> 24 & 0x1f; }
    std::uint32_t count() const { return info & 0xffff; }
    bool has_flag() const { return info >> 31 != 0; }
  };

  explicit KernelTypes(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  bool read_head();
  bool read_types();
  void index(std::uint32_t id);
  std::uint32_t word(std::size_t at) const;
  std::string_view name(std::uint32_t offset) const;
  /// Types without a name may contain each other many times: each one is searched once.
  using Searched = std::unordered_set<std::uint32_t>;
  std::optional<Member> member_of(std::uint32_t id, std::string_view name, unsigned depth,
                                  Searched& searched) const;
  std::optional<std::size_t> size_of_type(std::uint32_t id, unsigned depth) const;

  std::vector<char> bytes_;
  std::size_t types_at_ = 0, types_end_ = 0, names_at_ = 0, names_end_ = 0;
  std::vector<Type> types_;  ///< by id; 0 is void
  std::unordered_map<std::string_view, std::uint32_t> structs_;
  std::unordered_map<std::string_view, std::uint64_t> enumerators_;
};

}  // namespace physmem::collect
