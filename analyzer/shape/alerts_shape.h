// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/alerts.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

Table alerts_table(const Alerts& alerts, const View& view);
/// Figure 7: one sentence an alert, the exact rule's first, then what private text costs.
std::vector<std::string> alerts_text(const Alerts& alerts, const View& view);

}  // namespace physmem
