// SPDX-License-Identifier: MIT
// A database of SQLite, and its statements.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fleet/sql/sql_section.h"
#include "fleet/store/store.h"
#include "program/result.h"

struct sqlite3;
struct sqlite3_context;
struct sqlite3_stmt;
struct sqlite3_value;

namespace physmem::fleet {

/// A part of fleet/sql/sqlite/statements.sql.
inline std::string_view sqlite_section(std::string_view name) {
  return sql_statement("sqlite", name);
}

/// A prepared statement. Texts that are bound must stay unchanged until it is reset.
class SqliteStatement {
 public:
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

  /// Parameters are counted from 1.
  SqliteStatement& bind(int parameter, std::string_view text);
  SqliteStatement& bind(int parameter, std::uint64_t number);
  SqliteStatement& bind(int parameter, const std::optional<std::uint64_t>& number);
  bool has(const char* parameter) const;
  /// By name; nothing happens if the statement does not have it.
  SqliteStatement& bind(const char* name, std::uint64_t number);
  SqliteStatement& bind(const char* name, const std::optional<std::string>& text);
  /// 1: there is a row, 0: there is none, otherwise negative.
  int step();
  void reset();

  int columns() const;
  bool is_null(int column) const;
  bool is_text(int column) const;
  std::uint64_t number(int column) const;
  std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

/// The arguments of take() in one row.
class SqliteArguments {
 public:
  explicit SqliteArguments(sqlite3_value** values) : values_(values) {}

  bool is_null(int argument) const;
  std::uint64_t number(int argument) const;

 private:
  sqlite3_value** values_;
};

class SqliteDatabase {
 public:
  static Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path, StoreAccess access);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  /// Statements without results.
  Status execute(std::string_view sql);
  /// Prepared once for each text. The caller resets it after use. nullptr after an error.
  SqliteStatement* statement(const std::string& sql);
  /// A part of fleet/sql/sqlite/statements.sql.
  SqliteStatement* named(std::string_view name);
  /// Runs a statement whose parameters are bound, and resets it. The statement may be nullptr.
  Status run(SqliteStatement* statement);
  /// The same. The number in its first row.
  Result<std::optional<std::uint64_t>> number(SqliteStatement* statement);
  /// Runs a statement that aggregates its rows with take(…), and resets it. `take` gets the
  /// arguments: millions of rows take two thirds of the time that steps with columns do.
  Status take_each(SqliteStatement* statement,
                   const std::function<void(const SqliteArguments&)>& take);
  /// Why the last call failed.
  Error error() const;
  std::uint64_t last_id() const;

 private:
  explicit SqliteDatabase(std::string path);
  static void take_row(sqlite3_context* context, int count, sqlite3_value** values);

  std::string path_;
  sqlite3* database_ = nullptr;
  const std::function<void(const SqliteArguments&)>* take_ = nullptr;  ///< of take_each()
  struct Prepared;
  std::map<std::string, std::unique_ptr<Prepared>> prepared_;
  std::map<std::string, SqliteStatement*, std::less<>> named_;
};

}  // namespace physmem::fleet
