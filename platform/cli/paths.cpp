#include "platform/cli/paths.h"

#include <filesystem>

namespace castor::cli {

Prefix find_prefix() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto prefix = self.parent_path().parent_path();
  const auto share = prefix / "share/castor";
  return {self, prefix / "toolkit/lib64", share / "configs", share / "firmware/gsp.bin"};
}

}  // namespace castor::cli
