// SPDX-License-Identifier: MIT
#include "tests/unit/kernel-image/fake_types.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace physmem::crash {
namespace {

/// TYPE: MEMBER:BYTES or MEMBER:TYPE. An exclamation mark keeps the order of the members.
/// Otherwise, they are shuffled according to the seed.
constexpr const char* kStructs[] = {
    "!list_head: next:8 prev:8",
    "!hlist_bl_node: next:8 pprev:8",
    "!hlist_head: first:8",
    "prev_cputime: utime:8 stime:8 lock:4",
    "sched_entity: load:16 sum_exec_runtime:8 vruntime:8",
    "thread_info: flags:8 cpu:4",
    "task_struct: thread_info:thread_info tasks:list_head thread_node:list_head comm:16 pid:4 "
    "tgid:4 flags:4 "
    "mm:8 group_leader:8 cpu:4 min_flt:8 maj_flt:8 utime:8 stime:8 se:sched_entity "
    "prev_cputime:prev_cputime "
    "start_boottime:8 real_start_time:8 real_parent:8 real_cred:8 signal:8 cgroups:8 stack:8 "
    "policy:4",
    "cred: usage:4 uid:4 gid:4",
    "signal_struct: thread_head:list_head min_flt:8 maj_flt:8 cmin_flt:8 cmaj_flt:8 utime:8 "
    "stime:8 "
    "sum_sched_runtime:8 prev_cputime:prev_cputime live:4",
    "cgroup_subsys_state: cgroup:8 parent:8 flags:4 refcnt:8",
    "css_set: subsys:112 dfl_cgrp:8 nr_tasks:4",
    "cgroup: self:cgroup_subsys_state root:8 kn:8 level:4 subsys:112",
    "mem_cgroup: css:cgroup_subsys_state id:4",
    "obj_cgroup: refcnt:16 memcg:8",
    "kernfs_node: parent:8 name:8 hash:4 id:8",
    "!kmem_cache_order_objects: x:4",
    "kmem_cache: flags:4 name:8 object_size:4 size:4 oo:kmem_cache_order_objects list:list_head "
    "node:32 "
    "per_node:96",
    "!kmem_cache_per_node_ptrs: barn:8 node:8",
    "kmem_cache_node: list_lock:8 nr_slabs:8 total_objects:8",
    "xarray: xa_lock:4 xa_flags:4 xa_head:8",
    "xa_node: shift:1 offset:1 count:1 parent:8 slots:512",
    "maple_tree: ma_lock:4 ma_flags:4 ma_root:8",
    "rw_semaphore: count:8 owner:8",
    "mm_context_t: ctx_id:8 tlb_gen:8",
    "mm_struct: mm_mt:maple_tree mmap:8 pgd:8 brk:8 start_brk:8 start_stack:8 exe_file:8 "
    "pgtables_bytes:8 mm_users:4 map_count:4 total_vm:8 mm_lock_seq:4 "
    "mmap_lock:rw_semaphore context:mm_context_t",
    "vm_area_struct: vm_start:8 vm_end:8 vm_next:8 vm_mm:8 vm_flags:8 vm_page_prot:8 vm_pgoff:8 "
    "vm_file:8 "
    "vm_ops:8 vm_private_data:8 shared:32 anon_name:8",
    "anon_vma_name: kref:4 name:0",
    "vm_operations_struct: open:8 close:8 name:8 fault:8",
    "vm_special_mapping: name:8 pages:8",
    "maple_range_64: parent:8 pivot:120 slot:128",
    "maple_arange_64: parent:8 pivot:72 slot:80 gap:80",
    "path: mnt:8 dentry:8",
    "file: f_mapping:8 f_mode:4 f_path:path f_inode:8 f_op:8",
    "!backing_file: file:file user_path:path",
    "address_space: host:8 i_pages:xarray nrpages:8",
    "inode: i_ino:8 i_sb:8 i_mode:2 i_data:address_space i_size:8 i_nlink:4 i_rdev:4 "
    "i_dentry:hlist_head",
    "file_system_type: name:8 flags:4",
    "super_block: s_dev:4 s_magic:8 s_type:8",
    "qstr: len:4 hash:4 name:8",
    "dentry: d_parent:8 d_inode:8 d_name:qstr d_hash:hlist_bl_node d_op:8 d_sb:8 d_u:16 "
    "d_iname:32 d_fsdata:8",
    "!dma_buf: size:8 file:8 name:8",
    "dentry_operations: d_hash:8 d_dname:8",
    "vfsmount: mnt_root:8 mnt_sb:8 mnt_flags:4",
    "mount: mnt_hash:16 mnt_parent:8 mnt_mountpoint:8 mnt:vfsmount",
    "vmap_area: va_start:8 va_end:8 rb_node:24 list:list_head vm:8",
    "!rb_list: root:8 head:list_head lock:4",
    "!vmap_node: busy:rb_list lazy:rb_list",
    "vm_struct: next:8 addr:8 size:8 flags:8 pages:8 nr_pages:4 caller:8",
    "module_layout: base:8 size:4",
    "!module_memory: base:8 size:4",
    "module: state:4 list:list_head name:56 core_layout:module_layout mem:48",
    "resource: start:8 end:8 name:8 flags:8 parent:8 sibling:8 child:8",
    "per_cpu_pages: count:4 high:4",
    "per_cpu_pageset: pcp:per_cpu_pages expire:1 vm_stat_diff:10",
    "per_cpu_zonestat: vm_stat_diff:10 stat_threshold:1",
    "per_cpu_nodestat: stat_threshold:1 vm_node_stat_diff:40",
    "free_area: free_list:16 nr_free:8",
    "zone: free_area:free_area _watermark:24 watermark_boost:8 name:8 zone_start_pfn:8 "
    "spanned_pages:8 present_pages:8 managed_pages:8 vm_stat:80 per_cpu_pageset:8 pageset:8 "
    "per_cpu_zonestats:8",
    "hstate: order:4 max_huge_pages:8 nr_huge_pages:8",
    "pglist_data: node_zones:zone nr_zones:4 node_id:4 per_cpu_nodestats:8",
    "new_utsname: sysname:65 nodename:65 release:65 machine:65",
    "uts_namespace: name:new_utsname ns:8",
    "tk_read_base: clock:8 xtime_nsec:8 shift:4",
    "timespec64: tv_sec:8 tv_nsec:8",
    "timekeeper: tkr_mono:tk_read_base xtime_sec:8 wall_to_monotonic:timespec64 offs_boot:8",
    "tk_data: seq:8 timekeeper:timekeeper",
    "!mem_section: section_mem_map:8 usage:8 page_ext:8",  // 32 bytes
    "!page_ext: flags:8",
    "page_ext_operations: offset:8 size:8 need:8",
    "page_owner: order:2 last_migrate_reason:2 gfp_mask:4 handle:4 free_handle:4",
    "!stack_record: hash_list:16 hash:4 size:4 handle:4 entries:0",
};

constexpr const char* kPageFlags[] = {
    "PG_locked",    "PG_error",       "PG_referenced", "PG_uptodate",   "PG_dirty",
    "PG_lru",       "PG_active",      "PG_writeback",  "PG_reclaim",    "PG_swapbacked",
    "PG_swapcache", "PG_unevictable", "PG_head",       "PG_hwpoison",   "PG_idle",
    "PG_young",     "PG_double_map",  "PG_private",    "PG_workingset", "PG_reserved",
    "PG_slab"};

/// Names that the kernel of each era lacks.
const std::map<Era, std::vector<std::string>> kMissingNames = {
    {Era::k5_10,
     {"maple_tree", "maple_range_64", "maple_arange_64", "maple_leaf_64", "mm_struct.mm_mt",
      "vm_area_struct.anon_name", "anon_vma_name", "backing_file", "folio", "PG_large_rmappable",
      "task_struct.thread_info", "kmem_cache.per_node", "kmem_cache_per_node_ptrs", "vmap_node",
      "module_memory", "zone.per_cpu_pageset", "SECTION_IS_ONLINE_BIT", "_SLAB_RECLAIM_ACCOUNT",
      "per_cpu_zonestat", "zone.per_cpu_zonestats"}},
    {Era::k6_1,
     {"mm_struct.mmap", "vm_area_struct.vm_next", "backing_file", "folio", "PG_large_rmappable",
      "task_struct.cpu", "kmem_cache.per_node", "kmem_cache_per_node_ptrs", "vmap_node",
      "module_memory", "per_cpu_pageset", "zone.pageset", "_SLAB_RECLAIM_ACCOUNT"}},
    {Era::k6_12,
     {"mm_struct.mmap", "vm_area_struct.vm_next", "page.compound_mapcount", "PG_double_map",
      "PG_error", "task_struct.cpu", "task_struct.real_start_time", "module.core_layout",
      "kmem_cache.node", "per_cpu_pageset", "zone.pageset"}},
};

}  // namespace

