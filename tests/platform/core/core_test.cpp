#include <array>
#include <type_traits>

#include "platform/core/bus.h"
#include "platform/core/fault.h"
#include "platform/core/guest.h"
#include "platform/core/result.h"
#include "tests/support/catch.h"

using namespace castor;

static_assert(!std::is_convertible_v<VirtAddr, DevAddr>, "one address space is never taken for another");
static_assert(!std::is_convertible_v<void*, VirtAddr>, "a host pointer is no guest address");

TEST_CASE("guest addresses take offsets and give distances") {
  VirtAddr address{0x1000};
  address += 0x20;
  CHECK(address == VirtAddr{0x1020});
  CHECK(address - VirtAddr{0x1000} == 0x20);
  CHECK((address - 0x20) < address);
}

TEST_CASE("a Result is a value or the reason why there is none") {
  const auto half = [](int n) -> Result<int> {
    if (n % 2) return Status(StatusCode::invalid_value, "7 is odd; give an even number");
    return n / 2;
  };
  REQUIRE(half(8).ok());
  CHECK(half(8).value() == 4);
  REQUIRE_FALSE(half(7).ok());
  CHECK(half(7).status().code() == StatusCode::invalid_value);
  CHECK(half(7).status().message() == "7 is odd; give an even number");
}

TEST_CASE("not_built names the gap") {
  const Status status = not_built("texture fetch");
  CHECK(status.code() == StatusCode::not_supported);
  CHECK(status.message() == "texture fetch is not supported yet");
}

TEST_CASE("every fault cause and status code has a name of its own") {
  for (int cause = 0; cause <= static_cast<int>(FaultCause::timeout); ++cause)
    CHECK(name(static_cast<FaultCause>(cause)) != "unknown fault");
  for (int code = 0; code <= static_cast<int>(StatusCode::timeout); ++code)
    CHECK(name(static_cast<StatusCode>(code)) != "unknown status");
}

TEST_CASE("a bus moves integers in guest byte order") {
  struct Ram final : Bus {
    std::array<std::byte, 16> bytes{};
    Status read(BusAddr address, std::span<std::byte> data) override {
      std::memcpy(data.data(), bytes.data() + address.value, data.size());
      return {};
    }
    Status write(BusAddr address, std::span<const std::byte> data) override {
      std::memcpy(bytes.data() + address.value, data.data(), data.size());
      return {};
    }
  } ram;
  REQUIRE(ram.write_as<std::uint32_t>(BusAddr{4}, 0x11223344u).ok());
  CHECK(ram.bytes[4] == std::byte{0x44});
  std::uint16_t half = 0;
  REQUIRE(ram.read_as(BusAddr{6}, half).ok());
  CHECK(half == 0x1122);
}
