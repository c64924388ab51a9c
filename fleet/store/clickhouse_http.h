// SPDX-License-Identifier: MIT
// Requests to one ClickHouse server over HTTP, by libcurl.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fleet/store/clickhouse_url.h"
#include "program/result.h"

namespace physmem::fleet {

/// Rows of an INSERT, a part of them at a time.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// The next ones, valid until the next call; empty: there are no more.
  virtual std::string_view next() = 0;
  /// Begins with the first ones again.
  virtual void restart() = 0;
};

/// Rows that are in memory.
class TextRows : public RowSource {
 public:
  explicit TextRows(std::string_view rows) : rows_(rows), rest_(rows) {}
  std::string_view next() override { return std::exchange(rest_, {}); }
  void restart() override { rest_ = rows_; }

 private:
  std::string_view rows_, rest_;
};

struct HttpRequest {
  std::string sql;
  /// In the format that `sql` states. Without rows, `sql` itself is the body.
  RowSource* rows = nullptr;
  std::vector<std::pair<std::string, std::string>> settings;  ///< of ClickHouse
};

/// What became of a request.
struct HttpOutcome {
  enum class Kind : std::uint8_t {
    kDone,
    kLost,     ///< no answer, or not all of it: the server may or may not have done it
    kBusy,     ///< the server could not do it now
    kRefused,  ///< the server answered with an error that will not go away
    kStopped,  ///< `take` returned false
  };
  Kind kind = Kind::kDone;
  int code = 0;      ///< ClickHouse's number of the error; 0: it has none
  std::string text;  ///< of the error, with the name of the server

  explicit operator bool() const { return kind == Kind::kDone; }
  Error error() const;
  bool may_be_repeated() const { return kind == Kind::kLost || kind == Kind::kBusy; }
};

class ClickhouseHttp {
 public:
  /// A piece of the answer; false stops it.
  using TakePiece = std::function<bool(std::string_view)>;

  /// One connection, which is kept between requests.
  ClickhouseHttp(const ClickhouseUrl& url, std::string host);
  ~ClickhouseHttp();
  ClickhouseHttp(ClickhouseHttp&&) noexcept;
  ClickhouseHttp& operator=(ClickhouseHttp&&) noexcept;

  const std::string& host() const;
  /// `take` is called only if HTTP's status is 200. Without it, an answer that is not empty is an
  /// error: statements that change something answer with nothing, or with an error message that
  /// came too late for the status.
  HttpOutcome send(const HttpRequest& request, const TakePiece& take = {});

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace physmem::fleet
