// SPDX-License-Identifier: MIT
#include "analyzer/parse/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace physmem {
namespace {

constexpr std::size_t kPieces = 4;
constexpr std::size_t kPiece = kReadAhead / kPieces;

struct Piece {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
};

class ReadAhead : public ByteSource {
 public:
  explicit ReadAhead(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)), free_(kPieces) {
    for (Piece& piece : free_) piece.bytes.reset(new char[kPiece]);
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
      // Reading is only slower then.
    }
  }
  ~ReadAhead() override {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    changed_.notify_all();
    inner_->interrupt();
    thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  Result<std::size_t> read(char* to, std::size_t size) override {
    if (!thread_.joinable()) return inner_->read(to, size);
    if (done_ == current_.size) {
      auto next = take();
      if (!next) return next.error();
      if (next->size == 0) return std::size_t{0};
      current_ = std::move(*next);
    }
    const std::size_t n = std::min(size, current_.size - done_);
    std::memcpy(to, current_.bytes.get() + done_, n);
    done_ += n;
    return n;
  }
  PredecodedRuns* predecoded_runs() override { return inner_->predecoded_runs(); }

 private:
  /// Returns the used piece and takes the next one, which is empty at the end.
  Result<Piece> take() {
    std::unique_lock lock(mutex_);
    if (current_.bytes) free_.push_back(std::exchange(current_, {}));
    done_ = 0;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !full_.empty() || has_ended_; });
    if (full_.empty() && thrown_) std::rethrow_exception(thrown_);
    if (full_.empty() && error_) return *error_;
    if (full_.empty()) return Piece{};
    Piece piece = std::move(full_.front());
    full_.erase(full_.begin());
    return piece;
  }

  void work() {
    while (true) {
      Piece piece;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stops_ || !free_.empty(); });
        if (stops_) return;
        piece = std::move(free_.back());
        free_.pop_back();
      }
      if (!fill(piece)) return;
    }
  }

  /// Reads the next piece. False at the end of the input or after an error.
  bool fill(Piece& piece) {
    Result<std::size_t> n{std::size_t{0}};
    std::exception_ptr thrown;
    try {
      n = inner_->read(piece.bytes.get(), kPiece);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    thrown_ = thrown;
    if (!n) error_ = n.error();
    has_ended_ = thrown_ || !n || *n == 0;
    if (!has_ended_) {
      piece.size = *n;
      full_.push_back(std::move(piece));
    }
    changed_.notify_all();
    return !has_ended_;
  }

  std::unique_ptr<ByteSource> inner_;  ///< used only by the thread while it runs
  Piece current_;                      ///< piece that the reader uses
  std::size_t done_ = 0;               ///< bytes of it that were read

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Piece> free_;
  std::vector<Piece> full_;  ///< in the order of their bytes
  bool stops_ = false;
  bool has_ended_ = false;  ///< after the pieces in full_
  std::optional<Error> error_;
  std::exception_ptr thrown_;

  std::thread thread_;
};

}  // namespace

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> inner) {
  return std::make_unique<ReadAhead>(std::move(inner));
}

}  // namespace physmem
