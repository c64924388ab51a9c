// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "fleet/sql/sql_section.h"
#include "fleet/store/checked_sums.h"
#include "program/output_target.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

/// How long a statement waits for another program that writes. A program that writes waits longer,
/// for one that was stopped or is of an older version, whose `rollup` sums up a whole day at once.
constexpr int kBusyMs = 60'000;
constexpr int kWriterBusyMs = 30 * kBusyMs;
constexpr int kPollMs = 50;

/// Whether to wait on.
int wait_unless_interrupted(void*, int calls) {
  if (interrupted() || calls >= kWriterBusyMs / kPollMs) return 0;
  sqlite3_sleep(kPollMs);
  return 1;
}

/// What SQLite's codes mean to a user. `number` is the system's error number, or 0.
std::string meaning(int code, int number, const char* message) {
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      return "is not a database of SQLite";
    case SQLITE_FULL:
      return "cannot write: the disk is full";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another program has had it locked for too long; try again when that has ended";
    case SQLITE_READONLY:
      return "cannot write: it or its folder is read-only";
    case SQLITE_CORRUPT:
      return "is damaged (sqlite3 FILE .recover may save a part)";
    case SQLITE_INTERRUPT:
      return "interrupted";
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return number == 0 ? message : fmt::format("{}: {}", message, std::strerror(number));
    default:
      return message;
  }
}

/// errno of the call that failed; 0: not known.
int system_error(sqlite3* database) {
  int number = sqlite3_system_errno(database);
  if (number == 0) sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}

/// SQLite opens other files too, and fails later with a message that does not name the reason.
std::string problem_of(const std::string& path) {
  struct stat status {};
  if (::access(path.c_str(), R_OK) != 0 || ::stat(path.c_str(), &status) != 0)
    return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return std::strerror(EISDIR);
  return S_ISREG(status.st_mode) ? "" : "it is not a regular file";
}

/// A journal that neither this user, nor root, nor the owner of the store has made.
std::string problem_of_journals(const OutputPlace& place, uid_t owner) {
  for (const char* const ending : {"-journal", "-wal"}) {
    const std::string name = place.name + ending;
    struct stat found {};
    if (::fstatat(place.folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(found.st_mode)) return name + " beside it is not a regular file; remove it";
    if (!is_trusted_owner(found.st_uid) && found.st_uid != owner)
      return name + " beside it is a file of user " + std::to_string(found.st_uid) +
             ", and SQLite would write into the store what it contains; remove it";
  }
  return "";
}

/// SQLite copies the contents of STORE-journal and STORE-wal into the store, also if the files are
/// another user's. It looks for them at each transaction, even if it only reads.
std::string problem_of_folder(const std::string& path) {
  const OutputPlace place = find_output(path);
  struct stat folder {};
  if (!place.problem.empty() || place.descriptor) return place.problem;
  if (::fstat(place.folder.get(), &folder) != 0) return std::strerror(errno);
  const uid_t owner = place.found ? place.found->st_uid : ::geteuid();
  const bool is_of_other = !is_trusted_owner(folder.st_uid) && folder.st_uid != owner;
  if (!is_shared_folder(folder) && !is_of_other) return problem_of_journals(place, owner);
  const std::string who =
      is_of_other ? "user " + std::to_string(folder.st_uid) + " owns its folder"
                  : "all users can write to its folder";
  return who + ", and SQLite would write into it what is put into " + place.name +
         "-journal; move it to a folder of its own";
}

}  // namespace

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_, parameter, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::uint64_t number) {
  sqlite3_bind_int64(statement_, parameter, static_cast<sqlite3_int64>(number));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, const std::optional<std::uint64_t>& number) {
  if (number) return bind(parameter, *number);
  sqlite3_bind_null(statement_, parameter);
  return *this;
}

bool SqliteStatement::has(const char* parameter) const {
  return sqlite3_bind_parameter_index(statement_, parameter) != 0;
}

SqliteStatement& SqliteStatement::bind(const char* name, std::uint64_t number) {
  const int parameter = sqlite3_bind_parameter_index(statement_, name);
  return parameter == 0 ? *this : bind(parameter, number);
}

SqliteStatement& SqliteStatement::bind(const char* name, const std::optional<std::string>& text) {
  const int parameter = sqlite3_bind_parameter_index(statement_, name);
  if (parameter == 0) return *this;
  if (text) return bind(parameter, std::string_view(*text));
  sqlite3_bind_null(statement_, parameter);
  return *this;
}

int SqliteStatement::step() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return 1;
  return result == SQLITE_DONE ? 0 : -1;
}

void SqliteStatement::reset() {
  sqlite3_reset(statement_);
}

int SqliteStatement::columns() const {
  return sqlite3_column_count(statement_);
}

