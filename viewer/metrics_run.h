// SPDX-License-Identifier: MIT
#pragma once

#include "program/exit.h"
#include "viewer/serve.h"

namespace physmem::view {

/// --metrics: collects at intervals and serves the last metrics, until a signal comes or
/// physmem-collect ends.
Exit serve_metrics(const Serving& serving);

}  // namespace physmem::view
