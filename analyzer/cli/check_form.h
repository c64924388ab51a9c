// SPDX-License-Identifier: MIT
#pragma once

#include "analyzer/input/options.h"
#include "program/result.h"

namespace physmem {

/// Rejects pictures for analyses that have none, and more than one CSV table without a
/// place for it.
Status check_form(const Options& options);

}  // namespace physmem
