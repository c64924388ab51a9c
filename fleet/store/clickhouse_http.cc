// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_http.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "fleet/store/checked_sums.h"
#include "fleet/store/clickhouse_answer.h"

namespace physmem::fleet {
namespace {

constexpr std::size_t kMaxErrorText = 16384;
constexpr long kConnectSeconds = 10;

/// Errors of ClickHouse that pass: a connection to another server that ends or cannot be made, a
/// server that stops, too many queries at once, a limit of memory or time, too many parts to merge.
constexpr std::array kPassing{32, 33, 159, 198, 202, 209, 210, 236, 241, 242, 252, 279, 319};

/// throwIf(), and DECIMAL_OVERFLOW for sums that are larger still.
constexpr int kThrowIf = 395, kDecimalOverflow = 407;

void start_curl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) std::abort();
}

/// "All connection tries failed. Log: …Connection refused: (127.0.0.1:9000), …": (127.0.0.1:9000).
std::string shard_in(std::string_view text) {
  std::string shards;
  for (std::size_t at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    const std::size_t end = text.find(')', at);
    if (end == text.npos) break;
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    const std::size_t colon = inside.rfind(':');
    const bool is_place = colon != inside.npos && colon > 0 && colon + 1 < inside.size() &&
                          inside.find(' ') == inside.npos &&
                          inside.find_first_not_of("0123456789", colon + 1) == inside.npos;
    if (!is_place || shards.find(inside) != shards.npos) continue;
    shards += shards.empty() ? "" : ", ";
    shards += inside;
  }
  return shards;
}

/// The message of ClickHouse in one line of bounded length.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, 1000)) {
    const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return text.size() > 1000 ? line + "…" : line;
}

}  // namespace

Error HttpOutcome::error() const {
  const bool is_too_large = code == kThrowIf || code == kDecimalOverflow;
  return is_too_large ? too_large_sum() : Error{Error::Kind::kIo, text};
}

class ClickhouseHttp::Connection {
 public:
  Connection(const ClickhouseUrl& url, std::string host)
      : url_(url), host_(std::move(host)), base_((url.is_https ? "https://" : "http://") + host_) {
    start_curl();
    curl_ = curl_easy_init();
    if (curl_ == nullptr) std::abort();
    headers_ = curl_slist_append(headers_, "Content-Type: application/octet-stream");
    headers_ = curl_slist_append(headers_, "Expect:");
    for (const curl_slist* header = headers_; header != nullptr; header = header->next)
      chunked_headers_ = curl_slist_append(chunked_headers_, header->data);
    chunked_headers_ = curl_slist_append(chunked_headers_, "Transfer-Encoding: chunked");
    set_options();
  }
  ~Connection() {
    curl_slist_free_all(headers_);
    curl_slist_free_all(chunked_headers_);
    curl_easy_cleanup(curl_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::string& host() const { return host_; }

  HttpOutcome send(const HttpRequest& request, const TakePiece& take) {
    take_ = &take;
    status_ = 0;
    code_ = 0;
    error_[0] = '\0';
    text_.clear();
    is_stopped_ = false;
    has_headers_ = false;
    set(CURLOPT_URL, address(request).c_str());
    set_body(request);
    acknowledge_at_once();
    const CURLcode result = curl_easy_perform(curl_);
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status_);
    return outcome(result);
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_, option, value);
  }

