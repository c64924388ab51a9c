// SPDX-License-Identifier: MIT
// Where the bytes of a snapshot come from: a file, a pipe, or a compressed form of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "program/result.h"

namespace physmem {

class PredecodedRuns;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads at most `size` bytes, at least one unless the end is reached, which is 0.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;

  /// A read() that waits in another thread for bytes that do not come ends now; so does each that
  /// follows.
  virtual void interrupt() {}

  /// All that read() would give, where it is, for a file that can be mapped: then nobody reads.
  /// Without data() for all other sources. Bytes before and behind as MappedFile has them.
  virtual std::string_view text() const { return {}; }
  /// Of text(): nobody looks before `offset` any more.
  virtual void release(std::uint64_t offset) { static_cast<void>(offset); }
  /// Entries that are not in what read() gives, once somebody wants them here; nullptr where there
  /// are none. Only who wants them can read what follows.
  virtual PredecodedRuns* predecoded_runs() { return nullptr; }
  /// What went wrong with text() since it was given.
  virtual Status state() const { return {}; }
};

/// What is made of the bytes of an input, when its first ones say that it has such a form.
enum class Undo {
  kNothing,
  kCompression,  ///< gzip, zstd, xz and lz4
  kAll,          ///< and the compact form of snapshots, also where it was compressed
};

/// Opens a file, or standard input for "-". With `has_threads` what must be read or decompressed
/// is, on a thread of its own (read_ahead.h).
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path, Undo undo = Undo::kAll,
                                                bool has_threads = false);

/// The text itself; it must outlive the source. For tests and fuzzers.
std::unique_ptr<ByteSource> text_source(std::string_view text);

/// An input whose first bytes were looked at.
struct Opened {
  std::string head;
  std::unique_ptr<ByteSource> source;  ///< gives the head, too
};

/// Reads the first `size` bytes, or all that there are.
Result<Opened> with_head(std::unique_ptr<ByteSource> inner, std::size_t size);

/// Undoes what `inner` begins with, or passes it through. `name` is for messages.
Result<std::unique_ptr<ByteSource>> decoded(std::unique_ptr<ByteSource> inner,
                                            const std::string& name, Undo undo = Undo::kAll);

}  // namespace physmem
