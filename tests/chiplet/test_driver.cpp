#include "tests/chiplet/test_driver.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/support/catch.h"

namespace castor::test {
namespace {

constexpr std::uint32_t kRingEntries = 16;

template <class T>
T load(Bench& bench, std::uint64_t bus) {
  T value;
  std::memcpy(&value, bench.host(bus), sizeof value);
  return value;
}

}  // namespace

// Bit by bit, from the polynomial (RFC 3720, appendix B.4), not from the code under test.
std::uint32_t reference_crc32c(const void* data, std::size_t bytes) {
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = 0; i < bytes; ++i) {
    crc ^= static_cast<const std::uint8_t*>(data)[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0x82f63b78u & -(crc & 1u));
  }
  return ~crc;
}

TestDriver::TestDriver(Bench& b) : bench(b) {
  const std::uint32_t table = bench.read32(CASTOR_BOOT_DISCOVERY_OFFSET);
  const std::uint32_t bytes = bench.read32(CASTOR_BOOT_DISCOVERY_BYTES);
  REQUIRE(bytes >= sizeof discovery);
  std::vector<std::uint8_t> raw(bytes);
  for (std::uint32_t at = 0; at < bytes; at += 4) {
    const std::uint32_t word = bench.read32(table + at);
    std::memcpy(&raw[at], &word, 4);
  }
  std::memcpy(&discovery, raw.data(), sizeof discovery);
  blocks_.resize(discovery.blocks);
  std::memcpy(blocks_.data(), &raw[discovery.blocks_offset], discovery.blocks * sizeof blocks_[0]);
  castor_discovery_region usable{};
  for (std::uint32_t i = 0; i < discovery.regions; ++i) {
    castor_discovery_region region;
    std::memcpy(&region, &raw[discovery.regions_offset + i * sizeof region], sizeof region);
    if (region.kind == CASTOR_REGION_USABLE) usable = region;
  }
  next_device_ = usable.base;
}

