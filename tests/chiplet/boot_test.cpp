// The firmware: boots from the ROM, refuses bad images by name, answers messages.
#include <chrono>
#include <cstring>

#include "tests/chiplet/test_driver.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::test;

namespace {
std::uint32_t failure(std::uint32_t status) { return CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_FAILURE); }
std::uint32_t state(std::uint32_t status) { return CASTOR_FIELD_GET(status, CASTOR_GSP_STATUS_STATE); }
}  // namespace

TEST_CASE("the firmware boots and answers") {
  Bench::get().run([] {
    TestDriver driver(Bench::get());
    const auto begin = std::chrono::steady_clock::now();
    CHECK(state(driver.boot()) == CASTOR_GSP_STATE_READY);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    UNSCOPED_INFO("boot took " << took.count() << " ms");
    CHECK(took.count() < 1000);  // the aim is 30 ms in a release build
    const auto pong = driver.message(CASTOR_MSG_PING, {1, 2, 3, 4, 5, 6});
    CHECK(pong.status == 0);
    for (unsigned i = 0; i < 6; ++i) CHECK(pong.args[i] == i + 1);
    CHECK(driver.message(CASTOR_MSG_TELEMETRY, {}).args[0] == driver.discovery.clock_khz);
    CHECK(driver.message(99, {}).status == CASTOR_MSG_ENOSYS);
    CHECK(driver.message(CASTOR_MSG_CONTEXT_DESTROY, {3}).status == CASTOR_MSG_ENOENT);
    CHECK(driver.message(CASTOR_MSG_CONTEXT_CREATE, {1u << 20, 4096}).status == CASTOR_MSG_EINVAL);
  });
}

TEST_CASE("a bad image leaves a named state, and a good one boots afterwards") {
  Bench::get().run([] {
    TestDriver driver(Bench::get());
    const auto good = TestDriver::firmware();
    const auto expect = [&](std::vector<std::uint8_t> image, bool right_crc, std::uint32_t reason) {
      const std::uint32_t status = driver.boot(std::move(image), right_crc);
      CHECK(state(status) == CASTOR_GSP_STATE_FAILED);
      CHECK(failure(status) == reason);
    };
    expect(good, false, CASTOR_GSP_FAIL_CRC);
    auto bad = good;
    bad[0] ^= 1;
    expect(bad, true, CASTOR_GSP_FAIL_HEADER);
    bad = good;
    bad[offsetof(castor_gsp_image, abi)] += 1;
    expect(bad, true, CASTOR_GSP_FAIL_ABI);
    expect(std::vector<std::uint8_t>(CASTOR_GSP_SRAM_BYTES, 0), true, CASTOR_GSP_FAIL_SIZE);
    expect({}, true, CASTOR_GSP_FAIL_SIZE);
    bad = good;
    for (std::size_t i = sizeof(castor_gsp_image); i < bad.size(); ++i) bad[i] = 0;  // code that is no code
    expect(bad, true, CASTOR_GSP_FAIL_TRAP);
    CHECK(state(driver.boot()) == CASTOR_GSP_STATE_READY);
    CHECK(driver.message(CASTOR_MSG_PING, {7}).args[0] == 7);
  });
}
