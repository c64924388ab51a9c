/* SPDX-License-Identifier: MIT */
/*
 * Offsets, numbers and addresses of this kernel, from its debug information. All differences
 * between kernels are handled here, by types and never by version.
 */
#ifndef PM_LAYOUT_H
#define PM_LAYOUT_H

#include "memory.h"

/*
 * F(name, members, need). members: TYPE.MEMBER, then /TYPE.MEMBER for a struct within it, then |
 * and the spelling in other kernels. NEEDED: a snapshot is not possible without it. OPTIONAL: its
 * absence is significant.
 */
#define PM_FIELDS(F) \
	/* Tasks. */ \
	F(task_next, "task_struct.tasks/list_head.next", NEEDED) \
	F(task_thread_next, "task_struct.thread_node/list_head.next", NEEDED) \
	F(task_comm, "task_struct.comm", NEEDED) \
	F(task_pid, "task_struct.pid", NEEDED) \
	F(task_tgid, "task_struct.tgid", NEEDED) \
	F(task_flags, "task_struct.flags", NEEDED) \
	F(task_mm, "task_struct.mm", NEEDED) \
	F(task_cpu, "task_struct.cpu|task_struct.thread_info/thread_info.cpu", NEEDED) \
	F(task_min_flt, "task_struct.min_flt", NEEDED) \
	F(task_maj_flt, "task_struct.maj_flt", NEEDED) \
	F(task_utime, "task_struct.utime", NEEDED) \
	F(task_stime, "task_struct.stime", NEEDED) \
	F(task_runtime, "task_struct.se/sched_entity.sum_exec_runtime", NEEDED) \
	F(task_shown_utime, "task_struct.prev_cputime/prev_cputime.utime", OPTIONAL) \
	F(task_shown_stime, "task_struct.prev_cputime/prev_cputime.stime", OPTIONAL) \
	F(task_start, "task_struct.start_boottime|task_struct.real_start_time", NEEDED) \
	F(task_parent, "task_struct.real_parent", NEEDED) \
	F(task_cred, "task_struct.real_cred", NEEDED) \
	F(task_signal, "task_struct.signal", NEEDED) \
	F(task_css_set, "task_struct.cgroups", OPTIONAL) \
	F(cred_uid, "cred.uid", NEEDED) \
	F(signal_threads, "signal_struct.thread_head/list_head.next", NEEDED) \
	F(signal_min_flt, "signal_struct.min_flt", NEEDED) \
	F(signal_maj_flt, "signal_struct.maj_flt", NEEDED) \
	F(signal_cmin_flt, "signal_struct.cmin_flt", NEEDED) \
	F(signal_cmaj_flt, "signal_struct.cmaj_flt", NEEDED) \
	F(signal_utime, "signal_struct.utime", NEEDED) \
	F(signal_stime, "signal_struct.stime", NEEDED) \
	F(signal_runtime, "signal_struct.sum_sched_runtime", NEEDED) \
	F(signal_shown_utime, "signal_struct.prev_cputime/prev_cputime.utime", OPTIONAL) \
	F(signal_shown_stime, "signal_struct.prev_cputime/prev_cputime.stime", OPTIONAL) \
	/* Cgroups. */ \
	F(css_set_subsys, "css_set.subsys", OPTIONAL) \
	F(css_set_unified, "css_set.dfl_cgrp", OPTIONAL) \
	F(css_cgroup, "cgroup_subsys_state.cgroup", OPTIONAL) \
	F(cgroup_root, "cgroup.root", OPTIONAL) \
	F(cgroup_parent, "cgroup.self/cgroup_subsys_state.parent", OPTIONAL) \
	F(cgroup_state, "cgroup.self/cgroup_subsys_state.flags", OPTIONAL) \
	F(cgroup_node, "cgroup.kn", OPTIONAL) \
	F(node_parent, "kernfs_node.parent|kernfs_node.__parent", OPTIONAL) \
	F(node_name, "kernfs_node.name", OPTIONAL) \
	/* Address spaces and VMAs. */ \
	F(mm_pgd, "mm_struct.pgd", NEEDED) \
	F(mm_first, "mm_struct.mmap", OPTIONAL) \
	F(mm_tree, "mm_struct.mm_mt/maple_tree.ma_root", OPTIONAL) \
	F(mm_brk, "mm_struct.brk", NEEDED) \
	F(mm_start_brk, "mm_struct.start_brk", NEEDED) \
	F(mm_start_stack, "mm_struct.start_stack", NEEDED) \
	F(mm_program, "mm_struct.exe_file", NEEDED) \
	F(mm_table_bytes, "mm_struct.pgtables_bytes", NEEDED) \
	F(mm_users, "mm_struct.mm_users", OPTIONAL) \
	F(mm_areas, "mm_struct.map_count", OPTIONAL) \
	F(mm_pages, "mm_struct.total_vm", OPTIONAL) \
	F(mm_sequence, "mm_struct.mm_lock_seq", OPTIONAL) \
	F(mm_lock, "mm_struct.mmap_lock/rw_semaphore.count", OPTIONAL) \
	F(mm_table_sequence, "mm_struct.context/mm_context_t.tlb_gen", OPTIONAL) \
	F(vma_start, "vm_area_struct.vm_start", NEEDED) \
	F(vma_end, "vm_area_struct.vm_end", NEEDED) \
	F(vma_next, "vm_area_struct.vm_next", OPTIONAL) \
	F(vma_flags, "vm_area_struct.vm_flags", NEEDED) \
	F(vma_prot, "vm_area_struct.vm_page_prot", NEEDED) \
	F(vma_pgoff, "vm_area_struct.vm_pgoff", NEEDED) \
	F(vma_file, "vm_area_struct.vm_file", NEEDED) \
	F(vma_ops, "vm_area_struct.vm_ops", NEEDED) \
	F(vma_private, "vm_area_struct.vm_private_data", NEEDED) \
	F(vma_given_name, "vm_area_struct.anon_name", OPTIONAL) \
	F(vma_shared, "vm_area_struct.shared", OPTIONAL) \
	F(given_name, "anon_vma_name.name", OPTIONAL) \
	F(ops_name, "vm_operations_struct.name", NEEDED) \
	F(special_name, "vm_special_mapping.name", NEEDED) \
	F(range_pivots, "maple_range_64.pivot", OPTIONAL) \
	F(range_slots, "maple_range_64.slot", OPTIONAL) \
	F(gap_pivots, "maple_arange_64.pivot", OPTIONAL) \
	F(gap_slots, "maple_arange_64.slot", OPTIONAL) \
	/* Files. */ \
	F(file_dentry, "file.f_path/path.dentry", NEEDED) \
	F(file_mount, "file.f_path/path.mnt", NEEDED) \
	F(file_inode, "file.f_inode", NEEDED) \
	F(file_mode, "file.f_mode", NEEDED) \
	F(backing_dentry, "backing_file.user_path/path.dentry", OPTIONAL) \
	F(backing_mount, "backing_file.user_path/path.mnt", OPTIONAL) \
	F(file_mapping, "file.f_mapping", OPTIONAL) \
	F(mapping_host, "address_space.host", OPTIONAL) \
	F(mapping_root, "address_space.i_pages/xarray.xa_head", OPTIONAL) \
	F(super_magic, "super_block.s_magic", OPTIONAL) \
	F(xa_shift, "xa_node.shift", OPTIONAL) \
	F(xa_slots, "xa_node.slots", OPTIONAL) \
	F(inode_number, "inode.i_ino", NEEDED) \
	F(inode_super, "inode.i_sb", NEEDED) \
	F(super_device, "super_block.s_dev", NEEDED) \
	F(dentry_parent, "dentry.d_parent", NEEDED) \
	F(dentry_super, "dentry.d_sb", OPTIONAL) \
	F(dentry_inode, "dentry.d_inode", NEEDED) \
	F(dentry_name, "dentry.d_name/qstr.name", NEEDED) \
	F(dentry_name_length, "dentry.d_name/qstr.len", NEEDED) \
	F(dentry_hash, "dentry.d_hash/hlist_bl_node.pprev", NEEDED) \
	F(dentry_ops, "dentry.d_op", NEEDED) \
	F(ops_dname, "dentry_operations.d_dname", NEEDED) \
	F(dentry_data, "dentry.d_fsdata", OPTIONAL) \
	F(dma_buffer_name, "dma_buf.name", OPTIONAL) \
	F(mount_parent, "mount.mnt_parent", NEEDED) \
	F(mount_point, "mount.mnt_mountpoint", NEEDED) \
	F(mount_here, "mount.mnt", NEEDED) \
	F(mount_root, "vfsmount.mnt_root", NEEDED) \
	F(mount_super, "vfsmount.mnt_sb", OPTIONAL) \
	/* Memory of the kernel at virtual addresses. */ \
	F(task_stack, "task_struct.stack", OPTIONAL) \
	F(vmap_start, "vmap_area.va_start", OPTIONAL) \
	F(vmap_end, "vmap_area.va_end", OPTIONAL) \
	F(vmap_next, "vmap_area.list", OPTIONAL) \
	F(vmap_vm, "vmap_area.vm", OPTIONAL) \
	F(vmap_node_list, "vmap_node.busy/rb_list.head", OPTIONAL) \
	F(vm_addr, "vm_struct.addr", OPTIONAL) \
	F(vm_flags, "vm_struct.flags", OPTIONAL) \
	F(vm_pages, "vm_struct.pages", OPTIONAL) \
	F(vm_caller, "vm_struct.caller", OPTIONAL) \
	F(module_next, "module.list/list_head.next", OPTIONAL) \
	F(module_name, "module.name", OPTIONAL) \
	F(module_core, "module.core_layout/module_layout.base", OPTIONAL) \
	F(module_core_bytes, "module.core_layout/module_layout.size", OPTIONAL) \
	F(module_parts, "module.mem", OPTIONAL) \
	F(module_part_base, "module_memory.base", OPTIONAL) \
	F(module_part_bytes, "module_memory.size", OPTIONAL) \
	F(ftrace_next, "ftrace_page.next", OPTIONAL) \
	F(ftrace_records, "ftrace_page.records", OPTIONAL) \
	F(ftrace_order, "ftrace_page.order", OPTIONAL) \
	F(ftrace_size, "ftrace_page.size", OPTIONAL) \
	F(pool_chunks, "gen_pool.chunks/list_head.next", OPTIONAL) \
	F(chunk_next, "gen_pool_chunk.next_chunk/list_head.next", OPTIONAL) \
	F(chunk_physical, "gen_pool_chunk.phys_addr", OPTIONAL) \
	F(chunk_start, "gen_pool_chunk.start_addr", OPTIONAL) \
	F(chunk_end, "gen_pool_chunk.end_addr", OPTIONAL) \
	F(dma_pool_pool, "dma_gen_pool.pool", OPTIONAL) \
	F(mempool_elements, "mempool_s.elements|mempool.elements", OPTIONAL) \
	F(mempool_n, "mempool_s.curr_nr|mempool.curr_nr", OPTIONAL) \
	F(mempool_data, "mempool_s.pool_data|mempool.pool_data", OPTIONAL) \
	F(mempool_alloc, "mempool_s.alloc|mempool.alloc", OPTIONAL) \
	F(hstate_pages, "hstate.nr_huge_pages", OPTIONAL) \
	F(hstate_order, "hstate.order", OPTIONAL) \
	/* Zones and the map of memory. */ \
	F(node_zones, "pglist_data.node_zones", OPTIONAL) \
	F(node_number, "pglist_data.node_id", OPTIONAL) \
	F(zone_name, "zone.name", OPTIONAL) \
	F(zone_start, "zone.zone_start_pfn", OPTIONAL) \
	F(zone_spanned, "zone.spanned_pages", OPTIONAL) \
	F(zone_present, "zone.present_pages", OPTIONAL) \
	F(zone_managed, "zone.managed_pages", OPTIONAL) \
	F(zone_marks, "zone._watermark", OPTIONAL) \
	F(zone_boost, "zone.watermark_boost", OPTIONAL) \
	F(zone_stat, "zone.vm_stat", OPTIONAL) \
	F(zone_pending, "zone.per_cpu_zonestats|zone.pageset", OPTIONAL) \
	F(zone_pending_stat, "per_cpu_zonestat.vm_stat_diff|per_cpu_pageset.vm_stat_diff", \
	  OPTIONAL) \
	F(node_pending, "pglist_data.per_cpu_nodestats", OPTIONAL) \
	F(node_pending_stat, "per_cpu_nodestat.vm_node_stat_diff", OPTIONAL) \
	F(zone_areas, "zone.free_area", OPTIONAL) \
	F(area_free, "free_area.nr_free", OPTIONAL) \
	F(zone_lists, "zone.per_cpu_pageset|zone.pageset", OPTIONAL) \
	F(lists_count, "per_cpu_pageset.pcp/per_cpu_pages.count|per_cpu_pages.count", OPTIONAL) \
	F(resource_start, "resource.start", OPTIONAL) \
	F(resource_end, "resource.end", OPTIONAL) \
	F(resource_name, "resource.name", OPTIONAL) \
	F(resource_child, "resource.child", OPTIONAL) \
	F(resource_sibling, "resource.sibling", OPTIONAL) \
	/* Sections of memory, and what the page allocator recorded of its users (page_owner). */ \
	F(section_map, "mem_section.section_mem_map", OPTIONAL) \
	F(section_records, "mem_section.page_ext", OPTIONAL) \
	F(record_flags, "page_ext.flags", OPTIONAL) \
	F(record_part, "page_ext_operations.offset", OPTIONAL) \
	F(user_order, "page_owner.order", OPTIONAL) \
	F(user_stack, "page_owner.handle", OPTIONAL) \
	F(stack_size, "stack_record.size", OPTIONAL) \
	F(stack_handle, "stack_record.handle", OPTIONAL) \
	F(stack_entries, "stack_record.entries", OPTIONAL) \
	/* Frames. The second page of a compound page has fields for the whole. */ \
	F(page_flags, "page.flags", NEEDED) \
	F(page_mapping, "page.mapping|folio.mapping", NEEDED) \
	F(page_mapcount, "page._mapcount", NEEDED) \
	F(page_head, "page.compound_head|page.compound_info", NEEDED) \
	F(second_mapcount, "page.compound_mapcount", OPTIONAL) \
	F(folio_entire_mapcount, "folio._entire_mapcount", OPTIONAL) \
	F(folio_large_mapcount, "folio._large_mapcount", OPTIONAL) \
	F(page_type, "page.page_type", OPTIONAL) \
	F(page_refcount, "page._refcount", OPTIONAL) \
	F(page_private, "page.private", OPTIONAL) \
	F(page_next, "page.lru/list_head.next", OPTIONAL) \
	F(page_prev, "page.lru/list_head.prev", OPTIONAL) \
	F(page_index, "page.index|folio.index|page.__folio_index", OPTIONAL) \
	F(page_charge, "page.memcg_data|folio.memcg_data|page.mem_cgroup", OPTIONAL) \
	F(page_old_charge, "page.mem_cgroup", OPTIONAL) \
	F(page_cache, "slab.slab_cache|page.slab_cache", OPTIONAL) \
	F(second_destructor, "page.compound_dtor", OPTIONAL) \
	F(cache_name, "kmem_cache.name", OPTIONAL) \
	F(cache_object, "kmem_cache.object_size", OPTIONAL) \
	F(cache_objects, "kmem_cache.oo/kmem_cache_order_objects.x", OPTIONAL) \
	F(cache_bytes, "kmem_cache.size", OPTIONAL) \
	F(cache_flags, "kmem_cache.flags", OPTIONAL) \
	F(cache_list, "kmem_cache.list/list_head.next", OPTIONAL) \
	F(cache_nodes, "kmem_cache.node|kmem_cache.per_node", OPTIONAL) \
	F(cache_node_pointer, "kmem_cache_per_node_ptrs.node", OPTIONAL) \
	F(cache_node_slabs, "kmem_cache_node.nr_slabs", OPTIONAL) \
	F(cache_node_objects, "kmem_cache_node.total_objects", OPTIONAL) \
	/* Files of the page cache. */ \
	F(inode_data, "inode.i_data", OPTIONAL) \
	F(inode_size, "inode.i_size", OPTIONAL) \
	F(inode_links, "inode.i_nlink", OPTIONAL) \
	F(inode_rdev, "inode.i_rdev", OPTIONAL) \
	F(inode_names, "inode.i_dentry/hlist_head.first", OPTIONAL) \
	F(dentry_alias, "dentry.d_u|dentry.d_alias", OPTIONAL) \
	F(super_type, "super_block.s_type", OPTIONAL) \
	F(type_name, "file_system_type.name", OPTIONAL) \
	/* What pays for a page. */ \
	F(memcg_cgroup, "mem_cgroup.css/cgroup_subsys_state.cgroup", OPTIONAL) \
	F(memcg_state, "mem_cgroup.css/cgroup_subsys_state.flags", OPTIONAL) \
	F(cgroup_subsys, "cgroup.subsys", OPTIONAL) \
	F(node_id, "kernfs_node.id", OPTIONAL) \
	F(object_group, "obj_cgroup.memcg", OPTIONAL) \
	/* The system. */ \
	F(uts_release, "uts_namespace.name/new_utsname.release", NEEDED) \
	F(uts_nodename, "uts_namespace.name/new_utsname.nodename", NEEDED) \
	F(uts_machine, "uts_namespace.name/new_utsname.machine", NEEDED) \
	F(clock_seconds, "timekeeper.xtime_sec", NEEDED) \
	F(clock_ns, "timekeeper.tkr_mono/tk_read_base.xtime_nsec", NEEDED) \
	F(clock_shift, "timekeeper.tkr_mono/tk_read_base.shift", NEEDED) \
	F(clock_to_monotonic, "timekeeper.wall_to_monotonic/timespec64.tv_sec", NEEDED) \
	F(clock_to_monotonic_ns, "timekeeper.wall_to_monotonic/timespec64.tv_nsec", NEEDED) \
	F(clock_to_boot, "timekeeper.offs_boot", NEEDED) \
	/* Of a named struct that has the clock. */ \
	F(clock_data, "tk_data.timekeeper", OPTIONAL)

