// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// The kind of count in /proc/kpagecount. "mapcount": the number of page-table entries that map the
/// page. "average": their mean over the pages of a large folio, on kernels with
/// CONFIG_NO_PAGE_MAPCOUNT (since Linux 6.15).
///
/// Reads the kernel configuration in /boot. If that is not available, unmaps a page in the middle
/// of a huge page of this process; its count, 0 or 1, shows the kind. Returns mapcount if no huge
/// page is available.
std::string count_kind(const ProcTree& tree, const std::string& kernel_release);

/// From the text of a kernel configuration.
std::string count_kind_of_config(std::string_view text);

}  // namespace physmem::collect
