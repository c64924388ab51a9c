// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/kernel_types.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>

namespace physmem::collect {
namespace {

// include/uapi/linux/btf.h.
constexpr std::uint16_t kMagic = 0xeB9F;
constexpr std::size_t kHeadBytes = 24;
constexpr std::size_t kRecordBytes = 12;
enum Kind : std::uint32_t {
  kInt = 1,
  kPointer,
  kArray,
  kStruct,
  kUnion,
  kEnum,
  kForward,
  kTypedef,
  kVolatile,
  kConst,
  kRestrict,
  kFunction,
  kPrototype,
  kVariable,
  kSection,
  kFloat,
  kDeclarationTag,
  kTypeTag,
  kEnum64,
  kKinds
};

/// Deeper nesting than in any kernel: only damaged types contain themselves.
constexpr unsigned kMaxTypeDepth = 32;

/// Bytes that follow the head of a record.
std::size_t tail_bytes(std::uint32_t kind, std::size_t count) {
  switch (kind) {
    case kInt:
    case kVariable:
    case kDeclarationTag:
      return 4;
    case kArray:
      return 12;
    case kStruct:
    case kUnion:
    case kSection:
    case kEnum64:
      return 12 * count;
    case kEnum:
    case kPrototype:
      return 8 * count;
    default:
      return 0;
  }
}

bool is_composite(std::uint32_t kind) {
  return kind == kStruct || kind == kUnion;
}

bool is_enum(std::uint32_t kind) {
  return kind == kEnum || kind == kEnum64;
}

bool is_modifier(std::uint32_t kind) {
  return kind == kTypedef || kind == kVolatile || kind == kConst || kind == kRestrict ||
         kind == kTypeTag;
}

}  // namespace

std::uint32_t KernelTypes::word(std::size_t at) const {
  std::uint32_t value = 0;
  if (at + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + at, sizeof value);
  return value;
}

std::string_view KernelTypes::name(std::uint32_t offset) const {
  if (offset >= names_end_ - names_at_) return {};
  const char* const text = bytes_.data() + names_at_ + offset;
  return {text, strnlen(text, names_end_ - names_at_ - offset)};
}

std::optional<KernelTypes> KernelTypes::parse(std::vector<char> bytes) {
  KernelTypes types(std::move(bytes));
  if (!types.read_head() || !types.read_types()) return std::nullopt;
  types.index_names();
  return types;
}

bool KernelTypes::read_head() {
  if (bytes_.size() < kHeadBytes || (word(0) & 0xffff) != kMagic) return false;
  const std::size_t head = word(4);
  types_at_ = head + word(8);
  types_end_ = types_at_ + word(12);
  names_at_ = head + word(16);
  names_end_ = names_at_ + word(20);
  return head >= kHeadBytes && types_end_ <= bytes_.size() && names_end_ <= bytes_.size();
}

bool KernelTypes::read_types() {
  types_.push_back(0);
  for (std::size_t at = types_at_; at < types_end_;) {
    if (types_end_ - at < kRecordBytes) return false;
    types_.push_back(static_cast<std::uint32_t>(at));
    const Type record = record_of(static_cast<std::uint32_t>(types_.size() - 1));
    if (record.kind() == 0 || record.kind() >= kKinds) return false;
    const std::size_t tail = tail_bytes(record.kind(), record.count());
    if (types_end_ - record.at < tail) return false;
    at = record.at + tail;
  }
  return true;
}

KernelTypes::Type KernelTypes::record_of(std::uint32_t id) const {
  if (id == 0 || id >= types_.size()) return {};
  const std::size_t at = types_[id];
  return {word(at), word(at + 4), word(at + 8), at + kRecordBytes};
}

void KernelTypes::index_names() {
  std::size_t structs = 0, enumerators = 0;
  for (std::uint32_t id = 1; id < types_.size(); ++id) {
    const Type record = record_of(id);
    structs += is_composite(record.kind()) || record.kind() == kTypedef;
    enumerators += is_enum(record.kind()) ? record.count() : 0;
  }
  structs_ = NameIndex(structs);
  enumerators_ = NameIndex(enumerators);
  for (std::uint32_t id = 1; id < types_.size(); ++id) {
    const Type record = record_of(id);
    if (is_enum(record.kind())) index_enumerators(record);
    // A struct without a name, such as mm_context_t, has that of its typedef.
    const Type meant = record.kind() == kTypedef ? record_of(record.size_or_type) : Type{};
    if ((is_composite(record.kind()) && !name(record.name).empty()) ||
        (meant.kind() == kStruct && meant.name == 0)) {
      std::uint32_t& place = structs_.place(
          name(record.name), [this](std::uint32_t other) { return name_of_type(other); });
      if (place == NameIndex::kNone) place = id;
    }
  }
}

void KernelTypes::index_enumerators(const Type& type) {
  const std::size_t step = tail_bytes(type.kind(), 1);
  for (std::size_t i = 0; i < type.count(); ++i) {
    const auto at = static_cast<std::uint32_t>(type.at + i * step);
    std::uint32_t& place = enumerators_.place(
        name_of_enumerator(at), [this](std::uint32_t other) { return name_of_enumerator(other); });
    if (place == NameIndex::kNone) place = at;
  }
}

std::optional<std::size_t> KernelTypes::size_of_type(std::uint32_t id, unsigned depth) const {
  if (id >= types_.size() || depth == kMaxTypeDepth) return std::nullopt;
  const Type type = record_of(id);
  const std::uint32_t kind = type.kind();
  if (is_modifier(kind)) return size_of_type(type.size_or_type, depth + 1);
  if (kind == kPointer) return sizeof(void*);
  if (kind == kArray) {
    const auto size = size_of_type(word(type.at), depth + 1);
    const std::uint64_t bytes = size.value_or(0) * std::uint64_t{word(type.at + 8)};
    return size && bytes <= INT_MAX ? std::optional<std::size_t>(bytes) : std::nullopt;
  }
  const bool has_size = kind == kInt || kind == kFloat || is_composite(kind) || is_enum(kind);
  return has_size ? std::optional<std::size_t>(type.size_or_type) : std::nullopt;
}

std::optional<KernelTypes::Member> KernelTypes::member_of(std::uint32_t id, std::string_view wanted,
                                                          unsigned depth,
                                                          Searched& searched) const {
  if (id >= types_.size() || depth == kMaxTypeDepth || !searched.insert(id).second)
    return std::nullopt;
  const Type type = record_of(id);
  if (is_modifier(type.kind())) return member_of(type.size_or_type, wanted, depth + 1, searched);
  if (!is_composite(type.kind())) return std::nullopt;
  for (std::size_t i = 0; i < type.count(); ++i) {
    const std::size_t at = type.at + 12 * i;
    const std::string_view own = name(word(at));
    // With the flag, the upper byte is the size of a bit field.
    const std::uint32_t bits = type.has_flag() ? word(at + 8) & 0xffffff : word(at + 8);
    const bool is_bit_field = type.has_flag() && word(at + 8) >> 24 != 0;
    if (bits / 8 > INT_MAX / 2) continue;
    const int offset = static_cast<int>(bits / 8);
    if (own == wanted && !is_bit_field) {
      const auto size = size_of_type(word(at + 4), depth + 1);
      if (!size || *size > INT_MAX / 2) return std::nullopt;
      return Member{offset, static_cast<int>(*size)};
    }
    if (!own.empty()) continue;
    if (auto inner = member_of(word(at + 4), wanted, depth + 1, searched)) {
      inner->offset += offset;
      return inner;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> KernelTypes::struct_of(std::string_view name) const {
  const std::uint32_t id =
      structs_.find(name, [this](std::uint32_t other) { return name_of_type(other); });
  if (id == NameIndex::kNone) return std::nullopt;
  const Type found = record_of(id);
  return found.kind() == kTypedef ? found.size_or_type : id;
}

std::optional<KernelTypes::Member> KernelTypes::member(std::string_view type,
                                                       std::string_view name) const {
  const auto found = struct_of(type);
  Searched searched;
  return !found || name.empty() ? std::nullopt : member_of(*found, name, 0, searched);
}

std::size_t KernelTypes::size_of(std::string_view type) const {
  const auto found = struct_of(type);
  return found ? record_of(*found).size_or_type : 0;
}

std::optional<std::uint64_t> KernelTypes::enumerator(std::string_view name) const {
  const std::uint32_t at =
      enumerators_.find(name, [this](std::uint32_t other) { return name_of_enumerator(other); });
  if (at == NameIndex::kNone) return std::nullopt;
  const auto after = std::upper_bound(types_.begin(), types_.end(), at);
  const Type owner = record_of(static_cast<std::uint32_t>(after - types_.begin() - 1));
  const std::uint64_t value = word(at + 4);
  if (owner.kind() == kEnum64) return value | std::uint64_t{word(at + 8)} << 32;
  return owner.has_flag() ? static_cast<std::uint64_t>(static_cast<std::int32_t>(value)) : value;
}

}  // namespace physmem::collect
