// SPDX-License-Identifier: MIT
#include "tests/conformance/workload_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace physmem::conformance {
namespace {

using namespace std::chrono_literals;

// Exit status of a collector for an incomplete snapshot; the snapshot lists what is missing.
constexpr int kIncomplete = 5;

// PHYSMEM_COLLECTOR in the environment names another collector: any command that takes --pid LIST.
std::string collector() {
  const char* other = std::getenv("PHYSMEM_COLLECTOR");
  return other != nullptr ? other : PHYSMEM_COLLECTOR;
}

std::vector<Stretch> parse_pattern(const std::string& text) {
  std::vector<Stretch> stretches;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    const std::size_t star = item.find('*');
    stretches.push_back({std::stoull(item.substr(0, star)), item.substr(star + 1)});
  }
  return stretches;
}

// Only a broken program reaches it.
constexpr auto kTimeout = 60s;

// The state letter of a stat file. The name before it may contain any characters, including line
// ends.
char state_in(const std::filesystem::path& stat) {
  std::ifstream file(stat);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t close = text.rfind(')');
  return close == std::string::npos || close + 2 >= text.size() ? '?' : text[close + 2];
}

// Whether each thread is in one of these states.
bool is_in(std::string_view states, std::uint64_t pid) {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/" + std::to_string(pid) + "/task",
                                                    error);
  return !error && std::all_of(begin(threads), end(threads), [states](const auto& thread) {
    return states.find(state_in(thread.path() / "stat")) != std::string_view::npos;
  });
}

}  // namespace

StoppedProgram::StoppedProgram(const std::vector<std::string>& words) {
  std::string folder = testing::TempDir() + "/physmem-workload-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = folder;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  ::prctl(PR_SET_CHILD_SUBREAPER,
          1);  // children of a child that ends become ours, to be waited for
  child_ = ::fork();
  if (child_ == 0) run(words, ends[1]);
  ::setpgid(child_, child_);
  ::close(ends[1]);
  read_output(ends[0]);
  ::close(ends[0]);
  if (skip_reason_.empty()) wait_until_still();
}

StoppedProgram::~StoppedProgram() {
  ::kill(-child_, SIGKILL);
  // Waits for the whole group, because settings of the machine are restored next, and hugetlb pages
  // in use would remain.
  while (::waitpid(-child_, nullptr, 0) > 0 || errno == EINTR) continue;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void StoppedProgram::run(const std::vector<std::string>& words, int output) {
  ::setpgid(0, 0);
  ::dup2(output, STDOUT_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  if (::chdir(folder_.c_str()) == 0) ::execvp(argv[0], argv.data());
  ::_exit(127);
}

void StoppedProgram::read_output(int input) {
  const std::unique_ptr<FILE, int (*)(FILE*)> stream(::fdopen(::dup(input), "r"), std::fclose);
  std::unique_ptr<char, decltype(&std::free)> line(nullptr, std::free);
  char* raw = nullptr;
  std::size_t capacity = 0;
  std::string text;
  while (text != "ready" && skip_reason_.empty()) {
    const ssize_t length = ::getline(&raw, &capacity, stream.get());
    line.release();
    line.reset(raw);
    if (length <= 0) throw std::runtime_error("the workload ended too early");
    text.assign(raw, static_cast<std::size_t>(length) - 1);
    take_line(text);
  }
}

void StoppedProgram::take_line(const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  if (kind == "skip") {
    skip_reason_ = line.substr(5);
  } else if (kind == "process") {
    words >> pids_.emplace_back();
  } else if (kind == "same_memory") {
    auto& [pid, owner] = sharers_.emplace_back();
    words >> pid >> owner;
  } else if (kind == "expect") {
    Expectation expected;
    std::string pattern;
    words >> expected.pid >> std::hex >> expected.start >> std::dec >> expected.bytes >> pattern;
    std::getline(words >> std::ws, expected.unit);
    expected.stretches = parse_pattern(pattern);
    expectations_.push_back(std::move(expected));
  }
}

void StoppedProgram::wait_until_still() const {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  for (const std::uint64_t pid : pids_) {
    // The parent of a vfork child waits for it in state D. Other tasks are in it only
    // briefly.
    const bool is_parent = std::any_of(sharers_.begin(), sharers_.end(),
                                       [pid](const auto& s) { return s.second == pid; });
    while (!is_in(is_parent ? "TZD" : "TZ", pid)) {
      if (std::chrono::steady_clock::now() > end)
        throw std::runtime_error("process " + std::to_string(pid) + " does not stop");
      std::this_thread::sleep_for(1ms);
    }
  }
}

std::string StoppedProgram::collect(const std::string& options) const {
  return output_of(collector() + " --pid " + comma_list(pids_) + " " + options);
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::vector<char> piece(1 << 16);
  for (std::size_t got = 1; got > 0; text.append(piece.data(), got))
    got = std::fread(piece.data(), 1, piece.size(), pipe);
  const int status = ::pclose(pipe);
  const bool is_done =
      WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kIncomplete);
  if (!is_done)
    throw std::runtime_error("failed with status " + std::to_string(status) + ": " + command);
  return text;
}

std::string comma_list(const std::vector<std::uint64_t>& pids) {
  std::string list;
  for (const std::uint64_t pid : pids) list += (list.empty() ? "" : ",") + std::to_string(pid);
  return list;
}

}  // namespace physmem::conformance
