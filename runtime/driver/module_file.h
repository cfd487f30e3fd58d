// From what a program hands over to a module taken apart.
#pragma once

#include <vector>

#include "runtime/driver/api.h"
#include "runtime/driver/module_image.h"

namespace castor::driver {

/// Picks the module for this device out of the image and takes it apart.
CUresult read_module(const void* image, std::vector<std::byte>& file, ModuleImage& parsed);
/// The whole file, with zeroes after it.
CUresult read_file(const char* path, std::vector<char>& bytes);

}  // namespace castor::driver