FakeTypes::FakeTypes(Era era, std::uint32_t seed) {
  for (const char* line : kStructs) add_struct(line, seed++);
  add_page(seed);
  // As in Linux 5.17 to 6.1: only areas without a file may have a name. In others, the member
  // overlaps `shared`.
  if (era == Era::k6_1) {
    members_["vm_area_struct.anon_name"].offset = field("vm_area_struct.shared").offset;
  }
  std::vector<std::string> flags(std::begin(kPageFlags), std::end(kPageFlags));
  std::shuffle(flags.begin(), flags.end(), std::mt19937(seed));
  for (std::size_t i = 0; i < flags.size(); ++i) numbers_[flags[i]] = i;
  // These flags are in the second struct page of a folio, which does not use the original ones.
  numbers_["PG_large_rmappable"] = numbers_["PG_workingset"];
  numbers_["PG_double_map"] = numbers_["PG_workingset"];
  numbers_["PG_anon_exclusive"] = numbers_["PG_private"];
  numbers_["PGTY_buddy"] = 0xF0;
  numbers_["PGTY_offline"] = 0xF1;
  numbers_["PGTY_table"] = 0xF2;
  numbers_["PGTY_hugetlb"] = 0xF4;
  numbers_["PGTY_slab"] = 0xF5;
  numbers_["PGTY_zsmalloc"] = 0xF6;
  numbers_["PGTY_large_kmalloc"] = 0xF8;
  for (std::uint64_t i = 0; const char* item : {"NR_FREE_PAGES", "NR_MLOCK", "NR_ZSPAGES"})
    numbers_[item] = i++;
  for (std::uint64_t i = 0;
       const char* item : {"NR_FILE_PAGES", "NR_ANON_MAPPED", "NR_SHMEM", "NR_SLAB_RECLAIMABLE_B",
                           "NR_SLAB_UNRECLAIMABLE_B", "NR_KERNEL_STACK_KB", "NR_PAGETABLE"})
    numbers_[item] = i++;
  if (era == Era::k5_10) numbers_["NR_PAGETABLE"] = numbers_["NR_MLOCK"] + 1;
  numbers_["maple_leaf_64"] = 4;
  numbers_["memory_cgrp_id"] = 5;
  numbers_["CSS_ONLINE"] = 2;
  numbers_["SECTION_IS_ONLINE_BIT"] = 2;
  numbers_["_SLAB_RECLAIM_ACCOUNT"] = 7;
  numbers_["PAGE_EXT_OWNER"] = 0;
  numbers_["PAGE_EXT_OWNER_ALLOCATED"] = 1;
  for (const std::string& name : kMissingNames.at(era)) hide(name);
  if (era != Era::k6_12)
    for (const char* type :
         {"buddy", "offline", "table", "hugetlb", "slab", "zsmalloc", "large_kmalloc"})
      hide(std::string("PGTY_") + type);
  if (era == Era::k6_12) hide("PG_slab");
  if (era == Era::k5_10) hide("PG_anon_exclusive");
}

