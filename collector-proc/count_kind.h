// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// What /proc/kpagecount tells: "mapcount", the page-table entries that map the page, or "average",
/// their mean over the pages of a large folio, on kernels with CONFIG_NO_PAGE_MAPCOUNT (since
/// Linux 6.15).
///
/// Asked of the kernel's configuration in /boot, else by an experiment: a page is unmapped from the
/// middle of a huge page of our own, and its count, 0 or 1, shows which. When no huge page is to be
/// had: mapcount.
std::string count_kind(const ProcTree& tree, const std::string& kernel_release);

/// By the text of a kernel configuration.
std::string count_kind_of_config(std::string_view text);

}  // namespace physmem::collect
