#include "platform/board/config.h"

#include <set>

#include "tests/support/catch.h"

using namespace castor;
using namespace castor::board;

namespace {

/// The error of a configuration that must be refused.
std::string refusal(std::string_view text) {
  const auto spec = parse_config(text, "test.toml");
  REQUIRE_FALSE(spec.ok());
  INFO(spec.status().message());
  return spec.status().message();
}

bool says(const std::string& message, std::initializer_list<std::string_view> parts) {
  for (const auto part : parts) {
    if (message.find(part) == std::string::npos) {
      UNSCOPED_INFO("missing '" << part << "' in: " << message);
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("the machines that come with Castor are valid, and are what their names say") {
  const auto two = load_config(CONFIG_DIR "/two-die.toml");
  REQUIRE(two.ok());
  CHECK(two.value().name == "two-die");
  CHECK(two.value().package.dies == 2);
  CHECK(two.value().package.hbm_bytes_per_die == 8ull << 30);
  const auto one = load_config(CONFIG_DIR "/one-die.toml");
  REQUIRE(one.ok());
  CHECK(one.value().package.dies == 1);
  const auto tiny = load_config(CONFIG_DIR "/tiny.toml");
  REQUIRE(tiny.ok());
  CHECK(tiny.value().package.dies == 1);
  CHECK(tiny.value().package.sms_per_die == 1);
  CHECK(tiny.value().package.hbm_bytes_per_die == 256u << 20);
}

TEST_CASE("an empty file is the default machine, named after the file") {
  const auto spec = parse_config("", "some/where/plain.toml");
  REQUIRE(spec.ok());
  CHECK(spec.value().name == "plain");
  CHECK(spec.value().package.dies == 2);
}

TEST_CASE("values land where they belong") {
  const auto spec = parse_config(R"(
name = "mine"
[package]
name = "Own GPU"
dies = 3
sm_harvest = [1, 0, 6]
signed_firmware_only = true
[sm]
clock_khz = 1_000_000
shared_bytes = "128 KiB"
[memory]
bytes_per_die = 268435456
interleave = "64KiB"
[host_link]
generation = 4
lanes = 8
[host]
threads = 3
)",
                                 "test.toml");
  REQUIRE(spec.ok());
  const MachineSpec& machine = spec.value();
  CHECK(machine.name == "mine");
  CHECK(machine.package.name == "Own GPU");
  CHECK(machine.package.dies == 3);
  CHECK(machine.package.sm_harvest == std::vector<std::uint64_t>{1, 0, 6});
  CHECK(machine.package.signed_firmware_only);
  CHECK(machine.package.clock_khz == 1'000'000);
  CHECK(machine.package.shared_per_sm == 128u << 10);
  CHECK(machine.package.hbm_bytes_per_die == 256u << 20);
  CHECK(machine.package.interleave_bytes == 64u << 10);
  CHECK(machine.link.generation == 4);
  CHECK(machine.link.lanes == 8);
  CHECK(machine.package.host_workers == 3);
}

TEST_CASE("an unknown key or table is named with its line and with what there is") {
  CHECK(
      says(refusal("name = \"x\"\n\n[package]\ndice = 2\n"), {"test.toml:4:", "package.dice", "dies", "sms_per_die"}));
  CHECK(says(refusal("[pakage]\ndies = 2\n"), {"test.toml:1:", "pakage", "package", "host_link"}));
  CHECK(says(refusal("\ndies = 2\n"), {"test.toml:2:", "dies", "name", "package"}));
  CHECK(says(refusal("[package.dies]\nx = 2\n"), {"test.toml:1:", "package.dies"}));
  CHECK(says(refusal("package = 3\n"), {"test.toml:1:", "package"}));
}

TEST_CASE("a value of the wrong type or size is named with its line and with what is allowed") {
  CHECK(says(refusal("[package]\ndies = \"two\"\n"), {"test.toml:2:", "package.dies", "two", "from 1 to 8"}));
  CHECK(says(refusal("[package]\ndies = 0\n"), {"test.toml:2:", "package.dies", "0", "from 1 to 8"}));
  CHECK(says(refusal("[package]\ndies = 9\n"), {"test.toml:2:", "package.dies", "9"}));
  CHECK(says(refusal("[package]\ndies = 2.0\n"), {"test.toml:2:", "package.dies", "whole number"}));
  CHECK(says(refusal("[package]\ndies = -1\n"), {"test.toml:2:", "package.dies"}));
  CHECK(says(refusal("[package]\nname = 5\n"), {"test.toml:2:", "package.name", "text"}));
  CHECK(says(refusal("[package]\nname = \"\"\n"), {"test.toml:2:", "package.name", "1 to 63"}));
  CHECK(says(refusal("[package]\ntest_hooks = 1\n"), {"test.toml:2:", "package.test_hooks", "true or false"}));
  CHECK(says(refusal("[package]\nsm_harvest = 1\n"), {"test.toml:2:", "package.sm_harvest", "array"}));
  CHECK(says(refusal("[package]\nsm_harvest = [\"a\"]\n"), {"test.toml:2:", "package.sm_harvest", "array"}));
  for (const char* size : {"8 GB", "eight", "", "-1", "99999999999 TiB", "8 GiB more", "1.5 GiB"}) {
    INFO(size);
    CHECK(says(refusal(std::string("[memory]\nbytes_per_die = \"") + size + "\"\n"),
               {"test.toml:2:", "memory.bytes_per_die", "16 MiB", "4 TiB"}));
  }
}

TEST_CASE("values that do not fit together are named with line and key too") {
  CHECK(says(refusal("[sm]\n\nshared_bytes = \"32 KiB\"\n"), {"test.toml:3:", "sm.shared_bytes"}));
  CHECK(says(refusal("[host_link]\nlanes = 3\n"), {"test.toml:2:", "host_link.lanes", "1, 2, 4, 8 or 16"}));
  CHECK(says(refusal("[memory]\ninterleave = 3000\n"), {"test.toml:2:", "memory.interleave", "power of two"}));
  CHECK(says(refusal("[package]\nsm_harvest = [255]\n"), {"test.toml:2:", "package.sm_harvest"}));
}

TEST_CASE("what is not TOML is refused with its line") {
  CHECK(says(refusal("name = \"x\"\n[package\n"), {"test.toml:2:"}));
  CHECK(says(refusal("dies = 1\ndies = 2\n"), {"test.toml:2:"}));
  CHECK(says(refusal("\xff\xfe"), {"test.toml:1:"}));
}

TEST_CASE("configurations are found by name and by path; an unknown one lists those that there are") {
  const auto named = find_config("tiny", CONFIG_DIR);
  REQUIRE(named.ok());
  CHECK(named.value() == CONFIG_DIR "/tiny.toml");
  CHECK(find_config(CONFIG_DIR "/two-die.toml", "/nowhere").ok());
  const auto missing = find_config("huge", CONFIG_DIR);
  REQUIRE_FALSE(missing.ok());
  CHECK(says(missing.status().message(), {"huge", "one-die, tiny, two-die"}));
  CHECK_FALSE(find_config("../configs/tiny", CONFIG_DIR).ok());
  CHECK_FALSE(load_config("/nowhere/at.toml").ok());
}

TEST_CASE("every key has one row and a line of documentation") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ConfigKey& key : config_keys()) {
    INFO(key.table << "." << key.key);
    CHECK(seen.emplace(key.table, key.key).second);
    CHECK_FALSE(key.doc.empty());
    CHECK(key.least <= key.most);
  }
}
