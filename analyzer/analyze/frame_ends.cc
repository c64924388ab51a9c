// SPDX-License-Identifier: MIT
#include "analyzer/analyze/frame_ends.h"

#include <cstddef>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace physmem {
namespace {

std::uint64_t last_bit(std::size_t n) {
  return std::uint64_t{1} << (n - 1);
}

std::uint64_t ends_from(std::size_t i, std::span<const std::uint64_t> values, const FrameStep& step) {
  std::uint64_t ends = last_bit(values.size());
  for (; i + 1 < values.size(); ++i)
    ends |= std::uint64_t{(values[i + 1] & step.mask) - (values[i] & step.mask) != step.bytes} << i;
  return ends;
}

#ifdef __x86_64__

__attribute__((target("avx2"))) std::uint64_t ends_avx2(std::span<const std::uint64_t> values,
                                                        const FrameStep& step) {
  const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(step.mask));
  const __m256i bytes = _mm256_set1_epi64x(static_cast<long long>(step.bytes));
  const auto* const at = reinterpret_cast<const char*>(values.data());
  std::uint64_t follow = 0;
  std::size_t i = 0;
  for (; i + 4 < values.size(); i += 4) {
    const __m256i here =
        _mm256_and_si256(mask, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 8 * i)));
    const __m256i next =
        _mm256_and_si256(mask, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 8 * i + 8)));
    const __m256i same = _mm256_cmpeq_epi64(next, _mm256_add_epi64(here, bytes));
    follow |= static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(same))) << i;
  }
  const std::uint64_t done = (std::uint64_t{1} << i) - 1;
  return (done & ~follow) | ends_from(i, values, step);
}

__attribute__((target("avx512f"))) std::uint64_t ends_avx512(std::span<const std::uint64_t> values,
                                                             const FrameStep& step) {
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(step.mask));
  const __m512i bytes = _mm512_set1_epi64(static_cast<long long>(step.bytes));
  std::uint64_t ends = last_bit(values.size());
  for (std::size_t i = 0; i + 1 < values.size(); i += 8) {
    const std::size_t left = values.size() - 1 - i;
    const auto used = static_cast<__mmask8>(left >= 8 ? 0xFF : (1u << left) - 1);
    const __m512i here = _mm512_and_si512(mask, _mm512_maskz_loadu_epi64(used, values.data() + i));
    const __m512i next = _mm512_and_si512(mask, _mm512_maskz_loadu_epi64(used, values.data() + i + 1));
    const __mmask8 breaks = _mm512_mask_cmpneq_epi64_mask(used, next, _mm512_add_epi64(here, bytes));
    ends |= std::uint64_t{breaks} << i;
  }
  return ends;
}

#endif

}  // namespace

std::uint64_t frame_ends_portable(std::span<const std::uint64_t> values, const FrameStep& step) {
  return ends_from(0, values, step);
}

FrameEnds frame_ends() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return ends_avx512;
  if (__builtin_cpu_supports("avx2")) return ends_avx2;
#endif
  return frame_ends_portable;
}

}  // namespace physmem
