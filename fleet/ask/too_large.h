// SPDX-License-Identifier: MIT
// The host whose sizes make a sum too large.
#pragma once

#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// `problem`, which a question about this time has ended with. If a sum was too large, the error
/// also names the host that has reported the largest sizes.
Error with_largest_host(Store& store, const Selection& time, Error problem);

}  // namespace physmem::fleet
