// SPDX-License-Identifier: MIT
// Takes a snapshot from the kernel module with the options of physmem-collect: reduces the
// module's snapshot of all tasks to the selected ones.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Lines = std::vector<std::string_view>;
using Ids = std::set<std::uint64_t>;

struct Options {
  Ids pids;  // of processes or threads; all if empty
  bool with_pages = true;
  std::string from = "/dev/task_mem/0";  // or a file; - is standard input
};

/// One `T:` line with the areas that follow it.
struct Task {
  std::string_view moment;  // the line `G: at.…` before it
  std::string_view line;
  Lines areas;
  std::uint64_t pid = 0, tgid = 0, mm = 0;
};

struct Parts {
  Lines before, after;  // the tasks
  std::vector<Task> tasks;
};

std::string read_all(const std::string& name) {
  std::ifstream file(name == "-" ? "/proc/self/fd/0" : name);
  std::ostringstream text;
  text << file.rdbuf();  // fails if the file is empty
  if (!text) throw std::runtime_error("cannot read " + name + ": " + std::strerror(errno));
  return text.str();
}

Task task_of(std::string_view line) {
  Task task{{}, line, {}};
  std::istringstream fields{std::string(line)};
  std::string field;  // commas in names are escaped
  for (int i = 0; std::getline(fields, field, ','); ++i) {
    if (i == 1) task.pid = std::stoull(field);
    if (i == 2) task.mm = std::stoull(field, nullptr, 16);
    if (i == 10) task.tgid = std::stoull(field);
  }
  return task;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  std::string_view moment;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("T:")) {
      parts.tasks.push_back(task_of(line));
      parts.tasks.back().moment = std::exchange(moment, {});
    } else if (line.starts_with("G: at.")) {
      moment = line;
    } else if (parts.tasks.empty()) {
      parts.before.push_back(line);
    } else {
      const bool is_after =
          line.starts_with("G:") || line.starts_with("F:") || line.starts_with("E:");
      (is_after ? parts.after : parts.tasks.back().areas).push_back(line);
    }
  }
  if (parts.after.empty() || !parts.after.back().starts_with("E:"))
    throw std::runtime_error("the snapshot has no E: line, it was cut short");
  return parts;
}

Ids processes_of(const std::vector<Task>& tasks, const Ids& ids) {
  std::map<std::uint64_t, std::uint64_t> process_of;
  for (const Task& task : tasks) process_of[task.pid] = task.tgid;
  Ids processes;
  for (const std::uint64_t id : ids) {
    if (!process_of.contains(id))
      throw std::runtime_error("no process or thread " + std::to_string(id));
    processes.insert(process_of[id]);
  }
  return processes;
}

void put(std::string_view line) {
  std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
}

// Writes the lines and adds the numbers of VMAs, resident pages and swapped pages to totals.
void put_areas(const Lines& lines, bool with_pages, std::map<char, std::size_t>& totals) {
  char letter = ' ';
  for (const std::string_view line : lines) {
    if (line.size() > 1 && line[1] == ':') letter = line[0];  // otherwise a continuation line
    const bool is_pages = letter == 'M' || letter == 'S';
    totals[letter] +=
        is_pages ? static_cast<std::size_t>(std::count(line.begin(), line.end(), '|')) : 1;
    if (with_pages || !is_pages) put(line);
  }
}

// VMAs of a task that is not selected go to the first selected task of the same address space.
void put_reduced(const Parts& parts, const Options& options) {
  const Ids wanted = processes_of(parts.tasks, options.pids);
  std::map<std::uint64_t, const Lines*> areas_of;
  for (const Task& task : parts.tasks)
    if (!task.areas.empty()) areas_of.emplace(task.mm, &task.areas);
  std::string header(parts.before.at(0));
  const std::size_t pages = header.find("pages=all");
  if (!options.with_pages && pages != std::string::npos) header.replace(pages + 6, 3, "none");
  put(header);
  std::for_each(parts.before.begin() + 1, parts.before.end(), put);
  std::map<char, std::size_t> totals;
  for (const Task& task : parts.tasks) {
    if (!wanted.empty() && !wanted.contains(task.tgid)) continue;
    if (!task.moment.empty()) put(task.moment);
    put(task.line);
    ++totals['T'];
    if (const auto areas = areas_of.extract(task.mm))
      put_areas(*areas.mapped(), options.with_pages, totals);
  }
  for (const std::string_view line : parts.after)
    if (line.starts_with("G:")) put(line);  // F: describes all RAM, not single processes
  std::printf("E: %zu, %zu, %zu, %zu, 0\n", totals['T'], totals['V'], totals['M'], totals['S']);
}

Options parse_options(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--counts-only") {
      options.with_pages = false;
    } else if (words[i] == "--from" && has_value) {
      options.from = words[++i];
    } else if (words[i] == "--pid" && has_value) {
      std::istringstream list(words[++i]);
      for (std::string id; std::getline(list, id, ',');) options.pids.insert(std::stoull(id));
    } else {
      throw std::runtime_error("usage: module-snapshot [--pid LIST] [--counts-only] [--from FILE]");
    }
  }
  return options;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    const std::string text = read_all(options.from);
    if (options.pids.empty() && options.with_pages)
      std::fwrite(text.data(), 1, text.size(), stdout);
    else
      put_reduced(parts_of(text), options);
    if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write the snapshot");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "module-snapshot: %s\n", error.what());
    return 4;
  }
}
