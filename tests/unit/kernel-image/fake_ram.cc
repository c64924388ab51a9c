// SPDX-License-Identifier: MIT
#include "tests/unit/kernel-image/fake_ram.h"

namespace physmem::crash {

FakeRam::FakeRam(FakeKernel& kernel)
    : kernel_(kernel), has_nodes_(!kernel.types.is_hidden("vmap_node")) {
  root_ = kernel.symbols["iomem_resource"] = kernel.allocate("resource");
  if (has_nodes_) {
    const std::uint64_t node = kernel.allocate("vmap_node");
    areas_ = kernel.at(node, "vmap_node.busy/rb_list.head");
    variable("vmap_nodes", 8, node);
    variable("nr_vmap_nodes", 8, 1);
  } else {
    areas_ = kernel.symbols["vmap_area_list"] = kernel.allocate("list_head");
  }
  kernel.append(0, areas_);
  modules_ = kernel.symbols["modules"] = kernel.allocate("list_head");
  kernel.append(0, modules_);
}

std::uint64_t FakeRam::resource(std::uint64_t first, std::uint64_t last, std::string_view name,
                                std::uint64_t parent) {
  const std::uint64_t added = kernel_.allocate("resource");
  kernel_.put(added, "resource.start", first);
  kernel_.put(added, "resource.end", last);
  kernel_.put(added, "resource.name", kernel_.memory.text("name", name));
  const std::uint64_t above = parent == 0 ? root_ : parent;
  std::uint64_t last_child = kernel_.get(above, "resource.child");
  if (last_child == 0) {
    kernel_.put(above, "resource.child", added);
    return added;
  }
  while (kernel_.get(last_child, "resource.sibling") != 0)
    last_child = kernel_.get(last_child, "resource.sibling");
  kernel_.put(last_child, "resource.sibling", added);
  return added;
}

std::uint64_t FakeRam::add_zone() {
  const std::uint64_t node = kernel_.allocate("pglist_data");
  const std::uint64_t zone = kernel_.at(node, "pglist_data.node_zones");
  kernel_.put(node, "pglist_data.node_id", 0);
  kernel_.put(zone, "zone.name", kernel_.memory.text("name", "Normal"));
  kernel_.put(zone, "zone.zone_start_pfn", 0x100);
  kernel_.put(zone, "zone.spanned_pages", 0x20);
  kernel_.put(zone, "zone.present_pages", 0x1F);
  kernel_.put(zone, "zone.managed_pages", 0x1E);
  kernel_.put(zone, "zone.watermark_boost", 1);
  for (const std::uint64_t i : {0, 1, 2})
    kernel_.memory.put(kernel_.at(zone, "zone._watermark") + 8 * i, 8, 10 * (i + 1));
  kernel_.memory.put(kernel_.at(zone, "zone.vm_stat"), 8, 17);
  kernel_.put(kernel_.at(zone, "zone.free_area"), "free_area.nr_free", 17);
  const bool is_old = kernel_.types.is_hidden("zone.per_cpu_pageset");
  const std::uint64_t lists = kernel_.memory.allocate("lists", 2 * kPage, 64);
  const std::uint64_t count = kernel_.types.offset(
      is_old ? "per_cpu_pageset.pcp/per_cpu_pages.count" : "per_cpu_pages.count");
  kernel_.put(zone, is_old ? "zone.pageset" : "zone.per_cpu_pageset", lists - 0x10000);
  array("__per_cpu_offset", {0x10000, 0x10000 + kPage});
  kernel_.memory.put(lists + count, 4, 3);
  kernel_.memory.put(lists + kPage + count, 4, 4);
  variable("nr_cpu_ids", 4, 2);
  variable("nr_node_ids", 4, 1);
  array("node_data", {node});
  return zone;
}

void FakeRam::add_sections(std::uint64_t offline) {
  constexpr std::uint64_t kMarkedPresent = 1, kHasMap = 2, kOnline = 4;
  sections_ = kernel_.memory.allocate("mem_section", kPage, kPage);
  for (std::uint64_t i = 0; i < 32; ++i)
    kernel_.put(section(i << 15), "mem_section.section_mem_map",
                kMarkedPresent | kHasMap | (offline >> i & 1 ? 0 : kOnline));
  array("roots of sections", {sections_});
  variable("mem_section", 8, kernel_.symbols["roots of sections"]);
}

std::uint64_t FakeRam::section(std::uint64_t pfn) const {
  return sections_ + (pfn >> 15) * kernel_.types.size("mem_section");
}

std::uint64_t FakeRam::add(const FakeVmalloc& area) {
  const std::uint64_t vm = kernel_.allocate("vm_struct"), node = kernel_.allocate("vmap_area");
  kernel_.put(vm, "vm_struct.addr", area.start);
  kernel_.put(vm, "vm_struct.flags", area.flags);
  kernel_.put(vm, "vm_struct.caller", area.caller);
  kernel_.put(vm, "vm_struct.pages", area.has_pages ? kernel_.memory.allocate("pages", 64) : 0);
  kernel_.put(node, "vmap_area.va_start", area.start);
  kernel_.put(node, "vmap_area.va_end", area.start + (area.pages + 1) * kPage);
  kernel_.put(node, "vmap_area.vm", vm);
  kernel_.append(areas_, kernel_.at(node, "vmap_area.list"));
  for (std::uint64_t i = 0; i < area.pages; ++i)
    kernel_.set_entry(kernel_.symbols.at("init_mm"), area.start + i * kPage,
                      present(area.first_pfn + i));
  return node;
}

std::uint64_t FakeRam::add_task(std::uint64_t pid, std::uint64_t stack) {
  FakeTask facts;
  facts.pid = pid;
  const std::uint64_t task = kernel_.add_process(facts).task;
  kernel_.put(task, "task_struct.stack", stack);
  return task;
}

std::uint64_t FakeRam::add_module(std::uint64_t base) {
  const std::uint64_t module = kernel_.allocate("module");
  const bool has_parts = !kernel_.types.is_hidden("module_memory");
  const std::uint64_t part = kernel_.at(module, "module.mem") + kernel_.types.size("module_memory");
  if (has_parts) {
    kernel_.memory.put(part + kernel_.types.offset("module_memory.base"), 8, base);
    kernel_.memory.put(part + kernel_.types.offset("module_memory.size"), 4, 100);
  } else {
    kernel_.put(module, "module.core_layout/module_layout.base", base);
    kernel_.put(module, "module.core_layout/module_layout.size", 100);
  }
  kernel_.append(modules_, kernel_.at(module, "module.list"));
  return module;
}

void FakeRam::variable(const char* name, std::size_t bytes, std::uint64_t value) {
  kernel_.symbols[name] = kernel_.memory.allocate(name, bytes, 8);
  kernel_.memory.put(kernel_.symbols[name], bytes, value);
}
void FakeRam::array(const char* name, const std::vector<std::uint64_t>& values) {
  kernel_.symbols[name] = kernel_.memory.allocate(name, 8 * values.size(), 8);
  for (std::size_t i = 0; i < values.size(); ++i)
    kernel_.memory.put(kernel_.symbols[name] + 8 * i, 8, values[i]);
}

}  // namespace physmem::crash
