// The firmware hart without SystemC: the real boot ROM and firmware against a fake host, good and bad.
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "gpu/abi/gsp.h"
#include "gpu/abi/message.h"
#include "gpu/abi/registers.h"
#include "gpu/firmware/boot_rom.h"
#include "gpu/model/discovery_table.h"
#include "gpu/model/gsp.h"
#include "platform/core/crc32c.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::gpu;

namespace {

constexpr std::uint32_t kGsp = 0x10000, kMmu = 0x20000, kHost = 0x30000, kTable = 0x8000;
constexpr std::uint64_t kBus = 0x9'0000'0000;

const reg::BlockDef& block(unsigned type) { return *std::ranges::find(reg::kBlocks, type, &reg::BlockDef::type); }

std::vector<std::byte> firmware() {
  std::ifstream file(CASTOR_FIRMWARE_IMAGE, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> image(bytes.size());
  std::memcpy(image.data(), bytes.data(), bytes.size());
  return image;
}

/// The hart with just enough around it, and 1 MiB of host memory at kBus.
struct World {
  explicit World(bool signed_only = false)
      : gsp({.base = kGsp, .signed_only = signed_only, .rom = boot_rom()},
            {.registers = map,
             .memory = memory,
             .dma = [this](BusAddr a, std::span<std::byte> data, bool to_host) { return dma(a, data, to_host); },
             .raise = [this](unsigned source) { raised.push_back(source); },
             .wake = [] {},
             .console = [this](char c) { console += c; }}) {
    map.add(block(CASTOR_BLOCK_BOOT), {.base = 0}, boot);
    map.add(block(CASTOR_BLOCK_GSP), {.base = kGsp}, gsp.bank());
    map.add(block(CASTOR_BLOCK_MMU), {.base = kMmu}, mmu);
    map.add(block(CASTOR_BLOCK_HOST), {.base = kHost}, host_block);
    GpuSpec spec;
    spec.sms = {{0, 0}};
    spec.memory_bytes = 16u << 20;
    table = discovery_table(spec, {}, map);
    map.add_window(kTable, table);
    mmu.set<reg::mmu::CONTEXTS>(16);
    host_block.set<reg::host::QUEUES>(16);
  }

  bool dma(BusAddr address, std::span<std::byte> data, bool to_host) {
    if (refuse == address.value || address.value < kBus || address.value + data.size() > kBus + host.size())
      return false;
    std::byte* memory_at = &host[address.value - kBus];
    std::memcpy(to_host ? memory_at : data.data(), to_host ? data.data() : memory_at, data.size());
    return true;
  }

  /// Page list at kBus, pages behind it, rings at the end; runs the hart until it rests. Returns GSP.STATUS.
  std::uint32_t start(const std::vector<std::byte>& image) {
    const std::uint64_t pages = (image.size() + 4095) / 4096;
    for (std::uint64_t page = 0; page < pages; ++page) {
      const std::uint64_t at = kBus + 0x10000 + 8192 * page;  // not contiguous
      std::memcpy(&host[8 * page], &at, 8);
      std::memcpy(&host[at - kBus], &image[4096 * page], std::min<std::size_t>(4096, image.size() - 4096 * page));
    }
    const castor_message_ring head{0, 0, 8, 0};
    std::memcpy(&host[kCommand - kBus], &head, sizeof head);
    std::memcpy(&host[kStatus - kBus], &head, sizeof head);
    map.write(kGsp + CASTOR_GSP_CTRL, 0u);
    pair(CASTOR_GSP_IMAGE_LIST_LO, kBus);
    map.write(kGsp + CASTOR_GSP_IMAGE_BYTES, static_cast<std::uint32_t>(image.size()));
    map.write(kGsp + CASTOR_GSP_IMAGE_CRC, crc32c(image));
    pair(CASTOR_GSP_COMMAND_RING_LO, kCommand);
    pair(CASTOR_GSP_STATUS_RING_LO, kStatus);
    map.write(kGsp + CASTOR_GSP_CTRL, 1u);
    rest();
    return map.read(kGsp + CASTOR_GSP_STATUS);
  }
  void pair(std::uint32_t offset, std::uint64_t value) {
    map.write(kGsp + offset, static_cast<std::uint32_t>(value));
    map.write(kGsp + offset + 4, static_cast<std::uint32_t>(value >> 32));
  }
  void rest() {
    for (unsigned turn = 0; turn < 10000 && gsp.runnable(); ++turn) gsp.run(10000);
    CHECK_FALSE(gsp.runnable());
  }

  static constexpr std::uint64_t kCommand = kBus + 0xe0000, kStatus = kBus + 0xf0000;
  std::vector<std::byte> host = std::vector<std::byte>(1u << 20);
  std::vector<std::byte> memory = std::vector<std::byte>(16u << 20);
  std::uint64_t refuse = 0;
  std::vector<unsigned> raised;
  std::string console;
  std::uint64_t holes = 0;
  RegisterMap map{[this](std::uint32_t, bool) { ++holes; }};
  RegisterBank boot{reg::boot::kRegisters}, mmu{reg::mmu::kRegisters}, host_block{reg::host::kRegisters};
  std::vector<std::byte> table;
  Gsp gsp;
};

std::uint32_t state(std::uint32_t status) { return CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_STATE); }
std::uint32_t failure(std::uint32_t status) { return CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_FAILURE); }

}  // namespace

