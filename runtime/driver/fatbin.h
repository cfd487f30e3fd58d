// What cuModuleLoadData and __cudaRegisterFatBinary are given: an ELF module, a fat binary or its wrapper, or PTX text. Picks what
// this device runs.
#pragma once

#include <span>

#include "platform/core/result.h"

namespace castor::driver {

enum class ImageKind { elf, ptx, bitcode };

struct SelectedImage {
  ImageKind kind;
  std::span<const std::byte> bytes;  // inside the caller's image
};

/// Fails with not_found if the image is a fat binary without anything for `arch` (10 * major + minor).
Result<SelectedImage> select_image(const void* image, unsigned arch);

/// The same for the entries of one fat binary, whose size is known; for tests on damaged ones.
Result<SelectedImage> select_entry(std::span<const std::byte> fatbin, unsigned arch);

}  // namespace castor::driver
