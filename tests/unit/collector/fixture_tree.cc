// SPDX-License-Identifier: MIT
#include "tests/unit/collector/fixture_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "program/unique_fd.h"

namespace physmem::collect {
namespace {

std::string stat_line(const FakeTask& task, std::uint64_t first) {
  // Fields: state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime
  // cutime cstime priority nice threads itreal start vsize rss rsslim startcode endcode startstack
  // esp eip signal x4 wchan x2 exit_signal cpu rt
  std::string line = std::to_string(task.tid) + " (" + task.comm + ") " + task.state + " ";
  line += std::to_string(task.ppid) + " 1 1 0 -1 " + std::to_string(task.flags);
  for (std::uint64_t i = 0; i < 6; ++i) line += " " + std::to_string(first + i);
  line += " 0 0 20 0 " + std::to_string(task.threads) + " 0 5000 " + std::to_string(task.vsize) +
          (task.vsize == 0 ? " 0" : " 7") + " 18446744073709551615";
  line += " 11 12 13 0 0 0 0 0 0 0 0 0 17 3 0 0 0\n";
  return line;
}

}  // namespace

FixtureTree::FixtureTree() {
  std::string name = testing::TempDir() + "/physmem-fixture-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  root_ = name;
  file("meminfo",
       "MemTotal:           4096 kB\nActive(anon):         12 kB\nHugePages_Total:       0\n");
  file("swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2\tpartition\t1024\t0\t-2\n");
  file("kpagecount", "");
  file("kpageflags", "");
}

FixtureTree::~FixtureTree() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void FixtureTree::file(const std::string& path, std::string_view text) {
  const std::filesystem::path name = std::filesystem::path(root_) / path;
  std::filesystem::create_directories(name.parent_path());
  std::ofstream(name, std::ios::binary) << text;
}

void FixtureTree::link(const std::string& path, const std::string& target) {
  std::filesystem::create_symlink(target, std::filesystem::path(root_) / path);
}

void FixtureTree::remove(const std::string& path) {
  std::filesystem::remove(std::filesystem::path(root_) / path);
}

void FixtureTree::process(const FakeTask& task, std::string_view maps) {
  const std::string dir = std::to_string(task.tid) + "/";
  file(dir + "stat", stat_line(task, 100));
  file(dir + "status", "Name:\tx\nTgid:\t" + std::to_string(task.tid) + "\nUid:\t0\t0\t0\t0\n");
  file(dir + "cgroup", "0::/user.slice\n");
  thread(task.tid, task, maps);
}

void FixtureTree::thread(std::uint64_t pid, const FakeTask& task, std::string_view maps) {
  const std::string uid = std::to_string(task.uid);
  const std::string dir = std::to_string(pid) + "/task/" + std::to_string(task.tid) + "/";
  file(dir + "stat", stat_line(task, 10));
  file(dir + "status",
       "Name:\tx\nTgid:\t" + std::to_string(pid) + "\nUid:\t" + uid + "\t0\t0\t0\n");
  file(dir + "cgroup", "0::/user.slice\n");
  file(dir + "maps", maps);
  file(dir + "pagemap", std::string(8, '\0'));
}

void FixtureTree::entry(const std::string& path, std::uint64_t index, std::uint64_t value) {
  const UniqueFd fd(::open((root_ + "/" + path).c_str(), O_WRONLY | O_CREAT, 0600));
  const auto put =
      ::pwrite(fd.get(), &value, sizeof value, static_cast<off_t>(index * sizeof value));
  if (put != ssize_t{sizeof value}) throw std::runtime_error("cannot write " + path);
}

void FixtureTree::page(std::uint64_t pid, std::uint64_t address, std::uint64_t value) {
  const std::string id = std::to_string(pid);
  entry(id + "/task/" + id + "/pagemap", address / kPageSize, value);
}

void FixtureTree::frame(std::uint64_t pfn, std::uint64_t count, std::uint64_t flags) {
  entry("kpagecount", pfn, count);
  entry("kpageflags", pfn, flags);
}

std::vector<std::string> lines_of(const std::vector<Counter>& counters) {
  std::vector<std::string> lines;
  for (const Counter& counter : counters)
    lines.push_back(counter.name + "=" + std::to_string(counter.value));
  return lines;
}

Collected snapshot_of(const FixtureTree& fixture, const Scope& scope, std::size_t jobs) {
  Collected collected;
  const Machine machine{"x86_64", "6.1.0", kPageSize, 100, 1000, 2000};
  const Result<ProcTree> tree = ProcTree::open(fixture.root());
  TextOutput output;
  Progress progress(false);
  const Result<Losses> losses = Collector(*tree, scope, jobs).snapshot(machine, output, progress);
  if (losses) {
    collected.losses = *losses;
  } else {
    collected.error = losses.error().text;
    collected.status = exit_of(losses.error().kind);
  }
  const std::string& text = output.text();
  std::size_t start = text.find("\nT: ");
  start = start == std::string::npos ? text.size() : start + 1;
  collected.header = text.substr(0, start);
  collected.text = "\n" + text.substr(start);
  return collected;
}

}  // namespace physmem::collect
