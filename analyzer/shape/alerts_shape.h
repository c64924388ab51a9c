// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

Table alerts_table(const Alerts& alerts, const View& view);
/// Whether a row of that table has single-use and shared pages in one area: the paper's rule.
bool is_of_the_papers_rule(const std::vector<Cell>& row);
/// Figure 7: one sentence per alert, alerts by the exact rule first, then the cost of private text.
std::vector<std::string> alerts_text(const Alerts& alerts, const View& view);

/// For people: the exact rule as a table, what it costs, and how many the paper's rule finds.
Table private_text_table(const Alerts& alerts);
std::vector<std::string> private_text_lines(const Alerts& alerts, const View& view);

}  // namespace physmem
