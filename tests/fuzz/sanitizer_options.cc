// SPDX-License-Identifier: MIT
// Default options of AddressSanitizer in a fuzz program; ASAN_OPTIONS overrides them. With the
// usual defaults a third of the time is spent on stack traces of allocations, 30 frames each, and
// on pages of a quarantine of 256 MiB. To examine a finding: ASAN_OPTIONS=malloc_context_size=30.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=3:quarantine_size_mb=8:max_malloc_fill_size=0";
}