std::vector<std::uint8_t> TestDriver::firmware() {
  std::ifstream file(CASTOR_FIRMWARE_IMAGE, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint32_t TestDriver::base(unsigned type, unsigned instance) const {
  for (const auto& block : blocks_) {
    if (block.type == type && block.instance == instance) return block.base;
  }
  FAIL("no such block");
  return 0;
}

void TestDriver::set64(unsigned type, std::uint32_t offset, std::uint64_t value) {
  set(type, offset, static_cast<std::uint32_t>(value));
  set(type, offset + 4, static_cast<std::uint32_t>(value >> 32));
}

std::uint32_t TestDriver::boot(std::vector<std::uint8_t> image, bool right_crc) {
  set(CASTOR_BLOCK_GSP, CASTOR_GSP_CTRL, 0);
  const std::uint64_t pages = (image.size() + 4095) / 4096;
  const std::uint64_t list = bench.take(8 * pages + 8);
  for (std::uint64_t page = 0; page < pages; ++page) {
    const std::uint64_t at = bench.take(4096);
    const std::size_t size = std::min<std::size_t>(4096, image.size() - 4096 * page);
    std::memcpy(bench.host(at), &image[4096 * page], size);
    bench.word(list + 8 * page) = at;
  }
  command_ = bench.take(4096);
  status_ = bench.take(4096);
  faults_ = bench.take(4096);
  for (const std::uint64_t ring : {command_, status_}) {
    castor_message_ring head{0, 0, kRingEntries, 0};
    std::memcpy(bench.host(ring), &head, sizeof head);
  }
  commands_sent_ = status_read_ = 0;
  set64(CASTOR_BLOCK_GSP, CASTOR_GSP_IMAGE_LIST_LO, list);
  set(CASTOR_BLOCK_GSP, CASTOR_GSP_IMAGE_BYTES, static_cast<std::uint32_t>(image.size()));
  set(CASTOR_BLOCK_GSP, CASTOR_GSP_IMAGE_CRC, reference_crc32c(image.data(), image.size()) + (right_crc ? 0 : 1));
  set64(CASTOR_BLOCK_GSP, CASTOR_GSP_COMMAND_RING_LO, command_);
  set64(CASTOR_BLOCK_GSP, CASTOR_GSP_STATUS_RING_LO, status_);
  set64(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_BASE_LO, faults_);
  set(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_ENTRIES, kFaultEntries);
  faults_taken_ = reg(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_PUT);
  set(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_GET, faults_taken_);
  set(CASTOR_BLOCK_INTR, CASTOR_INTR_LEAF0_ENABLE_SET, ~0u);
  set(CASTOR_BLOCK_INTR, CASTOR_INTR_LEAF1_ENABLE_SET, ~0u);
  set(CASTOR_BLOCK_INTR, CASTOR_INTR_TOP_ENABLE_SET, ~0u);
  set(CASTOR_BLOCK_GSP, CASTOR_GSP_CTRL, 1);
  const auto settled = [&] {
    const std::uint32_t state = CASTOR_FIELD_GET(reg(CASTOR_BLOCK_GSP, CASTOR_GSP_STATUS), CASTOR_GSP_STATUS_STATE);
    return state == CASTOR_GSP_STATE_FAILED || reg(CASTOR_BLOCK_GSP, CASTOR_GSP_READY) == CASTOR_GSP_READY_WORD;
  };
  REQUIRE(bench.wait_until(settled));
  return reg(CASTOR_BLOCK_GSP, CASTOR_GSP_STATUS);
}

void TestDriver::drain_status() {
  const auto head = load<castor_message_ring>(bench, status_);
  for (; status_read_ != head.write; ++status_read_) {
    auto m = load<castor_message>(
        bench, status_ + CASTOR_RING_ELEMENTS + status_read_ % kRingEntries * sizeof(castor_message));
    const std::uint32_t crc = m.crc;
    m.crc = 0;
    CHECK(reference_crc32c(&m, sizeof m) == crc);
    if (m.function >= CASTOR_MSG_EVENT_LOG) {
      events.push_back(m);
    } else {
      answers_[m.sequence] = m;
    }
  }
  bench.word(status_ + offsetof(castor_message_ring, read)) = status_read_;
}

castor_message TestDriver::message(std::uint16_t function, std::vector<std::uint64_t> args) {
  castor_message m{};
  m.sequence = ++sequence_;
  m.version = CASTOR_MESSAGE_VERSION;
  m.function = function;
  for (std::size_t i = 0; i < args.size(); ++i) m.args[i] = args[i];
  m.crc = reference_crc32c(&m, sizeof m);
  std::memcpy(bench.host(command_ + CASTOR_RING_ELEMENTS + commands_sent_ % kRingEntries * sizeof m), &m, sizeof m);
  bench.word(command_ + offsetof(castor_message_ring, write)) = ++commands_sent_;
  set(CASTOR_BLOCK_GSP, CASTOR_GSP_DOORBELL, 1);
  REQUIRE(bench.wait_until([&] {
    drain_status();
    return answers_.contains(m.sequence);
  }));
  return answers_[m.sequence];
}

TestDriver::Context TestDriver::make_context(std::uint16_t pasid) {
  const Context context{pasid, take_device()};
  std::vector<std::uint8_t> zeros(CASTOR_PAGE_2M);
  write_device(context.root, zeros.data(), zeros.size());
  REQUIRE(message(CASTOR_MSG_CONTEXT_CREATE, {pasid, context.root}).status == 0);
  return context;
}

std::uint64_t TestDriver::take_device(std::uint64_t bytes) {
  const std::uint64_t at = next_device_;
  next_device_ += (bytes + CASTOR_PAGE_2M - 1) / CASTOR_PAGE_2M * CASTOR_PAGE_2M;
  REQUIRE(next_device_ <= discovery.memory_bytes);
  return at;
}

// Tables come from the 2 MiB after the root; the entry of the root's last slot counts those in use.
std::uint64_t TestDriver::entry_address(const Context& context, std::uint64_t va, int level) {
  const std::uint64_t counter = context.root + 4096 - 8;
  std::uint64_t table = context.root;
  for (int at = CASTOR_PT_LEVELS - 1; at > level; --at) {
    const std::uint64_t slot = table + 8 * CASTOR_PT_INDEX(va, at);
    std::uint64_t entry = read_device64(slot);
    if ((entry & CASTOR_PTE_VALID) == 0) {
      const std::uint64_t used = (read_device64(counter) >> 12) + 1;
      const std::uint64_t stored = used << 12;  // not valid: bit 0 is clear
      write_device(counter, &stored, 8);
      entry = (context.root + 4096 * used) | CASTOR_PTE_VALID;
      write_device(slot, &entry, 8);
    }
    table = entry & CASTOR_PTE_ADDRESS_MASK;
  }
  return table + 8 * CASTOR_PT_INDEX(va, level);
}

void TestDriver::map(const Context& context, std::uint64_t va, std::uint64_t target, bool host, std::uint64_t page,
                     std::uint64_t rights) {
  const std::uint64_t aperture = host ? CASTOR_APERTURE_HOST_COHERENT : CASTOR_APERTURE_DEVICE;
  const std::uint64_t entry = target | rights | CASTOR_PTE_VALID | CASTOR_PTE_LEAF |
                              aperture << CASTOR_PTE_APERTURE_SHIFT | (page == CASTOR_PAGE_64K ? CASTOR_PTE_BIG : 0);
  const int level = page == CASTOR_PAGE_2M ? 1 : 0;
  const unsigned entries = page == CASTOR_PAGE_64K ? 16 : 1;
  for (unsigned i = 0; i < entries; ++i) write_device(entry_address(context, va + 4096 * i, level), &entry, 8);
}

void TestDriver::unmap(const Context& context, std::uint64_t va, std::uint64_t page) {
  const std::uint64_t nothing = 0;
  write_device(entry_address(context, va, page == CASTOR_PAGE_2M ? 1 : 0), &nothing, 8);
  REQUIRE(message(CASTOR_MSG_TLB_INVALIDATE, {context.pasid, va, page}).status == 0);
}

TestDriver::Queue TestDriver::make_queue(const Context& context, std::uint64_t va, unsigned vector,
                                         std::uint32_t entries) {
  Queue queue{.ring_bus = bench.take(4096),
              .page_bus = bench.take(4096),
              .entries = entries,
              .token = 0,
              .pasid = context.pasid};
  REQUIRE(entries * CASTOR_PACKET_BYTES <= 4096);
  std::memset(bench.host(queue.page_bus), 0, 4096);
  map(context, va, queue.ring_bus, true, CASTOR_PAGE_4K);
  map(context, va + 4096, queue.page_bus, true, CASTOR_PAGE_4K);
  const auto answer = message(CASTOR_MSG_QUEUE_CREATE, {context.pasid, va, entries, va + 4096, vector});
  REQUIRE(answer.status == 0);
  queue.token = static_cast<std::uint32_t>(answer.args[0]);
  return queue;
}

void TestDriver::push(Queue& queue, const void* packet) {
  std::memcpy(bench.host(queue.ring_bus + queue.put % queue.entries * CASTOR_PACKET_BYTES), packet,
              CASTOR_PACKET_BYTES);
  bench.word(queue.page_bus + offsetof(castor_queue_page, put)) = ++queue.put;
}

void TestDriver::ring(const Queue& queue) {
  std::uint32_t token = queue.token;
  bench.access(2, true, std::uint64_t{queue.pasid} * CASTOR_DOORBELL_PAGE + CASTOR_DOORBELL_OFFSET, &token, 4);
}

std::uint64_t TestDriver::read_device64(std::uint64_t address) {
  std::uint64_t value = 0;
  read_device(address, &value, 8);
  return value;
}

void TestDriver::write_device(std::uint64_t address, const void* data, std::size_t bytes) {
  REQUIRE(bench.access(4, true, address, const_cast<void*>(data), bytes));
}

void TestDriver::read_device(std::uint64_t address, void* data, std::size_t bytes) {
  REQUIRE(bench.access(4, false, address, data, bytes));
}

std::vector<castor_fault_record> TestDriver::take_faults() {
  std::vector<castor_fault_record> records;
  const std::uint32_t put = reg(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_PUT);
  for (; faults_taken_ != put; ++faults_taken_) {
    records.push_back(
        load<castor_fault_record>(bench, faults_ + faults_taken_ % kFaultEntries * sizeof(castor_fault_record)));
  }
  set(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_GET, put);
  return records;
}

}  // namespace castor::test