bool SqliteStatement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

bool SqliteStatement::is_text(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_TEXT;
}

std::uint64_t SqliteStatement::number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
}

std::string SqliteStatement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return text == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}

bool SqliteArguments::is_null(int argument) const {
  return sqlite3_value_type(values_[argument]) == SQLITE_NULL;
}

std::uint64_t SqliteArguments::number(int argument) const {
  return static_cast<std::uint64_t>(sqlite3_value_int64(values_[argument]));
}

struct SqliteDatabase::Prepared {
  explicit Prepared(sqlite3_stmt* prepared) : raw(prepared), statement(prepared) {}
  ~Prepared() { sqlite3_finalize(raw); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  sqlite3_stmt* raw;
  SqliteStatement statement;
};

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::string& path,
                                                             StoreAccess access) {
  const auto failed = [&](const std::string& reason) {
    return Error{Error::Kind::kIo, fmt::format("{}: cannot open: {}", path, reason)};
  };
  if (const std::string problem = problem_of_folder(path); !problem.empty()) return failed(problem);
  if (access == StoreAccess::kCreate) {
    const OutputInPlace place = open_in_place(path, O_RDWR, kModeOfSnapshots);
    if (!place.problem.empty()) return failed(place.problem);
  }
  if (const std::string problem = problem_of(path); !problem.empty()) return failed(problem);
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(path));
  // Also to read: what a program that was killed has left must be rolled back.
  const int result = sqlite3_open_v2(
      path.c_str(), &database->database_,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (result != SQLITE_OK) return failed(sqlite3_errstr(result));
  sqlite3_busy_timeout(database->database_, kBusyMs);
  if (access != StoreAccess::kRead)
    sqlite3_busy_handler(database->database_, wait_unless_interrupted, nullptr);
  sqlite3_create_function_v2(
      database->database_, "take", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, database.get(), nullptr,
      take_row, [](sqlite3_context*) {}, nullptr);
  return database;
}

SqliteDatabase::SqliteDatabase(std::string path) : path_(std::move(path)) {}

SqliteDatabase::~SqliteDatabase() {
  prepared_.clear();
  sqlite3_close(database_);
}

Error SqliteDatabase::error() const {
  const int code = sqlite3_errcode(database_);
  if (std::string_view(sqlite3_errmsg(database_)) == "integer overflow") return too_large_sum();
  const bool is_input = (code & 0xFF) == SQLITE_NOTADB || (code & 0xFF) == SQLITE_CORRUPT;
  return {is_input ? Error::Kind::kBadInput : Error::Kind::kIo,
          fmt::format("{}: {}", path_,
                      meaning(code, system_error(database_), sqlite3_errmsg(database_)))};
}

Status SqliteDatabase::execute(std::string_view sql) {
  const std::string text(sql);
  if (sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return error();
  return {};
}

SqliteStatement* SqliteDatabase::statement(const std::string& sql) {
  std::unique_ptr<Prepared>& prepared = prepared_[sql];
  if (!prepared) {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v3(database_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &raw, nullptr) !=
        SQLITE_OK)
      return nullptr;
    prepared = std::make_unique<Prepared>(raw);
  }
  return &prepared->statement;
}

SqliteStatement* SqliteDatabase::named(std::string_view name) {
  if (const auto known = named_.find(name); known != named_.end()) return known->second;
  SqliteStatement* const statement = this->statement(std::string(sql_statement("sqlite", name)));
  if (statement != nullptr) named_.emplace(name, statement);
  return statement;
}

Status SqliteDatabase::run(SqliteStatement* statement) {
  if (statement == nullptr) return error();
  const bool is_done = statement->step() >= 0;
  Status status = is_done ? Status() : error();
  statement->reset();
  return status;
}

Result<std::optional<std::uint64_t>> SqliteDatabase::number(SqliteStatement* statement) {
  if (statement == nullptr) return error();
  const int step = statement->step();
  std::optional<std::uint64_t> found;
  if (step < 0) {
    Error problem = error();
    statement->reset();
    return problem;
  }
  if (step == 1 && !statement->is_null(0)) found = statement->number(0);
  statement->reset();
  return found;
}

Status SqliteDatabase::take_each(SqliteStatement* statement,
                                 const std::function<void(const SqliteArguments&)>& take) {
  if (statement == nullptr) return error();
  take_ = &take;
  Status status = run(statement);
  take_ = nullptr;
  return status;
}

void SqliteDatabase::take_row(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto* const database = static_cast<SqliteDatabase*>(sqlite3_user_data(context));
  if (database->take_ != nullptr) (*database->take_)(SqliteArguments(values));
}

std::uint64_t SqliteDatabase::last_id() const {
  return static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database_));
}

}  // namespace physmem::fleet
