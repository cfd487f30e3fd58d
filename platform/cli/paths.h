// Where the parts of this installation are; the build tree has the same shape.
#pragma once

#include <string>

namespace castor::cli {

struct Prefix {
  std::string self;       // bin/castor
  std::string libraries;  // toolkit/lib64
  std::string configs;    // share/castor/configs
  std::string firmware;   // share/castor/firmware/gsp.bin
};

/// Found from the running executable.
Prefix find_prefix();

}  // namespace castor::cli
