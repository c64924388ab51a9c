// SPDX-License-Identifier: MIT
// Decoders for the compressed forms of a snapshot, step by step. compact_codec.h has one more.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace physmem {

class Codec {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    bool finished = false;  ///< the end of one compressed stream; another may follow
    std::string error = {};
    std::string too_large = {};  ///< not damaged: how much memory it takes, and what to do
  };

  virtual ~Codec() = default;
  /// For messages.
  virtual const char* form() const { return "compressed data"; }
  virtual Step step(std::string_view in, char* out, std::size_t out_size) = 0;
  /// Prepares for the next stream in the same file.
  virtual void restart() = 0;
};

/// Chooses by magic bytes. nullptr if `head` has no known form. Six bytes are enough.
std::unique_ptr<Codec> codec_for(std::string_view head);

inline constexpr std::size_t kMagicSize = 6;

}  // namespace physmem
