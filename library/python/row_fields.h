// SPDX-License-Identifier: MIT
// The fields of each kind of row and of SnapshotInfo: attributes of rows, and columns of tables.
// This is their only list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "library/python/column_data.h"
#include "physmem/difference.h"
#include "physmem/info.h"
#include "physmem/rows.h"

namespace physmem_python {

/// A member of a row, or a function that computes the value from others.
template <class Row>
struct FieldSource {
  using Type = std::variant<std::uint64_t Row::*, std::optional<std::uint64_t> Row::*,
                            std::optional<double> Row::*, std::string Row::*,
                            std::string_view Row::*, std::uint64_t (*)(const Row&),
                            std::int64_t (*)(const Row&), std::string (*)(const Row&)>;
};
template <>
struct FieldSource<physmem::SnapshotInfo> {
  using Info = physmem::SnapshotInfo;
  using Type = std::variant<std::uint64_t Info::*, std::optional<std::uint64_t> Info::*,
                            std::string Info::*, bool Info::*, int Info::*>;
};

template <class Row>
struct Field {
  const char* name;
  typename FieldSource<Row>::Type source;
  const char* doc;

  ColumnKind kind() const {
    if (std::holds_alternative<std::optional<std::uint64_t> Row::*>(source))
      return ColumnKind::kOptionalNumber;
    if (std::holds_alternative<std::optional<double> Row::*>(source))
      return ColumnKind::kOptionalReal;
    if (std::holds_alternative<std::int64_t (*)(const Row&)>(source))
      return ColumnKind::kDifference;
    const bool is_number = std::holds_alternative<std::uint64_t Row::*>(source) ||
                           std::holds_alternative<std::uint64_t (*)(const Row&)>(source);
    return is_number ? ColumnKind::kNumber : ColumnKind::kText;
  }

  /// Calls take(value) with the value of this field, whose type is one of FieldSource.
  template <class Take>
  auto visit(const Row& row, Take take) const {
    return std::visit(
        [&](auto from) {
          if constexpr (std::is_member_object_pointer_v<decltype(from)>)
            return take(row.*from);
          else
            return take(from(row));
        },
        source);
  }
};

template <class Row>
std::span<const Field<Row>> fields_of();

template <>
std::span<const Field<physmem::ProcessRow>> fields_of();
template <>
std::span<const Field<physmem::AreaRow>> fields_of();
template <>
std::span<const Field<physmem::UnitRow>> fields_of();
template <>
std::span<const Field<physmem::MappingRow>> fields_of();
template <>
std::span<const Field<physmem::UserRow>> fields_of();
template <>
std::span<const Field<physmem::CgroupRow>> fields_of();
template <>
std::span<const Field<physmem::RegionRow>> fields_of();
template <>
std::span<const Field<physmem::LedgerRow>> fields_of();
template <>
std::span<const Field<physmem::FrameOwnerRow>> fields_of();
template <>
std::span<const Field<physmem::CounterRow>> fields_of();
template <>
std::span<const Field<physmem::ProcessChangeRow>> fields_of();
template <>
std::span<const Field<physmem::AreaChangeRow>> fields_of();
template <>
std::span<const Field<physmem::UnitChangeRow>> fields_of();
template <>
std::span<const Field<physmem::SnapshotInfo>> fields_of();

}  // namespace physmem_python
