// SPDX-License-Identifier: MIT
// Shared memory as objects: files of a tmpfs, memfds, System V segments, shared anonymous memory.
// Who pays for each, who maps it, and who holds it by a descriptor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/owner_directory.h"
#include "analyzer/model/sparse_table.h"

namespace physmem {

/// Why the memory is still there.
enum class ObjectState : std::uint8_t {
  kMapped,    ///< a process maps it
  kHeld,      ///< no process maps it, one has a descriptor of it
  kFile,      ///< it has a path, and no process maps it or has it open
  kUnmapped,  ///< no process maps it; whether one has it open is not known
  kLeft,      ///< System V segments without a mapping: they stay until they are removed
  /// Without any of these: in flight in a socket, held by the kernel, or by a process whose
  /// descriptors are not known.
  kUnknown,
};

struct SharedObject {
  std::string name;
  std::uint64_t device = 0, inode = 0;
  bool has_path = false;
  std::uint64_t pages = 0;   ///< frames; without frames of RAM, unknown
  std::uint64_t mapped = 0;  ///< frames that a process maps
  /// Pages of the file, also in swap. Nothing: no process has a descriptor of it.
  std::optional<std::uint64_t> allocated;
  std::map<std::uint64_t, std::uint64_t> mappers;             ///< resident pages, by process id
  std::set<std::pair<std::uint64_t, std::uint64_t>> holders;  ///< process id, descriptor
  /// Frames, by cgroup and whether it was deleted.
  std::map<std::pair<std::string, bool>, std::uint64_t> payers;
  ObjectState state = ObjectState::kUnknown;

  std::uint64_t size() const { return std::max({pages, mapped, allocated.value_or(0)}); }
};

class SharedObjects : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_holder(const Holder& holder) override;
  void on_task(const Task& task) override;
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  /// The largest first.
  const std::vector<SharedObject>& objects() const { return sorted_; }
  /// The command of a process.
  std::string command(std::uint64_t pid) const;
  /// Frames of shared memory whose object is not known.
  std::uint64_t nameless() const { return nameless_; }
  /// Whether frames of RAM show their object: otherwise only mapped and held objects are known.
  bool has_frames() const { return has_owners_; }
  const Header& header() const { return header_; }
  /// Whether the snapshot shows the numbers of mapped frames, so that each counts once.
  bool knows_mapped() const { return header_.has_pages && !header_.pfn_hidden; }
  bool knows_holders() const { return knows_holders_; }
  std::uint64_t hidden_holders() const { return hidden_holders_; }
  std::uint64_t unread() const { return unread_; }

 private:
  using FileKey = std::pair<std::uint64_t, std::uint64_t>;  ///< device, inode

  SharedObject& object(const FileKey& key);
  ObjectState state_of(const SharedObject& object) const;

  Header header_;
  std::map<FileKey, SharedObject> objects_;
  FrameSet seen_;                                            ///< mapped frames
  std::unordered_map<std::uint64_t, std::string> commands_;  ///< by process id
  OwnerDirectory directory_;
  std::vector<FileKey> files_;                        ///< of each owner
  std::vector<std::pair<std::string, bool>> payers_;  ///< the same; no path: no cgroup
  std::vector<SharedObject> sorted_;
  std::uint64_t nameless_ = 0;
  bool has_owners_ = false;  ///< of frames of shared memory
  bool knows_holders_ = false;
  std::uint64_t hidden_holders_ = 0;
  std::uint64_t unread_ = 0;
};

}  // namespace physmem
