// Machine configurations: TOML files. The keys are rows in config_keys.inc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/board/machine_spec.h"
#include "platform/core/result.h"

namespace castor::board {

/// Reads a machine from a file. An error reads "FILE:LINE: KEY: what is wrong; what is allowed".
Result<MachineSpec> load_config(const std::string& path);
/// The same from text; `file` is the name that errors give.
Result<MachineSpec> parse_config(std::string_view text, const std::string& file);

/// A path, or the name of a configuration that comes with Castor ("two-die"), as a path. `folder` holds those.
Result<std::string> find_config(const std::string& name_or_path, const std::string& folder);

struct ConfigKey {
  std::string_view table, key, kind;
  std::int64_t least, most;
  std::string_view doc;
};
/// All keys, for the manual page.
const std::vector<ConfigKey>& config_keys();

}  // namespace castor::board
