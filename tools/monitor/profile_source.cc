// SPDX-License-Identifier: MIT
#include "tools/monitor/profile_source.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/monitor/profile_text.h"

namespace physmem::monitor {
namespace {

bool is_text(std::string_view beginning) {
  return std::all_of(beginning.begin(), beginning.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
}

std::string sentence_for(const Reading& reading) {
  return std::to_string(reading.torn) + (reading.torn == 1 ? " sample was" : " samples were") +
         " half written or half consumed and left out";
}

Loaded loaded(Reading reading) {
  Loaded loaded;
  if (reading.torn > 0) loaded.missing.push_back(sentence_for(reading));
  loaded.samples = std::move(reading.samples);
  return loaded;
}

Result<Loaded> load_text(std::string_view text, const std::string& name) {
  Result<TextReading> reading = parse_profile_text(text, name);
  if (!reading) return reading.error();
  Loaded loaded{std::move(reading->samples), {}, {}};
  if (!reading->has_end)
    loaded.missing.emplace_back(
        "the last line, \"read N profiled data\", is missing: the text may be cut short");
  return loaded;
}

/// A file of other content is not shown, and above all not emptied.
bool is_plausible(const Reading& reading) {
  return std::all_of(reading.samples.begin(), reading.samples.end(),
                     [](const Sample& s) { return s.minor >= 0 && s.major >= 0 && s.cpu >= 0; });
}

Result<Loaded> load_buffer(const std::string& name, Access access) {
  Result<ProfileBuffer> buffer = ProfileBuffer::open(name, access);
  if (!buffer) return buffer.error();
  Reading reading = buffer->read();
  if (!is_plausible(reading))
    return Error{Error::Kind::kBadInput,
                 name + ": found samples with negative counts, expected the profiler's buffer"};
  if (access == Access::kRead) return loaded(std::move(reading));
  Loaded answer = loaded(reading);
  answer.untaken.emplace(Untaken{std::move(*buffer), std::move(reading)});
  return answer;
}

Result<Loaded> load_stream(std::istream& in, const std::string& name) {
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return Error{Error::Kind::kIo, "cannot read " + name};
  if (is_text(content)) return load_text(content, name);
  if (content.size() < ring_size())
    return Error{Error::Kind::kBadInput,
                 name + ": found " + std::to_string(content.size()) +
                     " bytes that are no text, expected lines of four numbers, or " +
                     std::to_string(ring_size()) + " bytes of the profiler's buffer"};
  std::vector<long> ring(ring_size() / sizeof(long));
  std::memcpy(ring.data(), content.data(), ring_size());
  return loaded(read_ring(ring.data()));
}

Error not_consumable(const std::string& name) {
  return {
      Error::Kind::kUsage,
      "--drain: " + name + " is no buffer; only the profiler's device or a file of its content is"};
}

bool begins_as_text(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::string beginning(512, '\0');
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(in.gcount()));
  return in.eof() || in ? is_text(beginning) : false;
}

}  // namespace

std::string default_input() {
  struct stat status = {};
  const bool is_found = ::stat("node", &status) == 0;
  return is_found && (S_ISCHR(status.st_mode) || S_ISREG(status.st_mode)) ? "node" : "/dev/mp3";
}

bool is_profile_text(const std::string& name) {
  struct stat status = {};
  return ::stat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
         begins_as_text(name);
}

Result<Loaded> load(const std::string& name, Access access) {
  const bool consumes = access == Access::kConsume;
  if (name == "-")
    return consumes ? not_consumable("standard input") : load_stream(std::cin, "standard input");
  struct stat status = {};
  const bool exists = ::stat(name.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return Error{Error::Kind::kBadInput, name + ": found a folder, expected a profile"};
  const bool may_be_text = exists && !S_ISCHR(status.st_mode);
  if (!may_be_text || (S_ISREG(status.st_mode) && !begins_as_text(name)))
    return load_buffer(name, access);
  if (consumes) return not_consumable(name);
  std::ifstream in(name, std::ios::binary);
  if (!in)
    return Error{Error::Kind::kIo,
                 "cannot open " + name + ": " + std::generic_category().message(errno)};
  return load_stream(in, name);
}

}  // namespace physmem::monitor
