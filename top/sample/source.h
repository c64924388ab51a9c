// SPDX-License-Identifier: MIT
// Where rounds come from: this machine, or a file.
#pragma once

#include <cstdint>
#include <memory>

#include "program/result.h"
#include "top/model/details.h"
#include "top/model/round.h"

namespace physmem::top {

class RoundSource {
 public:
  virtual ~RoundSource() = default;
  RoundSource() = default;
  RoundSource(const RoundSource&) = delete;
  RoundSource& operator=(const RoundSource&) = delete;

  /// Requests the details of a process in the round with this number. A later call replaces it.
  virtual void request_details(std::uint64_t pid, std::uint64_t round) = 0;
  /// The last details that were read; nullptr: none.
  virtual std::shared_ptr<const Details> details() = 0;
  /// Why there are no details; empty: they may follow.
  virtual std::string no_details() const = 0;
};

}  // namespace physmem::top
