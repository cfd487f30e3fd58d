// The copy engine without SystemC: the pieces it cuts, carried out on two arrays, against memcpy.
#include <cstring>
#include <random>
#include <vector>

#include "gpu/abi/register_view.h"
#include "gpu/model/copy_engine.h"
#include "tests/gpu/model/fake_host.h"
#include "tests/gpu/model/table_builder.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::gpu;

namespace {

constexpr std::uint64_t kAll = CASTOR_PTE_READ | CASTOR_PTE_WRITE;
constexpr std::uint64_t kDevice = 0x10'0000'0000, kHost = 0x20'0000'0000, kBus = 0x1'0000'0000;
constexpr std::uint64_t kBytes = 1u << 18;  // mapped at each

/// 256 KiB of device memory, in pages of mixed sizes and no order, and as much of host memory, in shuffled 4 KiB pages.
struct World {
  World() : mmu(memory, host, 2), engine({}) {
    test::TableBuilder tables(memory, 0x100000);
    for (std::uint64_t i = 0; i < 4; ++i) {
      tables.map(kDevice + 0x10000 * i, 0x200000 + 0x10000 * (3 - i), kAll, CASTOR_PAGE_64K);
    }
    for (std::uint64_t i = 0; i < kBytes / 4096; ++i) {
      const std::uint64_t target = kBus + 4096 * (i * 37 % (kBytes / 4096));
      tables.map(kHost + 4096 * i, target,
                 kAll | std::uint64_t{CASTOR_APERTURE_HOST_COHERENT} << CASTOR_PTE_APERTURE_SHIFT, CASTOR_PAGE_4K);
    }
    memory.store64(DevAddr{0x8008}, tables.root() | 1);
    mmu.set_context_table(DevAddr{0x8000});
  }
  std::byte* at(const Place& place) {
    return place.host ? host.direct(BusAddr{place.address}, 1) : memory.at(DevAddr{place.address});
  }
  /// Byte at a virtual address.
  std::byte& byte(std::uint64_t va) {
    const auto t = mmu.translate(1, VirtAddr{va}, Access::read);
    REQUIRE(t.host != nullptr);
    return t.host[va - t.page.value];
  }
  /// Runs the engine to its end.
  CopyEngine::Piece execute(const Packet& packet) {
    engine.begin(1, packet);
    while (true) {
      const auto piece = engine.next(mmu);
      if (piece.kind == CopyEngine::Piece::Kind::done || piece.kind == CopyEngine::Piece::Kind::fault) return piece;
      REQUIRE(piece.bytes > 0);
      if (piece.destination.host) CHECK(piece.destination.address % 4096 + piece.bytes <= 4096);
      if (piece.kind == CopyEngine::Piece::Kind::copy) {
        if (piece.source.host) CHECK(piece.source.address % 4096 + piece.bytes <= 4096);
        std::memcpy(at(piece.destination), at(piece.source), piece.bytes);
      } else {
        for (std::uint64_t i = 0; i < piece.bytes; ++i) {
          at(piece.destination)[i] = static_cast<std::byte>(piece.pattern >> 8 * (i % 4));
        }
      }
      engine.moved(piece.bytes);
    }
  }

  DeviceMemory memory{8u << 20};
  test::FakeHost host;
  Mmu mmu;
  CopyEngine engine;
};

}  // namespace

TEST_CASE("random copies equal memcpy and touch nothing else") {
  World world;
  std::mt19937 random(3);
  std::vector<std::byte> model(2 * kBytes);  // device, then host
  const auto va = [](std::uint64_t at) { return at < kBytes ? kDevice + at : kHost + at - kBytes; };
  for (std::uint64_t at = 0; at < model.size(); ++at) world.byte(va(at)) = model[at] = static_cast<std::byte>(random());
  for (unsigned turn = 0; turn < 200; ++turn) {
    castor_packet_copy copy{};
    copy.header = CASTOR_PACKET_COPY;
    copy.rows = random() % 4 == 0 ? 1 + random() % 20 : 1;
    copy.row_bytes = random() % (kBytes / 4 / copy.rows);
    copy.source_pitch = copy.row_bytes + random() % 3 * 50;
    copy.destination_pitch = copy.row_bytes + random() % 3 * 70;
    // source in one half of either memory, destination in the other: no overlap
    const std::uint64_t source = random() % 2 * kBytes + random() % (kBytes / 8);
    const std::uint64_t destination = random() % 2 * kBytes + kBytes / 2 + random() % (kBytes / 8);
    copy.source = va(source);
    copy.destination = va(destination);
    REQUIRE(world.execute(Packet::of(copy)).kind == CopyEngine::Piece::Kind::done);
    for (unsigned row = 0; row < copy.rows; ++row) {
      std::memcpy(&model[destination + row * copy.destination_pitch], &model[source + row * copy.source_pitch],
                  copy.row_bytes);
    }
  }
  std::uint64_t wrong = 0;
  for (std::uint64_t at = 0; at < model.size(); ++at) wrong += world.byte(va(at)) != model[at];
  CHECK(wrong == 0);
  CHECK(world.engine.bank().get<reg::ce::PACKETS>() == 200);
  CHECK(reg::ce::INTR_DONE::get(world.engine.bank().get<reg::ce::INTR>()) == 1);
}

TEST_CASE("a fault names the first byte that cannot be reached") {
  World world;
  castor_packet_copy copy{};
  copy.header = CASTOR_PACKET_COPY;
  copy.rows = 1;
  copy.source = kDevice;
  copy.destination = kHost + 5000;
  copy.row_bytes = kBytes;
  const auto end = world.execute(Packet::of(copy));
  CHECK(end.kind == CopyEngine::Piece::Kind::fault);
  CHECK(end.fault.cause == FaultCause::illegal_address);
  CHECK(end.fault.access == Access::write);
  CHECK(end.fault.address.value == kHost + kBytes);
  CHECK_FALSE(world.engine.busy());
  copy.source = 1ull << 47;
  CHECK(world.execute(Packet::of(copy)).fault.cause == FaultCause::invalid_address_space);
  copy.source = ~0ull - 10;
  CHECK(world.execute(Packet::of(copy)).fault.cause == FaultCause::invalid_address_space);
}

TEST_CASE("empty copies are done at once") {
  World world;
  castor_packet_copy copy{};
  copy.header = CASTOR_PACKET_COPY;
  copy.rows = 0;
  copy.row_bytes = 100;
  CHECK(world.execute(Packet::of(copy)).kind == CopyEngine::Piece::Kind::done);
  copy.rows = 1000;
  copy.row_bytes = 0;
  CHECK(world.execute(Packet::of(copy)).kind == CopyEngine::Piece::Kind::done);
}

TEST_CASE("reset forgets a packet half done") {
  World world;
  castor_packet_copy copy{};
  copy.header = CASTOR_PACKET_COPY;
  copy.rows = 1;
  copy.source = kDevice;
  copy.destination = kHost;
  copy.row_bytes = 100;
  world.engine.begin(1, Packet::of(copy));
  CHECK(world.engine.bank().get<reg::ce::STATUS>() == 1);
  world.engine.reset();
  CHECK(world.engine.bank().get<reg::ce::STATUS>() == 0);
  CHECK(world.engine.bank().get<reg::ce::BYTES_LO>() == 0);
  CHECK_FALSE(world.engine.busy());
}
