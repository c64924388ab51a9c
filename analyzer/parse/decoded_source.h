// SPDX-License-Identifier: MIT
// The text of a compressed input, and of the compact form of snapshots.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "program/result.h"

namespace physmem {

/// Which forms of an input are decoded. Its first bytes determine the form.
enum class Undo {
  kNothing,
  kCompression,  ///< gzip, zstd, xz and lz4
  kAll,          ///< and the compact form of snapshots, compressed or not
};

/// An input and its first bytes.
struct Opened {
  std::string head;
  std::unique_ptr<ByteSource> source;  ///< also returns the head
};

/// Reads the first `size` bytes, or all if the input is shorter.
Result<Opened> with_head(std::unique_ptr<ByteSource> inner, std::size_t size);

/// Decodes the form that `inner` has, or passes its bytes through. `name` is for messages.
Result<std::unique_ptr<ByteSource>> decoded(std::unique_ptr<ByteSource> inner,
                                            const std::string& name, Undo undo = Undo::kAll);

}  // namespace physmem
