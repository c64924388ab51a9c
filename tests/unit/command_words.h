// SPDX-License-Identifier: MIT
// The words of a command line as main() receives them, for parsers that reorder them.
#pragma once

#include <string>
#include <vector>

namespace physmem {

class CommandWords {
 public:
  CommandWords(std::string program, std::vector<std::string> words) : words_(std::move(words)) {
    words_.insert(words_.begin(), std::move(program));
    for (std::string& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
  }

  /// The result of `parse_options` for these words.
  template <class Parse>
  auto given_to(Parse parse_options) && {
    return parse_options(static_cast<int>(words_.size()), argv_.data());
  }

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
};

}  // namespace physmem
