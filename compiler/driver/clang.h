// Command lines for clang: the two halves of a CUDA compilation, plain host files, and the link.
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/driver.h"

namespace castor::compiler {

using Command = std::vector<std::string>;

/// NVVM bitcode to stdout. `unit_id` must be the same in both halves: it names the static variables they share.
Command device_command(const Options& options, const std::string& source, const std::string& unit_id);
/// Host object to stdout; reads the fat binary from stdin when it has parsed the source.
Command host_command(const Options& options, const std::string& source, const std::string& unit_id);
/// Host object to stdout, from a source without device code.
Command plain_command(const Options& options, const std::string& source);
/// Preprocessed text to stdout.
Command preprocess_command(const Options& options, const std::string& source, bool cuda);
Command link_command(const Options& options, const std::vector<std::string>& objects, const std::string& output);

}  // namespace castor::compiler
