// How the operands column of a row is read: tokens, and the letter of a bit picture that each stands for.
#pragma once

#include <cstddef>
#include <string_view>

namespace castor::isa {

constexpr bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Takes the next operand or punctuation mark off the front. Spaces are skipped; empty at the end.
constexpr std::string_view next_token(std::string_view& syntax) {
  while (!syntax.empty() && syntax.front() == ' ') syntax.remove_prefix(1);
  std::size_t n = 0;
  while (n < syntax.size() && is_word_char(syntax[n])) ++n;
  if (n == 0 && !syntax.empty()) n = 1;
  const std::string_view token = syntax.substr(0, n);
  syntax.remove_prefix(n);
  return token;
}

/// The letter of the picture: 'a' for "a" and "fa", 'i' for "i"; 0 for punctuation and literal words.
constexpr char operand_letter(std::string_view token) {
  if (token.size() == 2 && token[0] == 'f' && token[1] >= 'a' && token[1] <= 'd') return token[1];
  return token.size() == 1 && is_word_char(token[0]) ? token[0] : '\0';
}

constexpr bool is_float_register(std::string_view token) { return token.size() == 2 && operand_letter(token) != '\0'; }

}  // namespace castor::isa