/*
 * Bits of page->flags, whose positions differ between kernels, and other enumerators: E(name,
 * enumerator, need), as above.
 */
#define PM_NUMBERS(E) \
	E(pg_locked, "PG_locked", NEEDED) \
	E(pg_error, "PG_error", OPTIONAL) \
	E(pg_referenced, "PG_referenced", NEEDED) \
	E(pg_uptodate, "PG_uptodate", NEEDED) \
	E(pg_dirty, "PG_dirty", NEEDED) \
	E(pg_lru, "PG_lru", NEEDED) \
	E(pg_active, "PG_active", NEEDED) \
	E(pg_writeback, "PG_writeback", NEEDED) \
	E(pg_reclaim, "PG_reclaim", NEEDED) \
	E(pg_swapbacked, "PG_swapbacked", NEEDED) \
	E(pg_swapcache, "PG_swapcache", OPTIONAL) \
	E(pg_unevictable, "PG_unevictable", NEEDED) \
	E(pg_head, "PG_head", NEEDED) \
	E(pg_hwpoison, "PG_hwpoison", OPTIONAL) \
	E(pg_idle, "PG_idle", OPTIONAL) \
	E(pg_double_map, "PG_double_map", OPTIONAL) \
	E(pg_large_rmappable, "PG_large_rmappable", OPTIONAL) \
	E(pg_anon_exclusive, "PG_anon_exclusive", OPTIONAL) \
	E(pg_reserved, "PG_reserved", OPTIONAL) \
	E(pg_slab, "PG_slab", OPTIONAL) \
	E(page_types, "PGTY_buddy", OPTIONAL) \
	E(type_offline, "PGTY_offline", OPTIONAL) \
	E(type_table, "PGTY_table", OPTIONAL) \
	E(type_hugetlb, "PGTY_hugetlb", OPTIONAL) \
	E(type_slab, "PGTY_slab", OPTIONAL) \
	E(type_zsmalloc, "PGTY_zsmalloc", OPTIONAL) \
	E(type_large_kmalloc, "PGTY_large_kmalloc", OPTIONAL) \
	E(hugetlb_destructor, "HUGETLB_PAGE_DTOR", OPTIONAL) \
	E(nr_free, "NR_FREE_PAGES", OPTIONAL) \
	E(nr_zsmalloc, "NR_ZSPAGES", OPTIONAL) \
	E(nr_mlock, "NR_MLOCK", OPTIONAL) \
	E(nr_file, "NR_FILE_PAGES", OPTIONAL) \
	E(nr_anon, "NR_ANON_MAPPED", OPTIONAL) \
	E(nr_shmem, "NR_SHMEM", OPTIONAL) \
	E(nr_slab_reclaimable, "NR_SLAB_RECLAIMABLE_B", OPTIONAL) \
	E(nr_slab_unreclaimable, "NR_SLAB_UNRECLAIMABLE_B", OPTIONAL) \
	E(nr_tables, "NR_PAGETABLE", OPTIONAL) \
	E(nr_second_tables, "NR_SECONDARY_PAGETABLE", OPTIONAL) \
	E(nr_stack_kb, "NR_KERNEL_STACK_KB", OPTIONAL) \
	E(nr_vmalloc, "NR_VMALLOC", OPTIONAL) \
	E(maple_leaf, "maple_leaf_64", OPTIONAL) \
	E(memory_cgroup, "memory_cgrp_id", OPTIONAL) \
	E(section_online, "SECTION_IS_ONLINE_BIT", OPTIONAL) \
	E(record_user, "PAGE_EXT_OWNER", OPTIONAL) \
	E(record_allocated, "PAGE_EXT_OWNER_ALLOCATED", OPTIONAL) \
	E(css_online, "CSS_ONLINE", OPTIONAL) \
	E(reclaim_account, "_SLAB_RECLAIM_ACCOUNT", OPTIONAL)

