// SPDX-License-Identifier: MIT
// Which cgroups pay for memory, and which use it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/name_pattern.h"
#include "analyzer/analyze/process/cgroup_uses.h"
#include "analyzer/shape/cgroup_title.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// What a question about cgroups is about: the groups whose path or title fits one of the patterns,
/// with all below them. Without patterns, all.
class CgroupSelection {
 public:
  CgroupSelection(const CgroupUses& uses, std::vector<NamePattern> patterns,
                  CgroupNames names = {});

  const std::vector<const CgroupUse*>& rows() const { return rows_; }
  /// Those that fit a pattern, and are not below another one.
  const std::vector<const CgroupUse*>& tops() const { return tops_; }
  bool is_top(const CgroupUse& use) const;
  bool has(const CgroupUse& use) const;
  /// As text names the group.
  std::string title(const CgroupUse& use) const;

 private:
  CgroupNames names_;
  std::vector<const CgroupUse*> rows_, tops_;  ///< in the order of the tree
};

/// "12 cgroups pay for 1.2 GiB: 800 MiB are mapped by their own processes, …".
std::vector<std::string> cgroup_lines(const CgroupUses& uses, const CgroupSelection& selection);

/// A row for each cgroup, with the sums of those below it. `is_full`: all columns; text has the
/// most important ones, and no groups without memory and processes.
Table cgroups_table(const CgroupUses& uses, const CgroupSelection& selection, bool is_full,
                    bool is_text);

/// Files that one group pays for, by what others use of them. `is_text`: only those that others
/// use.
Table cgroup_files_table(const std::vector<CgroupFile>& files, const CgroupSelection& selection,
                         bool is_text);

/// Payer, user and file: a row for each combination.
Table cgroup_matrix_table(const std::vector<CgroupFile>& files, const CgroupSelection& selection);

/// What they pay for, as nested rectangles.
Treemap cgroup_treemap(const CgroupUses& uses, const CgroupSelection& selection);

/// What the numbers do not have.
std::vector<std::string> cgroup_notes(const CgroupUses& uses);

}  // namespace physmem
