#include <fmt/format.h>

#include "platform/cli/commands.h"

namespace castor::cli {

int info(const MachineArguments& arguments) {
  auto spec = machine_spec(arguments, find_prefix());
  if (!spec) return fail(spec.status());
  auto drawing = board::draw_topology(*spec);
  if (!drawing) return fail(drawing.status());
  fmt::print("{}", *drawing);
  return 0;
}

}  // namespace castor::cli
