// The functions that Castor lacks are exported all the same; here they are found by name.
#pragma once

#include <string_view>

namespace castor::driver {
const void* find_gap(std::string_view name);
}
