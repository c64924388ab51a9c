// SPDX-License-Identifier: MIT
// Rows as a SQLite database.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// The database is a temporary file without a name in temporary_folder() (spool.h) until it is
/// copied to the output, so that the output can be a pipe and appears whole. SQLite holds a few MiB
/// of it in memory. After an error nothing is written.
class DatabaseWriter {
 public:
  DatabaseWriter();
  ~DatabaseWriter();
  DatabaseWriter(const DatabaseWriter&) = delete;
  DatabaseWriter& operator=(const DatabaseWriter&) = delete;

  /// Executes statements of SQL without results.
  void execute(std::string_view sql);
  /// Inserts a row, or replaces the row with the same key. Texts pass for_export().
  void insert(const std::string& table, const std::vector<Cell>& row);
  /// Empty, or the first error.
  const std::string& error() const;
  /// Completes the database and copies it. Must be the last call.
  void copy_to(std::ostream& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace physmem
