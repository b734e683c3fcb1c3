// SPDX-License-Identifier: Apache-2.0
#include "cphone.h"

#include <phonenumbers/phonenumberutil.h>

#include <cctype>
#include <cstdio>
#include <exception>
#include <set>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

template <size_t size>
bool copy(const std::string &from, char (&to)[size]) {
  if (from.size() >= size) return false;
  std::snprintf(to, size, "%s", from.c_str());
  return true;
}

cphone_outcome outcome_of(PhoneNumberUtil::ErrorType error) {
  switch (error) {
    case PhoneNumberUtil::NO_PARSING_ERROR: return CPHONE_READ;
    case PhoneNumberUtil::INVALID_COUNTRY_CODE_ERROR: return CPHONE_NO_COUNTRY;
    case PhoneNumberUtil::TOO_SHORT_AFTER_IDD:
    case PhoneNumberUtil::TOO_SHORT_NSN: return CPHONE_TOO_SHORT;
    case PhoneNumberUtil::TOO_LONG_NSN: return CPHONE_TOO_LONG;
    default: return CPHONE_NO_NUMBER;
  }
}

cphone_outcome outcome_of(PhoneNumberUtil::ValidationResult result) {
  switch (result) {
    case PhoneNumberUtil::IS_POSSIBLE: return CPHONE_READ;
    case PhoneNumberUtil::IS_POSSIBLE_LOCAL_ONLY: return CPHONE_LOCAL;
    case PhoneNumberUtil::INVALID_COUNTRY_CODE: return CPHONE_NO_COUNTRY;
    case PhoneNumberUtil::TOO_SHORT: return CPHONE_TOO_SHORT;
    case PhoneNumberUtil::TOO_LONG: return CPHONE_TOO_LONG;
    default: return CPHONE_TOO_SHORT;  // INVALID_LENGTH lies between two lengths that are possible.
  }
}

// Also of other scripts, whose digits the library reads, too.
bool is_letter(unsigned char byte) { return std::isalpha(byte) || byte >= 0x80; }

// The words that lead to an extension, of those that the library knows.
bool leads_to_extension(const std::string &word) {
  static const std::set<std::string> words = {"x", "xt", "ext", "xtn", "extn", "xtension", "extension", "extensión", "int", "anexo", "доб"};
  return words.count(word) != 0;
}

// Whether letters stand in the number itself: the library reads them as the keys of a telephone, and people write them as notes.
// The one word that may stand there leads straight to the extension.
bool has_note(const std::string &text, const std::string &extension) {
  size_t at = text.find_first_of("+0123456789");
  while (at < text.size() && !is_letter(text[at])) ++at;
  if (at >= text.size()) return false;
  std::string word, digits;
  for (; at < text.size() && is_letter(text[at]); ++at) word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
  for (; at < text.size(); ++at) {
    if (is_letter(text[at])) return true;
    if (std::isdigit(static_cast<unsigned char>(text[at]))) digits += text[at];
  }
  return extension.empty() || digits != extension || !leads_to_extension(word);
}

// The number with the zero of its area code, where no plan has it without, and one has it with that.
PhoneNumber with_zero(const PhoneNumberUtil &plans, const PhoneNumber &number) {
  if (number.italian_leading_zero() || plans.IsValidNumber(number)) return number;
  PhoneNumber whole(number);
  whole.set_italian_leading_zero(true);
  return plans.IsValidNumber(whole) ? whole : number;
}

// Plans that came behind those of the library: Benin put 01 before its eight digits in 2024.
bool is_of_newer_plan(const PhoneNumber &number) {
  return number.country_code() == 229 && number.number_of_leading_zeros() == 1 && number.italian_leading_zero() &&
         number.national_number() / 100000000 == 1;
}

cphone_outcome tell(const PhoneNumberUtil &plans, const PhoneNumber &number, cphone_number *out) {
  const cphone_outcome possible = outcome_of(plans.IsPossibleNumberWithReason(number));
  if (possible != CPHONE_READ && !(possible == CPHONE_TOO_LONG && is_of_newer_plan(number))) return possible;
  PhoneNumber bare;
  bare.set_country_code(number.country_code());
  bare.set_national_number(number.national_number());
  bare.set_italian_leading_zero(number.italian_leading_zero());
  bare.set_number_of_leading_zeros(number.number_of_leading_zeros());
  std::string e164, international;
  plans.Format(bare, PhoneNumberUtil::E164, &e164);
  plans.Format(bare, PhoneNumberUtil::INTERNATIONAL, &international);
  out->is_valid = plans.IsValidNumber(bare);
  return copy(e164, out->e164) && copy(international, out->international) && copy(number.extension(), out->extension) ? CPHONE_READ : CPHONE_TOO_LONG;
}

}  // namespace

cphone_outcome cphone_read(const char *text, size_t length, const char *region, cphone_number *number) try {
  const std::string written(text, length);
  const PhoneNumberUtil &plans = *PhoneNumberUtil::GetInstance();
  PhoneNumber parsed;
  const cphone_outcome outcome = outcome_of(plans.Parse(written, region, &parsed));
  if (outcome != CPHONE_READ) return outcome;
  if (has_note(written, parsed.extension())) return CPHONE_NO_NUMBER;
  return tell(plans, with_zero(plans, parsed), number);
} catch (...) {
  return CPHONE_FAULT;
}