TEST_CASE("the firmware starts, says so, and touches no hole") {
  World world;
  CHECK(state(world.start(firmware())) == CASTOR_GSP_STATE_READY);
  CHECK(world.map.read(kGsp + CASTOR_GSP_READY) == CASTOR_GSP_READY_WORD);
  CHECK(world.console.find("is ready") != std::string::npos);
  CHECK(world.holes == 0);
}

TEST_CASE("fuses decide whether a signature counts") {
  auto image = firmware();
  World open;
  World strict(true);
  CHECK(state(strict.start(image)) == CASTOR_GSP_STATE_READY);
  image[offsetof(castor_gsp_image, signature)] ^= std::byte{1};
  CHECK(state(open.start(image)) == CASTOR_GSP_STATE_READY);
  const std::uint32_t status = strict.start(image);
  CHECK(state(status) == CASTOR_GSP_STATE_FAILED);
  CHECK(failure(status) == CASTOR_GSP_FAIL_SIGNATURE);
  image = firmware();
  image.back() ^= std::byte{1};  // the code was changed, its checksum too
  CHECK(failure(strict.start(image)) == CASTOR_GSP_FAIL_SIGNATURE);
}

TEST_CASE("what cannot be read is named, with its address") {
  const std::pair<std::uint64_t, unsigned> cases[] = {{kBus, CASTOR_GSP_FAIL_LIST},
                                                      {kBus + 0x10000 + 8192, CASTOR_GSP_FAIL_PAGE},
                                                      {World::kCommand, CASTOR_GSP_FAIL_RING},
                                                      {World::kStatus, CASTOR_GSP_FAIL_RING}};
  for (const auto& [address, reason] : cases) {
    World world;
    world.refuse = address;
    const std::uint32_t status = world.start(firmware());
    CHECK(state(status) == CASTOR_GSP_STATE_FAILED);
    CHECK(failure(status) == reason);
    CHECK(world.gsp.bank().get64<reg::gsp::FAILURE_INFO_LO>() == address);
    CHECK(world.raised == std::vector<unsigned>{CASTOR_VECTOR_DEVICE});
  }
}

TEST_CASE("a hart held in reset in mid-boot starts anew") {
  World world;
  const auto image = firmware();
  for (const std::uint64_t instructions : {1u, 50u, 500u, 3000u}) {
    world.start(image);
    world.map.write(kGsp + CASTOR_GSP_CTRL, 0u);
    CHECK_FALSE(world.gsp.runnable());
    CHECK(state(world.map.read(kGsp + CASTOR_GSP_STATUS)) == CASTOR_GSP_STATE_RESET);
    CHECK(world.map.read(kGsp + CASTOR_GSP_READY) == 0);
    world.map.write(kGsp + CASTOR_GSP_CTRL, 1u);
    world.gsp.run(instructions);
    CHECK(state(world.start(image)) == CASTOR_GSP_STATE_READY);
  }
}

TEST_CASE("the driver cannot write what is the firmware's") {
  World world;
  world.start(firmware());
  world.map.write(kGsp + CASTOR_GSP_READY, 0u);
  world.map.write(kGsp + CASTOR_GSP_STATUS, 0u);
  CHECK(world.map.read(kGsp + CASTOR_GSP_READY) == CASTOR_GSP_READY_WORD);
  CHECK(state(world.map.read(kGsp + CASTOR_GSP_STATUS)) == CASTOR_GSP_STATE_READY);
}
