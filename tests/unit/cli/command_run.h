// SPDX-License-Identifier: MIT
// Runs physmem-analyze in this process, with files in a temporary directory.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/cli/parse_options.h"
#include "analyzer/cli/run.h"
#include "program/messages.h"
#include "tests/unit/command_words.h"

namespace physmem {

class CommandRun : public testing::Test {
 protected:
  CommandRun()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("physmem_cli_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~CommandRun() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /// The exit status of the command with these arguments. Stores its standard error in messages_.
  Exit command(std::vector<std::string> arguments) {
    std::ostringstream messages;
    const auto options =
        CommandWords("physmem-analyze", std::move(arguments)).given_to(parse_options);
    const Exit status =
        options ? run(*options, messages) : report_error(messages, kProgramName, options.error());
    messages_ = messages.str();
    return status;
  }

  std::string messages_;

 private:
  std::filesystem::path folder_;
};

}  // namespace physmem
