#include "tests/runtime/kmd/fake_machine.h"

#include "cxl/abi/config_space.h"

namespace castor::test {
namespace {

constexpr std::uint64_t kMmio32 = 0xc0000000, kMmio64 = 0x4000000000;
constexpr std::uint16_t kRootPort = CASTOR_KMD_BDF(0, 1, 0), kGpuOnSecondary = CASTOR_KMD_BDF(0, 0, 0);
constexpr std::uint32_t kMsixOffset = 0xff0000;

template <class T>
void put(std::array<std::uint8_t, 4096>& bytes, std::uint32_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

/// Bit by bit from the definition of CRC-32C, not from the driver's table.
std::uint32_t crc32c(const void* data, std::size_t bytes) {
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = 0; i < bytes; ++i) {
    crc ^= static_cast<const std::uint8_t*>(data)[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
  }
  return ~crc;
}

FakeMachine::FakeMachine() : memory(kMemoryBytes) {
  Config& bridge = functions[kRootPort];
  bridge.bridge = true;
  put<std::uint32_t>(bridge.bytes, 0, CASTOR_PCI_VENDOR_ID | CASTOR_PCI_ROOT_PORT_DEVICE_ID << 16);
  put<std::uint32_t>(bridge.bytes, 8, CASTOR_PCI_CLASS_BRIDGE << 8);
  put<std::uint8_t>(bridge.bytes, 0xe, CASTOR_PCI_HEADER_TYPE_BRIDGE);
  Config& gpu = functions[0xffff];  // below the bridge, found by route()
  put<std::uint32_t>(gpu.bytes, 0, CASTOR_PCI_VENDOR_ID | CASTOR_PCI_GPU_DEVICE_ID << 16);
  put<std::uint32_t>(gpu.bytes, 8, CASTOR_PCI_CLASS_GPU << 8);
  put<std::uint8_t>(gpu.bytes, CASTOR_PCI_HEADER_CAPABILITIES, 0x40);
  put<std::uint16_t>(gpu.bytes, 0x40, 0x5001);  // power management first, then MSI-X
  put<std::uint16_t>(gpu.bytes, 0x50, CASTOR_PCI_CAP_MSIX);
  put<std::uint16_t>(gpu.bytes, 0x50 + CASTOR_PCI_MSIX_CONTROL, 63);
  put<std::uint32_t>(gpu.bytes, 0x50 + CASTOR_PCI_MSIX_TABLE, kMsixOffset);
  gpu.bar_masks = {0xff000000, 0, 0xfff00000, 0, static_cast<std::uint32_t>(~(kMemoryBytes - 1)), 0xffffffff};
  put<std::uint32_t>(gpu.bytes, 0x10 + 4 * 4, CASTOR_PCI_BAR_64 | CASTOR_PCI_BAR_PREFETCH);

  const castor_discovery_block blocks[] = {{CASTOR_BLOCK_GSP, 1, 0, 0, kGsp, 0x1000, 0, 0, 0},
                                           {CASTOR_BLOCK_MMU, 1, 0, 0, kMmu, 0x1000, 0, 0, 0},
                                           {CASTOR_BLOCK_INTR, 1, 0, 0, kIntr, 0x1000, 0, 0, 0}};
  const castor_discovery_region regions[] = {
      {0, kFirmwareBytes, CASTOR_REGION_FIRMWARE, CASTOR_DISCOVERY_PACKAGE},
      {kFirmwareBytes, kMemoryBytes - kFirmwareBytes, CASTOR_REGION_USABLE, CASTOR_DISCOVERY_PACKAGE}};
  table.resize(sizeof(castor_discovery_header) + sizeof blocks + sizeof regions);
  castor_discovery_header& header = discovery();
  header = {};
  header.magic = CASTOR_DISCOVERY_MAGIC;
  header.version = CASTOR_DISCOVERY_VERSION;
  header.header_bytes = sizeof header;
  header.table_bytes = static_cast<std::uint32_t>(table.size());
  header.firmware_abi = CASTOR_MESSAGE_VERSION;
  header.blocks = 3;
  header.blocks_offset = sizeof header;
  header.regions = 2;
  header.regions_offset = sizeof header + sizeof blocks;
  header.contexts = 8;
  header.queues = 32;
  header.vectors = 64;
  header.sms = 2;
  header.memory_bytes = kMemoryBytes;
  std::strcpy(header.name, "Fake");
  std::memcpy(table.data() + header.blocks_offset, blocks, sizeof blocks);
  std::memcpy(table.data() + header.regions_offset, regions, sizeof regions);
  seal_table();
  registers[CASTOR_BOOT_ID] = 0x54534143;
  registers[CASTOR_BOOT_DISCOVERY_OFFSET] = kTable;
  registers[CASTOR_BOOT_DISCOVERY_BYTES] = static_cast<std::uint32_t>(table.size());

  port.env = this;
  port.config_read = [](void* env, std::uint16_t b, std::uint32_t o, std::uint32_t n) {
    return self(env).config_read(b, o, n);
  };
  port.config_write = [](void* env, std::uint16_t b, std::uint32_t o, std::uint32_t n, std::uint32_t v) {
    self(env).config_write(b, o, n, v);
  };
  port.mmio32 = {kMmio32, 0x10000000};
  port.mmio64 = {kMmio64, 0x1000000000};
  port.mmio_map = [](void*, std::uint64_t bus, std::uint64_t, std::uint64_t* cookie) {
    *cookie = bus;
    return 0;
  };
  port.mmio_unmap = [](void*, std::uint64_t, std::uint64_t) {};
  port.mmio_read32 = [](void* env, std::uint64_t a) { return self(env).read32(a); };
  port.mmio_write32 = [](void* env, std::uint64_t a, std::uint32_t v) { self(env).write32(a, v); };
  port.mmio_read64 = [](void* env, std::uint64_t a) {
    return self(env).read32(a) | std::uint64_t{self(env).read32(a + 4)} << 32;
  };
  port.mmio_write64 = [](void* env, std::uint64_t a, std::uint64_t v) {
    self(env).write32(a, static_cast<std::uint32_t>(v));
    self(env).write32(a + 4, static_cast<std::uint32_t>(v >> 32));
  };
  port.mmio_read_block = [](void* env, std::uint64_t a, void* data, std::size_t n) {
    std::memcpy(data, self(env).memory.data() + (a - self(env).bar(4)), n);
  };
  port.mmio_write_block = [](void* env, std::uint64_t a, const void* data, std::size_t n) {
    std::memcpy(self(env).memory.data() + (a - self(env).bar(4)), data, n);
  };
  port.alloc = [](void* env, std::size_t n) -> void* {
    if (self(env).host_allocations_left == 0) return nullptr;
    --self(env).host_allocations_left;
    void* memory = std::calloc(1, n);
    self(env).allocations.insert(reinterpret_cast<std::uint64_t>(memory));
    return memory;
  };
  port.free = [](void* env, void* memory, std::size_t) {
    self(env).allocations.erase(reinterpret_cast<std::uint64_t>(memory));
    std::free(memory);
  };
  port.dma_alloc = [](void* env, std::size_t n, std::uint64_t* bus) -> void* {
    FakeMachine& machine = self(env);
    if (machine.host_allocations_left == 0) return nullptr;
    --machine.host_allocations_left;
    *bus = machine.next_bus_;
    machine.next_bus_ += n + 4096;  // no two are neighbours
    machine.dma_[*bus].bytes.resize(n);
    return machine.dma_[*bus].bytes.data();
  };
  port.dma_free = [](void* env, void*, std::size_t, std::uint64_t bus) { self(env).dma_.erase(bus); };
  port.pin_page = [](void* env, std::uint64_t pin, std::uint64_t page, std::uint64_t* bus) -> int {
    const auto found = self(env).pins.find(pin);
    if (found == self(env).pins.end() || page >= found->second.size()) return CASTOR_KMD_ENOENT;
    *bus = found->second[page];
    return 0;
  };
  port.msi_message = [](void*, std::uint32_t index, std::uint64_t* address, std::uint32_t* data) {
    *address = 0xfee00000;
    *data = index;
    return 0;
  };
  port.interrupt_wait = [](void* env, std::uint64_t mask, std::uint64_t timeout) {
    FakeMachine& machine = self(env);
    const std::uint64_t taken = machine.pending_ & mask;
    machine.pending_ &= ~taken;
    if (taken == 0) machine.now += timeout + 1;
    return taken;
  };
  port.now_ns = [](void* env) { return self(env).now; };
  port.relax = [](void* env) { self(env).now += 1'000'000; };
  port.barrier = [](void*) {};
  port.notify = [](void* env, castor_kmd_notice notice, std::uint32_t pasid) {
    self(env).notices.emplace_back(notice, pasid);
  };
  port.log = [](void* env, castor_kmd_log_level, const char* text) { self(env).log.emplace_back(text); };
}

FakeMachine::~FakeMachine() = default;

void FakeMachine::seal_table() {
  discovery().crc = 0;
  discovery().crc = crc32c(table.data(), table.size());
}

/// The bridge passes on what lies on its secondary bus; device 0 there is the GPU.
FakeMachine::Config* FakeMachine::route(std::uint16_t bdf) {
  if (bdf == kRootPort) return &functions[kRootPort];
  const std::uint8_t secondary = functions[kRootPort].bytes[CASTOR_PCI_BRIDGE_SECONDARY_BUS];
  return secondary != 0 && bdf == (secondary << 8 | kGpuOnSecondary) ? &functions[0xffff] : nullptr;
}

std::uint32_t FakeMachine::config_read(std::uint16_t bdf, std::uint32_t offset, std::uint32_t bytes) {
  const Config* config = route(bdf);
  std::uint32_t value = 0xffffffff;
  if (config != nullptr) {
    value = 0;
    std::memcpy(&value, config->bytes.data() + offset, bytes);
  }
  return bytes == 4 ? value : value & ((1u << 8 * bytes) - 1);
}

void FakeMachine::config_write(std::uint16_t bdf, std::uint32_t offset, std::uint32_t bytes, std::uint32_t value) {
  Config* config = route(bdf);
  if (config == nullptr) return;
  if (!config->bridge && offset >= 0x10 && offset < 0x28) {
    const std::uint32_t mask = config->bar_masks[(offset - 0x10) / 4];
    std::uint32_t old;
    std::memcpy(&old, config->bytes.data() + offset, 4);
    value = (value & mask) | (old & ~mask & 0xf);
  }
  std::memcpy(config->bytes.data() + offset, &value, bytes);
  if (config->bridge) return;
  if (offset == CASTOR_PCI_HEADER_COMMAND) {
    memory_enabled = (value & 2) != 0;
    master_enabled = (value & 4) != 0;
  }
  if (offset == 0x50 + CASTOR_PCI_MSIX_CONTROL) msix_enabled = (value & 0x8000) != 0;
}

std::uint64_t FakeMachine::bar(int number) {
  std::uint64_t value = 0;
  std::memcpy(&value, functions[0xffff].bytes.data() + 0x10 + 4 * number, number == 4 ? 8 : 4);
  return value & ~std::uint64_t{15};
}

std::uint32_t FakeMachine::read32(std::uint64_t address) {
  const auto offset = static_cast<std::uint32_t>(address - bar(0));
  if (!memory_enabled || address < bar(0) || offset >= CASTOR_BAR0_BYTES) return 0xffffffff;
  if (offset >= kTable && offset < kTable + table.size()) {
    std::uint32_t word;
    std::memcpy(&word, table.data() + (offset - kTable), 4);
    return word;
  }
  return registers[offset];
}

void FakeMachine::write32(std::uint64_t address, std::uint32_t value) {
  if (!memory_enabled) return;
  if (address >= bar(2) && address < bar(2) + 0x100000) {
    doorbells.push_back((address - bar(2)) << 32 | value);
    return;
  }
  const auto offset = static_cast<std::uint32_t>(address - bar(0));
  if (address < bar(0) || offset >= CASTOR_BAR0_BYTES) return;
  registers[offset] = value;
  if (offset == kGsp + CASTOR_GSP_CTRL && value == 1) boot();
  if (offset == kGsp + CASTOR_GSP_DOORBELL) doorbell();
}

std::uint8_t* FakeMachine::at_bus(std::uint64_t bus, std::size_t bytes) {
  auto it = dma_.upper_bound(bus);
  if (it == dma_.begin()) return nullptr;
  --it;
  return bus + bytes <= it->first + it->second.bytes.size() ? it->second.bytes.data() + (bus - it->first) : nullptr;
}

void FakeMachine::boot() {
  if (!boots) return;
  if (boot_failure != 0) {
    registers[kGsp + CASTOR_GSP_STATUS] = CASTOR_GSP_STATE_FAILED | boot_failure << 8;
    return;
  }
  const std::uint32_t bytes = registers[kGsp + CASTOR_GSP_IMAGE_BYTES];
  image_seen.clear();
  for (std::uint32_t at = 0; at < bytes; at += 4096) {
    std::uint64_t page;
    std::memcpy(&page, at_bus(pair(kGsp + CASTOR_GSP_IMAGE_LIST_LO) + at / 4096 * 8, 8), 8);
    const std::size_t piece = std::min<std::size_t>(bytes - at, 4096);
    const std::uint8_t* data = at_bus(page, piece);
    image_seen.insert(image_seen.end(), data, data + piece);
  }
  if (crc32c(image_seen.data(), image_seen.size()) != registers[kGsp + CASTOR_GSP_IMAGE_CRC]) {
    registers[kGsp + CASTOR_GSP_STATUS] = CASTOR_GSP_STATE_FAILED | CASTOR_GSP_FAIL_CRC << 8;
    return;
  }
  registers[kGsp + CASTOR_GSP_STATUS] = CASTOR_GSP_STATE_READY;
  registers[kGsp + CASTOR_GSP_READY] = CASTOR_GSP_READY_WORD;
}

void FakeMachine::doorbell() {
  auto* ring = reinterpret_cast<castor_message_ring*>(at_bus(pair(kGsp + CASTOR_GSP_COMMAND_RING_LO), 64));
  auto* slots = reinterpret_cast<castor_message*>(reinterpret_cast<std::uint8_t*>(ring) + CASTOR_RING_ELEMENTS);
  while (ring->read != ring->write) {
    const castor_message message = slots[ring->read++ % ring->entries];
    messages.push_back(message);
    if (answers(message)) answer(message);
  }
}

void FakeMachine::answer(const castor_message& message) {
  castor_message reply = message;
  castor_message plain = message;
  plain.crc = 0;
  reply.status = crc32c(&plain, sizeof plain) == message.crc ? status_for(message) : CASTOR_MSG_ECRC;
  if (message.function == CASTOR_MSG_QUEUE_CREATE) reply.args[0] = next_queue_++;
  reply.crc = 0;
  reply.crc = crc32c(&reply, sizeof reply);
  spoil(reply);
  auto* ring = reinterpret_cast<castor_message_ring*>(at_bus(pair(kGsp + CASTOR_GSP_STATUS_RING_LO), 64));
  auto* slots = reinterpret_cast<castor_message*>(reinterpret_cast<std::uint8_t*>(ring) + CASTOR_RING_ELEMENTS);
  slots[ring->write++ % ring->entries] = reply;
  raise(CASTOR_VECTOR_MESSAGE);
}

void FakeMachine::send_status(castor_message message) {
  message.crc = 0;
  message.crc = crc32c(&message, sizeof message);
  auto* ring = reinterpret_cast<castor_message_ring*>(at_bus(pair(kGsp + CASTOR_GSP_STATUS_RING_LO), 64));
  auto* slots = reinterpret_cast<castor_message*>(reinterpret_cast<std::uint8_t*>(ring) + CASTOR_RING_ELEMENTS);
  slots[ring->write++ % ring->entries] = message;
  raise(CASTOR_VECTOR_MESSAGE);
}

void FakeMachine::fault(const castor_fault_record& record) {
  const std::uint32_t put = registers[kMmu + CASTOR_MMU_FATAL_PUT]++;
  const std::uint32_t entries = registers[kMmu + CASTOR_MMU_FATAL_ENTRIES];
  std::memcpy(at_bus(pair(kMmu + CASTOR_MMU_FATAL_BASE_LO) + put % entries * sizeof record, sizeof record), &record,
              sizeof record);
  raise(CASTOR_VECTOR_FATAL_FAULT);
}

castor_kmd_function FakeMachine::enumerate() {
  castor_kmd_function found{};
  castor_kmd_enumerate(&port, &found, 1);
  return found;
}

int FakeMachine::open(castor_kmd** kmd) {
  const castor_kmd_function function = enumerate();
  std::vector<std::uint8_t> firmware(10000);
  for (std::size_t i = 0; i < firmware.size(); ++i) firmware[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  return castor_kmd_open(&port, &function, firmware.data(), firmware.size(), kmd);
}

}  // namespace castor::test
