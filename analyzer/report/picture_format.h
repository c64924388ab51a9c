// SPDX-License-Identifier: MIT
#pragma once

namespace physmem {

enum class PictureFormat { kPs, kPdf, kSvg, kPng };

}  // namespace physmem
