// SPDX-License-Identifier: Apache-2.0
// Telephone numbers read by libphonenumber (Google's numbering plans); no exception of C++ comes through.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// What became of a text.
enum cphone_outcome {
  CPHONE_READ = 0,
  CPHONE_NO_NUMBER,   // letters, digits of another script, or too few digits to be one
  CPHONE_NO_COUNTRY,  // no country's code in front, and none of a site
  CPHONE_LOCAL,       // an area code is wanting
  CPHONE_TOO_SHORT,
  CPHONE_TOO_LONG,
  CPHONE_FAULT,       // the library failed: no memory, no numbering plans
};

// A number; each text ends with a zero byte.
struct cphone_number {
  char e164[24];
  char international[48];
  char extension[32];
  // Whether the numbering plan of the library's date has it; numbers that came into use since are not in it.
  int is_valid;
};

// Reads `length` bytes of UTF-8 as people write a number. `region` is an ISO 3166-1 alpha-2 code whose national numbers are
// read besides international ones, or "ZZ" for none. One that no plan has without the zero of its area code gets that zero.
enum cphone_outcome cphone_read(const char *text, size_t length, const char *region, struct cphone_number *number);

#ifdef __cplusplus
}
#endif
