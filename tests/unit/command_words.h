// SPDX-License-Identifier: MIT
// The words of a command line as main() gets them, for parsers that move them about.
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

  /// What `parse_options` of the program makes of them.
  template <class Options>
  Options given_to(Options (*parse_options)(int, char**)) && {
    return parse_options(static_cast<int>(words_.size()), argv_.data());
  }

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
};

}  // namespace physmem
