// SPDX-License-Identifier: MIT
// What AddressSanitizer does in a fuzz program, unless ASAN_OPTIONS says otherwise. With its
// defaults a third of the time is stack traces of allocations, 30 frames each, and pages of a
// quarantine of 256 MiB. To look at a finding: ASAN_OPTIONS=malloc_context_size=30.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=3:quarantine_size_mb=8:max_malloc_fill_size=0";
}
