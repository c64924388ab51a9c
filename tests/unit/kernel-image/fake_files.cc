// SPDX-License-Identifier: MIT
// Names of files and cgroups of a FakeKernel.
#include <sstream>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::istringstream text{std::string(path)};
  std::vector<std::string> parts;
  for (std::string part; std::getline(text, part, '/');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace

/// Creates a root if `parent` is 0.
std::uint64_t FakeKernel::new_dentry(std::uint64_t parent, std::string_view name) {
  const std::uint64_t dentry = allocate("dentry");
  put(dentry, "dentry.d_parent", parent != 0 ? parent : dentry);
  put(dentry, "dentry.d_name/qstr.name", memory.text("name", name));
  put(dentry, "dentry.d_name/qstr.len", name.size());
  put(dentry, "dentry.d_hash/hlist_bl_node.pprev", 0xFFFF888000000010);
  return dentry;
}

std::uint64_t FakeKernel::new_inode(const FakeFile& facts) {
  const std::uint64_t inode = allocate("inode"), super = allocate("super_block");
  put(inode, "inode.i_ino", facts.inode != 0 ? facts.inode : next_inode_++);
  put(inode, "inode.i_sb", super);
  put(super, "super_block.s_dev", facts.device);
  put(super, "super_block.s_magic", facts.magic);
  return inode;
}

Place FakeKernel::enter(Place folder, std::string_view name) {
  const auto [known, is_new] = dentries_.try_emplace({folder.dentry, std::string(name)});
  if (is_new) known->second = new_dentry(folder.dentry, name);
  const auto mounted = mounts_.find({folder.mount, known->second});
  return mounted != mounts_.end() ? mounted->second : Place{folder.mount, known->second};
}

Place FakeKernel::walk(std::string_view path) {
  Place place = root_;
  for (const std::string& name : parts_of(path)) place = enter(place, name);
  return place;
}

/// `visible_root` is the directory of the new file system that is visible at the mount point. For a
/// bind mount, it may be below the root.
Place FakeKernel::mount(Place over, std::string_view visible_root) {
  Place place{allocate("mount"), new_dentry(0, "/")};
  for (const std::string& name : parts_of(visible_root))
    place.dentry = new_dentry(place.dentry, name);
  put(place.mount, "mount.mnt_parent", over.mount);
  put(place.mount, "mount.mnt_mountpoint", over.dentry);
  put(place.mount, "mount.mnt/vfsmount.mnt_root", place.dentry);
  mounts_[{over.mount, over.dentry}] = place;
  return place;
}

std::uint64_t FakeKernel::file_at(Place place, const FakeFile& facts) {
  const std::uint64_t file = allocate("backing_file");
  std::uint64_t inode = get(place.dentry, "dentry.d_inode");
  if (inode == 0) {
    inode = new_inode(facts);
    put(place.dentry, "dentry.d_inode", inode);
  }
  put(file, "file.f_path/path.dentry", place.dentry);
  put(file, "file.f_path/path.mnt", place.mount != 0 ? at(place.mount, "mount.mnt") : 0);
  put(file, "file.f_inode", inode);
  return file;
}

std::uint64_t FakeKernel::nameless_file(std::string_view name, std::string_view dname,
                                        const FakeFile& facts) {
  const Place place{allocate("mount"), new_dentry(0, name)};
  const std::uint64_t ops = allocate("dentry_operations");
  put(ops, "dentry_operations.d_dname", symbols.at(std::string(dname)));
  put(place.dentry, "dentry.d_op", ops);
  put(place.mount, "mount.mnt_parent", place.mount);
  put(place.mount, "mount.mnt/vfsmount.mnt_root", new_dentry(0, "/"));
  return file_at(place, facts);
}

std::uint64_t FakeKernel::cgroup(std::string_view path, bool is_unified) {
  std::string so_far = is_unified ? "unified:" : "memory:";
  std::uint64_t node = kernfs_[so_far];
  if (node == 0) node = kernfs_[so_far] = allocate("kernfs_node");
  const std::vector<std::string> parts = parts_of(path);
  for (const std::string& name : parts) {
    so_far += "/" + name;
    if (kernfs_[so_far] == 0) {
      const std::uint64_t child = kernfs_[so_far] = allocate("kernfs_node");
      put(child, "kernfs_node.parent", node);
      put(child, "kernfs_node.name", memory.text("cgroup name", name));
    }
    node = kernfs_[so_far];
  }
  const std::uint64_t cgroup = allocate("cgroup");
  put(cgroup, "cgroup.kn", node);
  put(cgroup, "cgroup.root", symbols.at(is_unified ? "cgrp_dfl_root" : "other_root"));
  put(cgroup, "cgroup.self/cgroup_subsys_state.parent", parts.empty() ? 0 : cgroup);
  put(cgroup, "cgroup.self/cgroup_subsys_state.flags", types.number("CSS_ONLINE"));
  return cgroup;
}

/// `of_memory` is the cgroup of the memory controller, or 0 if the controller is in the unified
/// hierarchy.
void FakeKernel::put_in_cgroup(std::uint64_t task, std::uint64_t unified, std::uint64_t of_memory) {
  const std::uint64_t set = allocate("css_set");
  put(set, "css_set.dfl_cgrp", unified);
  const std::uint64_t state = allocate("cgroup_subsys_state");
  put(state, "cgroup_subsys_state.cgroup", of_memory != 0 ? of_memory : unified);
  memory.put(at(set, "css_set.subsys") + 8 * types.number("memory_cgrp_id"), 8, state);
  put(task, "task_struct.cgroups", set);
}

}  // namespace physmem::crash