  void set_options() {
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_POST, 1L);
    set(CURLOPT_PROTOCOLS_STR, url_.is_https ? "https" : "http");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_TIMEOUT, static_cast<long>(url_.timeout_seconds));
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_USERAGENT, "physmem-fleet");
    if (!url_.ca_file.empty()) set(CURLOPT_CAINFO, url_.ca_file.c_str());
    if (!url_.user.empty() || !url_.password.empty()) {
      set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
      set(CURLOPT_USERNAME, url_.user.empty() ? "default" : url_.user.c_str());
      set(CURLOPT_PASSWORD, url_.password.c_str());
    }
    set(CURLOPT_READFUNCTION, &Connection::give_rows);
    set(CURLOPT_READDATA, this);
    set(CURLOPT_SEEKFUNCTION, &Connection::seek_rows);
    set(CURLOPT_SEEKDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Connection::take_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Connection::take_header);
    set(CURLOPT_HEADERDATA, this);
  }

  /// Rows are sent as they come, in chunks.
  void set_body(const HttpRequest& request) {
    rows_ = request.rows;
    if (rows_ != nullptr) restart_rows();
    const bool has_rows = rows_ != nullptr;
    set(CURLOPT_HTTPHEADER, has_rows ? chunked_headers_ : headers_);
    set(CURLOPT_POSTFIELDSIZE_LARGE,
        has_rows ? curl_off_t{-1} : static_cast<curl_off_t>(request.sql.size()));
    set(CURLOPT_POSTFIELDS, has_rows ? nullptr : request.sql.data());
  }

  void restart_rows() {
    rows_->restart();
    piece_ = {};
  }

  static std::size_t give_rows(char* buffer, std::size_t size, std::size_t count, void* self) {
    auto* const connection = static_cast<Connection*>(self);
    std::string_view& piece = connection->piece_;
    if (piece.empty()) piece = connection->rows_->next();
    const std::size_t given = piece.copy(buffer, size * count);
    piece.remove_prefix(given);
    return given;
  }

  /// libcurl sends again if a connection that was kept has ended.
  static int seek_rows(void* self, curl_off_t offset, int origin) {
    if (offset != 0 || origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
    static_cast<Connection*>(self)->restart_rows();
    return CURL_SEEKFUNC_OK;
  }

  /// The server sends the head and the body of an answer in two packets, and waits for the
  /// acknowledgement of the first, which the kernel would delay by 40 ms on a connection that is
  /// used again.
  void acknowledge_at_once() {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(curl_, CURLINFO_ACTIVESOCKET, &socket);
    const int is_on = 1;
    if (socket != CURL_SOCKET_BAD)
      ::setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &is_on, sizeof is_on);
  }

  std::string encoded(const std::string& text) const {
    char* out = curl_easy_escape(curl_, text.data(), static_cast<int>(text.size()));
    std::string result = out == nullptr ? "" : out;
    curl_free(out);
    return result;
  }

  std::string address(const HttpRequest& request) const {
    std::string address = base_ + "/?";
    for (const auto& [name, value] : request.settings) address += name + "=" + encoded(value) + "&";
    if (request.rows != nullptr) address += "query=" + encoded(request.sql) + "&";
    address.pop_back();
    return address;
  }

  static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    return static_cast<Connection*>(self)->take(std::string_view(bytes, size * count));
  }

  static std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* self) {
    constexpr std::string_view kCode = "x-clickhouse-exception-code:";
    std::string line(bytes, size * count);
    std::transform(line.begin(), line.end(), line.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    auto* const connection = static_cast<Connection*>(self);
    if (line.starts_with(kCode))
      connection->code_ = static_cast<int>(std::strtol(line.c_str() + kCode.size(), nullptr, 10));
    connection->has_headers_ = line == "\r\n";
    return size * count;
  }

  std::size_t take(std::string_view bytes) {
    long status = 0;
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200 && code_ == 0 && *take_) {
      is_stopped_ = !(*take_)(bytes);
      return is_stopped_ ? 0 : bytes.size();
    }
    text_ += bytes.substr(0, kMaxErrorText - std::min(text_.size(), kMaxErrorText));
    return bytes.size();
  }

  HttpOutcome outcome(CURLcode result) const {
    if (is_stopped_)
      return {HttpOutcome::Kind::kStopped, 0, "store " + host_ + ": the answer was not read"};
    if (result != CURLE_OK && text_.empty()) return lost(result);
    if (!has_headers_) return lost(CURLE_GOT_NOTHING);
    if (status_ == 200 && text_.empty() && code_ == 0) return {};
    return refused();
  }

  HttpOutcome lost(CURLcode result) const {
    long number = 0;  // of the system
    curl_easy_getinfo(curl_, CURLINFO_OS_ERRNO, &number);
    std::string reason = error_[0] != '\0' ? error_.data() : curl_easy_strerror(result);
    if (result == CURLE_COULDNT_CONNECT && number != 0)
      reason = std::string("cannot connect: ") + std::strerror(static_cast<int>(number));
    if (result == CURLE_PEER_FAILED_VERIFICATION && url_.ca_file.empty())
      reason += " (ca=FILE in the URL names the authority of its certificate)";
    const bool is_final = result == CURLE_PEER_FAILED_VERIFICATION ||
                          result == CURLE_SSL_CACERT_BADFILE || result == CURLE_URL_MALFORMAT;
    return {is_final ? HttpOutcome::Kind::kRefused : HttpOutcome::Kind::kLost, 0,
            "store " + host_ + ": " + reason};
  }

  HttpOutcome refused() const {
    const std::string_view exception = exception_in(text_);
    const int code = code_ != 0 ? code_ : exception_code(exception);
    std::string text = "store " + host_ + ": ";
    const std::string shards = code == 279 || code == 210 || code == 209 ? shard_in(text_) : "";
    if (!shards.empty())
      text += "no answer from shard " + shards + ": ";
    else if (code == 0)
      text += "HTTP status " + std::to_string(status_) + ": ";
    text += in_one_line(exception.empty() ? std::string_view(text_) : exception);
    const bool is_passing =
        std::find(kPassing.begin(), kPassing.end(), code) != kPassing.end() ||
        (code == 0 && (status_ == 429 || status_ == 502 || status_ == 503 || status_ == 504));
    return {is_passing ? HttpOutcome::Kind::kBusy : HttpOutcome::Kind::kRefused, code,
            std::move(text)};
  }

  ClickhouseUrl url_;
  std::string host_;
  std::string base_;
  CURL* curl_ = nullptr;
  curl_slist* headers_ = nullptr;
  curl_slist* chunked_headers_ = nullptr;
  std::array<char, CURL_ERROR_SIZE> error_{};
  // The request that runs.
  RowSource* rows_ = nullptr;
  std::string_view piece_;  ///< of the rows, not sent yet
  const TakePiece* take_ = nullptr;
  long status_ = 0;
  int code_ = 0;
  std::string text_;
  bool is_stopped_ = false;
  bool has_headers_ = false;  ///< all of them: libcurl takes a connection that ends before for one
                              ///< without a body
};

ClickhouseHttp::ClickhouseHttp(const ClickhouseUrl& url, std::string host)
    : connection_(std::make_unique<Connection>(url, std::move(host))) {}
ClickhouseHttp::~ClickhouseHttp() = default;
ClickhouseHttp::ClickhouseHttp(ClickhouseHttp&&) noexcept = default;
ClickhouseHttp& ClickhouseHttp::operator=(ClickhouseHttp&&) noexcept = default;

const std::string& ClickhouseHttp::host() const {
  return connection_->host();
}

HttpOutcome ClickhouseHttp::send(const HttpRequest& request, const TakePiece& take) {
  return connection_->send(request, take);
}

}  // namespace physmem::fleet
