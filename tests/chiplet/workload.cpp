#include "tests/chiplet/workload.h"

#include <cstring>

#include "gpu/isa/assembler.h"
#include "tests/support/catch.h"

namespace castor::test {

std::vector<std::uint8_t> kernel_image(const std::vector<std::string>& lines, std::uint32_t shared_static) {
  castor_kernel_desc desc{};
  desc.magic = CASTOR_KERNEL_MAGIC;
  desc.entry = sizeof desc;
  desc.shared_static = shared_static;
  std::vector<std::uint8_t> image(sizeof desc + 4 * lines.size());
  std::memcpy(image.data(), &desc, sizeof desc);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto word = isa::assemble(lines[i]);
    INFO(lines[i]);
    REQUIRE(word.ok());
    std::memcpy(&image[sizeof desc + 4 * i], &*word, 4);
  }
  return image;
}

Client::Client(TestDriver& d, std::uint16_t pasid, unsigned vector)
    : driver(d), context(d.make_context(pasid)), device_address(d.take_device()), host_bus(d.bench.take(0x10000)) {
  driver.map(context, kDevice, device_address, false, CASTOR_PAGE_2M);
  for (std::uint64_t at = 0; at < 0x10000; at += 4096) {
    driver.map(context, kHost + at, host_bus + at, true, CASTOR_PAGE_4K);
  }
  queue = driver.make_queue(context, kQueue, vector);
}

std::uint64_t Client::load(const std::vector<std::uint8_t>& image, std::uint64_t offset) {
  driver.write_device(device_address + offset, image.data(), image.size());
  return kDevice + offset;
}

}  // namespace castor::test
