// Channel formats, which need no array.
#include "runtime/cudart/api.h"

namespace castor::cudart::api {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

}  // namespace castor::cudart::api