/* Addresses of variables and functions: S(name, symbol, need). */
#define PM_SYMBOLS(S)                                       \
  S(init_task, "init_task", NEEDED)                         \
  S(init_uts, "init_uts_ns", NEEDED)                        \
  S(ram_pages, "_totalram_pages|totalram_pages", NEEDED)    \
  S(init_mm, "init_mm", NEEDED)                             \
  S(vmemmap, "vmemmap_base", OPTIONAL)                      \
  S(max_pfn, "max_pfn", OPTIONAL)                           \
  S(zero_pfn, "zero_pfn|zero_page_pfn", OPTIONAL)           \
  S(huge_zero_pfn, "huge_zero_pfn", OPTIONAL)               \
  S(nr_swapfiles, "nr_swapfiles", OPTIONAL)                 \
  S(boot_id, "sysctl_bootid", OPTIONAL)                     \
  S(clock, "shadow_timekeeper", OPTIONAL)                   \
  S(unified_root, "cgrp_dfl_root", OPTIONAL)                \
  S(special_mapping_name, "special_mapping_name", OPTIONAL) \
  S(simple_dname, "simple_dname", OPTIONAL)                 \
  S(vmcoreinfo, "vmcoreinfo_data", OPTIONAL)                \
  S(vmap_list, "vmap_area_list", OPTIONAL)                  \
  S(vmap_nodes, "vmap_nodes", OPTIONAL)                     \
  S(vmap_nodes_n, "nr_vmap_nodes", OPTIONAL)                \
  S(modules, "modules", OPTIONAL)                           \
  S(slab_caches, "slab_caches", OPTIONAL)                   \
  S(ftrace_pages, "ftrace_pages_start", OPTIONAL)           \
  S(dma_pool, "atomic_pool_dma", OPTIONAL)                  \
  S(dma32_pool, "atomic_pool_dma32", OPTIONAL)              \
  S(normal_pool, "atomic_pool_kernel", OPTIONAL)            \
  S(integrity_pool, "integrity_buf_pool", OPTIONAL)         \
  S(alloc_pages, "mempool_alloc_pages", OPTIONAL)           \
  S(hstates, "hstates", OPTIONAL)                           \
  S(hstates_n, "hugetlb_max_hstate", OPTIONAL)              \
  S(resources, "iomem_resource", OPTIONAL)                  \
  S(nodes, "node_data", OPTIONAL)                           \
  S(nodes_n, "nr_node_ids", OPTIONAL)                       \
  S(only_node, "contig_page_data", OPTIONAL)                \
  S(percpu_offset, "__per_cpu_offset", OPTIONAL)            \
  S(cpus, "nr_cpu_ids", OPTIONAL)                           \
  S(node_stat, "vm_node_stat", OPTIONAL)                    \
  S(zone_stat, "vm_zone_stat", OPTIONAL)                    \
  S(vmalloc_pages, "nr_vmalloc_pages", OPTIONAL)            \
  S(percpu_pages, "pcpu_nr_populated", OPTIONAL)            \
  S(percpu_units, "pcpu_nr_units", OPTIONAL)                \
  S(poisoned_pages, "num_poisoned_pages", OPTIONAL)         \
  S(sections, "mem_section", OPTIONAL)                      \
  S(record_bytes, "page_ext_size", OPTIONAL)                \
  S(page_owner, "page_owner_ops", OPTIONAL)                 \
  S(stack_pools, "stack_pools|stack_slabs", OPTIONAL)       \
  S(stack_pools_n, "pools_num", OPTIONAL)                   \
  S(stack_pools_max, "stack_max_pools", OPTIONAL)           \
  S(last_stack_pool, "depot_index", OPTIONAL)

