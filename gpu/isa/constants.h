// The 32 numbers of fli (Zfa, table "Immediate values loaded by the FLI instructions"), as assembly text writes them.
#pragma once

#include <array>
#include <string_view>

namespace castor::isa {

inline constexpr std::array<std::string_view, 32> kFliNames = {"-1.0",
                                                               "min",
                                                               "1.52587890625e-05",
                                                               "3.0517578125e-05",
                                                               "0.00390625",
                                                               "0.0078125",
                                                               "0.0625",
                                                               "0.125",
                                                               "0.25",
                                                               "0.3125",
                                                               "0.375",
                                                               "0.4375",
                                                               "0.5",
                                                               "0.625",
                                                               "0.75",
                                                               "0.875",
                                                               "1.0",
                                                               "1.25",
                                                               "1.5",
                                                               "1.75",
                                                               "2.0",
                                                               "2.5",
                                                               "3.0",
                                                               "4.0",
                                                               "8.0",
                                                               "16.0",
                                                               "128.0",
                                                               "256.0",
                                                               "32768.0",
                                                               "65536.0",
                                                               "inf",
                                                               "nan"};

}  // namespace castor::isa
