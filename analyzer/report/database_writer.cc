// SPDX-License-Identifier: MIT
#include "analyzer/report/database_writer.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <ostream>
#include <system_error>
#include <variant>

#include "analyzer/report/cell_text.h"
#include "analyzer/report/spool.h"
#include "program/printable.h"
#include "program/temporary_file.h"

namespace physmem {
namespace {

/// No journal and no waiting for the disk: if the program ends early, the file is gone.
constexpr const char* kBegin =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; "
    "PRAGMA temp_store = FILE; BEGIN";

int bind(sqlite3_stmt* statement, int column, const Cell& cell) {
  if (const std::string* text = plain_text(cell)) {
    const std::string name = for_export(*text);
    return sqlite3_bind_text(statement, column, name.data(), static_cast<int>(name.size()),
                             SQLITE_TRANSIENT);  // NOLINT
  }
  if (const auto* number = std::get_if<std::uint64_t>(&cell))
    return sqlite3_bind_int64(statement, column, static_cast<sqlite3_int64>(*number));
  if (const auto* real = std::get_if<double>(&cell))
    return sqlite3_bind_double(statement, column, *real);
  return sqlite3_bind_null(statement, column);
}

std::string insertion(const std::string& table, std::size_t columns) {
  std::string sql = "INSERT OR REPLACE INTO " + table + " VALUES (";
  for (std::size_t i = 0; i < columns; ++i) sql += i == 0 ? "?" : ",?";
  return sql + ")";
}

}  // namespace

struct DatabaseWriter::Impl {
  Impl();
  ~Impl() { close(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void close();
  void fail(const std::string& reason);
  /// True unless the result is an error, which is kept.
  bool check(int result);
  sqlite3_stmt* insertion_into(const std::string& table, std::size_t columns);

  std::string folder = temporary_folder();
  UniqueFd file;
  sqlite3* database = nullptr;
  std::map<std::string, sqlite3_stmt*> insertions;
  std::string error;
};

/// SQLite opens a file by its name, which is removed as soon as that has happened.
DatabaseWriter::Impl::Impl() {
  const UniqueFd place(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  NamedFile named =
      place ? create_named(place.get(), {".physmem-sqlite-"}, 0600) : NamedFile{UniqueFd(), ""};
  if (!named.file) {
    fail(std::generic_category().message(errno));
    return;
  }
  file = std::move(named.file);
  const std::string path = folder + "/" + named.name;
  const int result = sqlite3_open_v2(path.c_str(), &database,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE, nullptr);
  ::unlinkat(place.get(), named.name.c_str(), 0);
  if (check(result)) check(sqlite3_exec(database, kBegin, nullptr, nullptr, nullptr));
}

void DatabaseWriter::Impl::close() {
  for (const auto& [table, statement] : insertions) sqlite3_finalize(statement);
  insertions.clear();
  if (database != nullptr) sqlite3_close(database);
  database = nullptr;
}

void DatabaseWriter::Impl::fail(const std::string& reason) {
  if (error.empty())
    error = "cannot write a temporary database in " + for_terminal(folder) + ": " + reason +
            "; TMPDIR names another folder";
}

bool DatabaseWriter::Impl::check(int result) {
  const bool is_good = result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW;
  if (!is_good) fail(database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(result));
  return is_good;
}

sqlite3_stmt* DatabaseWriter::Impl::insertion_into(const std::string& table, std::size_t columns) {
  sqlite3_stmt*& statement = insertions[table];
  if (statement == nullptr)
    check(sqlite3_prepare_v2(database, insertion(table, columns).c_str(), -1, &statement, nullptr));
  return statement;
}

DatabaseWriter::DatabaseWriter() : impl_(std::make_unique<Impl>()) {}

DatabaseWriter::~DatabaseWriter() = default;

void DatabaseWriter::execute(std::string_view sql) {
  if (impl_->error.empty())
    impl_->check(
        sqlite3_exec(impl_->database, std::string(sql).c_str(), nullptr, nullptr, nullptr));
}

void DatabaseWriter::insert(const std::string& table, const std::vector<Cell>& row) {
  if (!impl_->error.empty()) return;
  sqlite3_stmt* const statement = impl_->insertion_into(table, row.size());
  if (statement == nullptr) return;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!impl_->check(bind(statement, static_cast<int>(i) + 1, row[i]))) return;
  impl_->check(sqlite3_step(statement));
  sqlite3_reset(statement);
}

const std::string& DatabaseWriter::error() const {
  return impl_->error;
}

void DatabaseWriter::copy_to(std::ostream& out) {
  execute("COMMIT");
  impl_->close();
  std::vector<char> piece(std::size_t{64} << 10);
  for (off_t at = 0; out && impl_->error.empty();) {
    const ssize_t n = ::pread(impl_->file.get(), piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return impl_->fail(std::generic_category().message(errno));
    if (n == 0) return;
    out.write(piece.data(), n);
    at += n;
  }
}

}  // namespace physmem
