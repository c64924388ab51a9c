// SPDX-License-Identifier: MIT
#include "collector-proc/module_snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "program/signals.h"
#include "program/unique_fd.h"

namespace physmem::collect {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxHeaderBytes = 4096;

/// The header's end, and what the module does not know.
std::string additions(const Machine& machine) {
  std::string text;
  if (machine.sequence) text += ", sequence=" + std::to_string(*machine.sequence);
  if (machine.lost) text += "\nG: collect.lost=" + std::to_string(*machine.lost);
  return text;
}

/// Writes a snapshot piece by piece, with additions at the end of its first line.
class Copy {
 public:
  Copy(Output& output, std::string additions) : output_(output), additions_(std::move(additions)) {}

  Status write(std::string_view piece) {
    if (!is_after_header_) {
      header_ += piece;
      const std::size_t end = header_.find('\n');
      if (end == std::string::npos && header_.size() > kMaxHeaderBytes)
        return bad_input("found no header of a snapshot");
      if (end == std::string::npos) return {};
      is_after_header_ = true;
      header_.insert(end, additions_);
      piece = header_;
    }
    const int error = output_.write(piece);
    return error == 0 ? Status() : output_error(output_, error);
  }
  bool is_empty() const { return !is_after_header_; }

 private:
  Output& output_;
  std::string additions_, header_;
  bool is_after_header_ = false;
};

}  // namespace

Status copy_module_snapshot(const std::string& devices, bool with_ram, const Machine& machine,
                            Output& output) {
  const std::string device = devices + (with_ram ? "/ram" : "/0");
  const UniqueFd file(::open(device.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file)
    return io_error("open " + device, errno,
                    errno == ENOENT ? "the module physmem_info is not loaded: modprobe physmem_info"
                                    : "the module's snapshots require root");
  std::vector<char> piece(kPieceBytes);
  Copy copy(output, additions(machine));
  for (;;) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (interrupted()) return silent_error();
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("read " + device, errno);
    if (got == 0) break;
    Status status = copy.write({piece.data(), static_cast<std::size_t>(got)});
    if (!status) return status;
  }
  return copy.is_empty() ? bad_input(device + ": found no snapshot") : Status();
}

}  // namespace physmem::collect
