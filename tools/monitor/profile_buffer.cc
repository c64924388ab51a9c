// SPDX-License-Identifier: MIT
#include "tools/monitor/profile_buffer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "formats/emit/profile_ring.h"
#include "program/output_place.h"

namespace physmem::monitor {
namespace {

constexpr long kEmpty = PM_PROFILE_EMPTY;

long load(long* from) {
  return std::atomic_ref(*from).load(std::memory_order_acquire);
}

bool has_empty_long(const Sample& sample) {
  return sample.minor == kEmpty || sample.major == kEmpty || sample.cpu == kEmpty;
}

enum class Slot { kFree, kWhole, kTorn };

/// The writer clears the first long, writes the others, and writes the first one last.
Slot read_slot(long* slot, Sample& sample) {
  constexpr int kMaxTries = 4;  // a slot is rewritten once in ten minutes
  for (int i = 0; i < kMaxTries; ++i) {
    sample = {load(&slot[0]), load(&slot[1]), load(&slot[2]), load(&slot[3])};
    if (load(&slot[0]) != sample.jiffies) continue;
    if (sample.jiffies == kEmpty) return Slot::kFree;
    if (!has_empty_long(sample)) return Slot::kWhole;
  }
  return Slot::kTorn;
}

/// Clears the first long first, and only if it is unchanged, so that a sample written in the
/// meantime is kept.
void empty_slot(long* slot, const Sample& sample) {
  long expected = static_cast<long>(sample.jiffies);
  if (!std::atomic_ref(slot[0]).compare_exchange_strong(expected, kEmpty)) return;
  for (std::size_t i = 1; i < PM_PROFILE_SAMPLE_LONGS; ++i)
    std::atomic_ref(slot[i]).store(kEmpty, std::memory_order_release);
}

Error refused(const std::string& what, const std::string& name, int error) {
  std::string text = "cannot " + what + " " + name + ": " + std::generic_category().message(error);
  if (error == ENXIO || error == ENODEV || (error == ENOENT && name.starts_with("/dev/")))
    text += "; load the profiler: modprobe physmem_faults";
  if (error == EACCES || error == EPERM)
    text += "; be root (sudo), or ask for the right to read it";
  return {Error::Kind::kIo, std::move(text)};
}

Result<UniqueFd> open_to_read(const std::string& name) {
  UniqueFd file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return refused("open", name, errno);
  return file;
}

/// By the rules of outputs: not through the links of another user.
Result<UniqueFd> open_to_empty(const std::string& name) {
  const OutputPlace place = find_output(name);
  if (!place.problem.empty())
    return Error{Error::Kind::kIo, "cannot open " + name + ": " + place.problem};
  UniqueFd file(place.descriptor ? ::open(name.c_str(), O_RDWR | O_CLOEXEC)
                                 : ::openat(place.folder.get(), place.name.c_str(),
                                            O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return refused("open", name, errno);
  return file;
}

/// Bytes to map. The assignment's clients map the whole buffer; a file may contain only the ring.
Result<std::size_t> size_of(int descriptor, const std::string& name) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return refused("look at", name, errno);
  if (S_ISCHR(status.st_mode))
    return static_cast<std::size_t>(PM_PROFILE_PAGES) *
           static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (!S_ISREG(status.st_mode))
    return Error{Error::Kind::kBadInput,
                 name + ": expected the profiler's device or a file of its content"};
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < ring_size())
    return Error{Error::Kind::kBadInput, name + ": found " + std::to_string(size) +
                                             " bytes, expected at least " +
                                             std::to_string(ring_size()) + ", a ring of " +
                                             std::to_string(PM_PROFILE_SAMPLES) + " samples"};
  return size;
}

}  // namespace

std::size_t ring_size() {
  return std::size_t{PM_PROFILE_LONGS} * sizeof(long);
}

Reading read_ring(long* ring) {
  Reading reading;
  for (std::size_t i = 0; i < PM_PROFILE_SAMPLES; ++i) {
    Sample sample;
    const Slot found = read_slot(ring + i * PM_PROFILE_SAMPLE_LONGS, sample);
    if (found == Slot::kTorn) ++reading.torn;
    if (found != Slot::kWhole) continue;
    reading.samples.push_back(sample);
    reading.slots.push_back(i);
  }
  return reading;
}

void empty_ring(long* ring, const Reading& reading) {
  for (std::size_t i = 0; i < reading.samples.size(); ++i)
    empty_slot(ring + reading.slots[i] * PM_PROFILE_SAMPLE_LONGS, reading.samples[i]);
}

Result<ProfileBuffer> ProfileBuffer::open(const std::string& name, Access access) {
  const bool writes = access == Access::kConsume;
  Result<UniqueFd> file = writes ? open_to_empty(name) : open_to_read(name);
  if (!file) return file.error();
  const Result<std::size_t> size = size_of(file->get(), name);
  if (!size) return size.error();
  void* at = ::mmap(nullptr, *size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
                    file->get(), 0);
  if (at == MAP_FAILED) return refused("map", name, errno);
  return ProfileBuffer(std::move(*file), static_cast<long*>(at), *size);
}

ProfileBuffer::ProfileBuffer(ProfileBuffer&& other) noexcept
    : file_(std::move(other.file_)),
      ring_(std::exchange(other.ring_, nullptr)),
      size_(other.size_) {}

/// Touching a page after the end of a file is SIGBUS. A reading takes microseconds, so a check
/// before it suffices for a file that is truncated while it is shown every second.
bool ProfileBuffer::is_whole() const {
  struct stat status = {};
  return ::fstat(file_.get(), &status) == 0 &&
         (S_ISCHR(status.st_mode) || static_cast<std::size_t>(status.st_size) >= size_);
}

ProfileBuffer::~ProfileBuffer() {
  if (ring_ != nullptr) ::munmap(ring_, size_);
}

}  // namespace physmem::monitor