void FakeTypes::add_struct(std::string_view line, std::uint32_t seed) {
  const bool is_ordered = line.front() == '!';
  std::istringstream words{std::string(line.substr(is_ordered ? 1 : 0))};
  std::string type, word;
  words >> type;
  type.pop_back();
  std::vector<std::string> parts;
  while (words >> word) parts.push_back(word);
  if (!is_ordered) std::shuffle(parts.begin(), parts.end(), std::mt19937(seed));

  std::size_t offset = is_ordered ? 0 : 8 * (seed % 4);
  for (const std::string& part : parts) {
    const std::size_t colon = part.find(':');
    const std::size_t bytes = size_of_member(part.substr(colon + 1));
    members_[type + "." + part.substr(0, colon)] = {static_cast<int>(offset),
                                                    static_cast<int>(bytes)};
    offset += (bytes + 7) / 8 * 8;
  }
  sizes_[type] = offset + 8;
}

/// Lays out struct page without gaps, because page_of() relies on its size of 64 bytes. The second
/// struct page of a folio follows the first.
void FakeTypes::add_page(std::uint32_t seed) {
  std::vector<std::string> names = {
      "flags", "mapping", "compound_head", "_mapcount", "compound_mapcount", "_refcount", "lru"};
  std::shuffle(names.begin(), names.end(), std::mt19937(seed));
  int offset = 0;
  for (const std::string& name : names) {
    const bool is_count = name.find("count") != std::string::npos;
    members_["page." + name] = {offset, is_count ? 4 : name == "lru" ? 16 : 8};
    offset += name == "lru" ? 16 : 8;
  }
  sizes_["page"] = 64;
  sizes_["folio"] = 128;
  members_["folio.mapping"] = field("page.mapping");
  // Members that share their place with others of a page in another state.
  members_["page.index"] = {field("page.lru").offset, 8};
  members_["page.private"] = {field("page.lru").offset + 8, 8};
  members_["page.page_type"] = field("page._mapcount");
  members_["page.memcg_data"] = {field("page.compound_mapcount").offset, 8};
  members_["slab.slab_cache"] = field("page.private");
  members_["folio._entire_mapcount"] = {64 + field("page.compound_mapcount").offset, 4};
  members_["folio._large_mapcount"] = {64 + field("page.private").offset, 4};
}

