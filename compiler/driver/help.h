#pragma once

#include <string>

namespace castor::compiler {

/// The list of options, from the rows of options.inc.
std::string options_help();

}  // namespace castor::compiler
