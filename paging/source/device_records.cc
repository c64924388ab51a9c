// SPDX-License-Identifier: MIT
#include "paging/source/device_records.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace physmem {
namespace {

Error failed(const std::string& path, const char* what) {
  std::string text = path + ": " + what + ": " + std::strerror(errno);
  if (errno == ENOENT || errno == ENODEV || errno == ENXIO) text += " (insmod physmem_paging.ko)";
  if (errno == EACCES || errno == EPERM) text += " (it is for root: frame numbers are secret)";
  if (errno == EBUSY) text += " (another program reads it)";
  return {Error::Kind::kIo, text};
}

}  // namespace

Result<std::unique_ptr<RecordSource>> DeviceRecords::open(const std::string& path) {
  UniqueFd device(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!device) return failed(path, "cannot open");
  return std::unique_ptr<RecordSource>(std::make_unique<DeviceRecords>(std::move(device), path));
}

Result<RecordSource::Taken> DeviceRecords::take(std::span<pm_paging_record> into) {
  const ssize_t size = ::read(device_.get(), into.data(), into.size_bytes());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Taken{};
  if (size < 0) return failed(path_, "cannot read");
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes % sizeof(pm_paging_record) != 0)
    return Error{Error::Kind::kIo, path_ + ": found " + std::to_string(bytes) +
                                       " bytes, expected whole records of " +
                                       std::to_string(sizeof(pm_paging_record)) +
                                       " (is the module of another version than this program?)"};
  return Taken{bytes / sizeof(pm_paging_record), bytes == 0};
}

}  // namespace physmem