std::size_t FakeTypes::size_of_member(std::string_view what) const {
  const auto type = sizes_.find(what);
  return type == sizes_.end() ? std::stoul(std::string(what)) : type->second;
}

pm_field FakeTypes::field(std::string_view path) const {
  pm_field whole{0, 0};
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const auto member = members_.find(path.substr(0, end));
    if (member == members_.end()) throw std::logic_error("no such member: " + std::string(path));
    whole.offset += member->second.offset;
    whole.size = member->second.size;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return whole;
}

std::size_t FakeTypes::size(std::string_view type) const {
  return sizes_.find(type)->second;
}

std::uint64_t FakeTypes::number(std::string_view enumerator) const {
  const auto number = numbers_.find(enumerator);
  if (number == numbers_.end())
    throw std::logic_error("no such enumerator: " + std::string(enumerator));
  return number->second;
}

bool FakeTypes::find_member(const std::string& type, const std::string& member,
                            pm_field* field) const {
  const std::string path = type + "." + member;
  if (hidden_.count(type) != 0 || hidden_.count(path) != 0 || members_.count(path) == 0)
    return false;
  *field = members_.at(path);
  return true;
}

std::size_t FakeTypes::find_size(const std::string& type) const {
  return hidden_.count(type) != 0 || sizes_.count(type) == 0 ? 0 : sizes_.at(type);
}

bool FakeTypes::find_number(const std::string& name, std::uint64_t* value) const {
  if (hidden_.count(name) != 0 || numbers_.count(name) == 0) return false;
  *value = numbers_.at(name);
  return true;
}

}  // namespace physmem::crash
