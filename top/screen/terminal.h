// SPDX-License-Identifier: MIT
// The terminal, by ncursesw. The only file that knows it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "program/result.h"
#include "top/screen/keys.h"
#include "top/screen/styled.h"

namespace physmem::top {

/// The destructor restores the terminal.
class Terminal {
 public:
  /// An error if standard input or output is no terminal, or if its type cannot move the cursor.
  static Result<std::unique_ptr<Terminal>> open();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::size_t width() const;
  std::size_t height() const;
  /// Takes over the size of the terminal after SIGWINCH.
  void resize();
  /// Only the cells that changed are written.
  void draw(const std::vector<Line>& lines);
  /// The next key or click that was read; nothing if there is none.
  std::optional<Key> read();

 private:
  Terminal() = default;
};

}  // namespace physmem::top