/* Value of a missing enumerator. */
#define PM_NONE (~(__u64)0)

#define PM_DECLARE_FIELD(name, members, need) struct pm_field name;
#define PM_DECLARE_NUMBER(name, word, need) __u64 name;

/* Bytes of page->flags that have flags. */
#define PM_FLAG_BYTES 4

struct pm_layout {
	PM_FIELDS(PM_DECLARE_FIELD)
	PM_NUMBERS(PM_DECLARE_NUMBER)
	struct {
		PM_SYMBOLS(PM_DECLARE_NUMBER)	/* 0: missing */
	} at;
	size_t page_struct;	/* bytes of a struct page */
	/* Bytes; 0: no such type. */
	size_t zone_struct, area_struct, hstate_struct;
	size_t vmap_node_struct, module_part_struct, ftrace_struct;
	size_t cache_node_struct;	/* element of kmem_cache.per_node */
	size_t section_struct, user_struct;	/* mem_section, page_owner */
	size_t range_length;	/* slots of the two kinds of maple nodes */
	size_t gap_length;
	__u64 maple_range, maple_gap;	/* kinds of maple nodes, with maple_leaf */
	__u64 max_swap_types;	/* swap slots have lower types; 0: a kernel without swap */

	/* Flags of /proc/kpageflags by the bytes of page->flags; see layout.c. */
	__u64 copied_flags[PM_FLAG_BYTES][256];

	/* Behaviour of the kernel, derived from its types; see layout.c. */
	bool has_double_map;
	bool shows_folio_flags;
	bool has_strict_heap;
	bool has_named_files;
	__u64 reclaimable_cache;	/* in kmem_cache.flags; 0: unknown */
};

/* Whether the bit of this number is set; false for PM_NONE. */
static inline bool pm_has_bit(__u64 bits, __u64 number)
{
	return number != PM_NONE && bits >> number & 1;
}

/*
 * In two steps, because the types take memory that a reader may give back before it reads the
 * symbols. Return false if the kernel is unsupported; why is then a sentence without a full stop.
 */
bool pm_layout_find_types(struct pm_layout *layout, const struct pm_dump *dump, char *why,
			  size_t room);
bool pm_layout_find_symbols(struct pm_layout *layout, const struct pm_dump *dump, char *why,
			    size_t room);
/* Both. */
bool pm_layout_find(struct pm_layout *layout, const struct pm_dump *dump, char *why, size_t room);

/* Every name that a dump's symbol() is asked for, separated by '|'. */
const char *pm_symbol_names(void);


#endif
