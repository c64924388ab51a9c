// SPDX-License-Identifier: MIT
// Stores by their URL.
#pragma once

#include <memory>
#include <string>

#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// What messages expect as a store.
inline constexpr const char* kStoreForm = "sqlite:FILE, FILE.db or clickhouse+http://HOST/DATABASE";

/// Opens sqlite:FILE, FILE ending in .db, or clickhouse+http[s]://…. `notice`
/// may be empty.
Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreAccess access,
                                          Store::Notice notice = {});

/// The SQL that creates this store, or `sqlite`, or the default database of `clickhouse`. Nothing
/// is opened.
Result<std::string> schema_of(const std::string& store);

/// The URL without user, password and settings, to show it.
std::string shown_store(const std::string& url);

}  // namespace physmem::fleet
