// The HAL's two ends: what they do together, and what each does when the other is gone or talks nonsense.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fcntl.h>
#include <chrono>

#include <filesystem>
#include <random>
#include <thread>

#include "runtime/hal/channel.h"
#include "runtime/hal/client.h"
#include "runtime/hal/server.h"
#include "runtime/hal/wire.h"
#include "tests/runtime/hal/fake_device.h"

#include "tests/support/catch.h"

using namespace castor;
using namespace castor::hal;
using castor::test::FakeDevice;

namespace {

struct Ends {
  Descriptor ours, theirs;
  Ends() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    ours = Descriptor(ends[0]);
    theirs = Descriptor(ends[1]);
  }
};

struct Pair {
  FakeDevice device;
  Server server{device};
  std::unique_ptr<Client> client;
  Pair() { client = another(); }
  std::unique_ptr<Client> another() {
    Ends ends;
    REQUIRE(server.adopt(ends.theirs.release()).ok());
    auto connected = Client::adopt(ends.ours.release());
    REQUIRE(connected.ok());
    return std::move(*connected);
  }
};

template <class Condition>
bool comes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Asks for something by hand.
template <class Request>
std::vector<std::byte> message(Operation operation, const Request& request, std::uint32_t sequence = 1) {
  return pack(RequestHeader{kMagic, static_cast<std::uint16_t>(operation), kVersion, sequence, 0}, request);
}

std::optional<ReplyHeader> reply_to(int socket, std::span<const std::byte> bytes, std::span<const int> fds = {}) {
  if (!send_packet(socket, bytes, fds)) return std::nullopt;
  auto packet = receive_packet(socket);
  if (!packet) return std::nullopt;
  return unpack_header<ReplyHeader>(packet->bytes);
}

}  // namespace

TEST_CASE("a client gets what it asks for, and errors with their reason") {
  Pair pair;
  CHECK(std::string(pair.client->device().name) == "Fake");
  CHECK(pair.client->ping().ok());
  CHECK(pair.client->memory_info()->total_bytes == 200);
  auto context = pair.client->create_context(0x1000000, 0x1000000);
  REQUIRE(context.ok());
  auto va = pair.client->alloc(*context, 4096, 3);
  REQUIRE(va.ok());
  CHECK(pair.client->free(*context, *va).ok());
  CHECK(pair.client->free(*context, *va).code() == StatusCode::not_found);
  auto failed = pair.client->alloc(*context, 2000000, 3);
  CHECK(failed.status().code() == StatusCode::out_of_memory);
  CHECK(failed.status().message() == "out of memory");
  CHECK(pair.client->create_context(0, 0).status().code() == StatusCode::invalid_value);
  CHECK(pair.client->context_fault(*context)->record.address == 0xabc);
}

TEST_CASE("pinned memory is the same memory on both sides") {
  Pair pair;
  auto context = pair.client->create_context(0x1000000, 0x1000000);
  auto memory = pair.client->pin(5000);
  REQUIRE(memory.ok());
  CHECK(memory->bytes == 8192);
  memory->data[4321] = std::byte{99};
  std::span<std::byte> seen = pair.device.pins.at(memory->pin);
  REQUIRE(seen.size() == 8192);
  CHECK(seen[4321] == std::byte{99});
  seen[17] = std::byte{7};
  CHECK(memory->data[17] == std::byte{7});
  REQUIRE(pair.client->map_host(*context, *memory, 3).ok());
  CHECK(pair.device.contexts.at(*context).hosts.at(memory->va()) == memory->pin);
  CHECK(pair.client->unpin({nullptr, 0, memory->pin}).code() == StatusCode::busy);  // still mapped
  REQUIRE(pair.client->free(*context, memory->va()).ok());
  CHECK(pair.client->unpin(*memory).ok());
  CHECK(pair.device.count_pins() == 0);
}

TEST_CASE("doorbells arrive, each of its own queue only") {
  Pair pair;
  auto other = pair.another();
  auto context = pair.client->create_context(0x1000000, 0x1000000);
  auto queue = pair.client->create_queue(*context, 0x1000, 64, 0x2000);
  REQUIRE(queue.ok());
  other->ring(*queue);  // not its queue
  other->ring(4000);
  pair.client->ring(*queue);
  REQUIRE(comes_true([&] { return pair.device.count_doorbells() != 0; }));
  for (int i = 0; i < 1000; ++i) {
    const std::size_t before = pair.device.count_doorbells();
    pair.client->ring(*queue);
    REQUIRE(comes_true([&] { return pair.device.count_doorbells() > before; }));  // none is lost
  }
  CHECK(other->ping().ok());
  for (const auto& bell : pair.device.doorbells) CHECK(bell == std::pair(*context, *queue));
}

TEST_CASE("a notice ends the wait of the context's client") {
  Pair pair;
  auto context = pair.client->create_context(0x1000000, 0x1000000);
  std::atomic<bool> done = false;
  std::atomic<bool> slept = false;
  Status waited{StatusCode::timeout, ""};
  std::thread waiter([&] { waited = pair.client->wait([&] { return done.load(); }, [&] { slept = true; }); });
  REQUIRE(comes_true([&] { return slept.load(); }));
  done = true;
  pair.server.notice(Notice::queue, *context);
  waiter.join();
  CHECK(waited.ok());
  CHECK(!pair.client->faulted(*context));
  pair.server.notice(Notice::fault, *context + 1);
  CHECK(!pair.client->faulted(*context));
  pair.server.notice(Notice::fault, *context);
  CHECK(pair.client->faulted(*context));
  CHECK(pair.client->reset_context(*context).ok());
  CHECK(!pair.client->faulted(*context));
}

TEST_CASE("what a client had is freed when it goes") {
  FakeDevice device;
  Server server(device);
  for (int i = 0; i < 20; ++i) {
    Ends ends;
    REQUIRE(server.adopt(ends.theirs.release()).ok());
    auto client = Client::adopt(ends.ours.release());
    REQUIRE(client.ok());
    auto context = (*client)->create_context(0x1000000, 0x1000000);
    auto memory = (*client)->pin(4096);
    REQUIRE((*client)->map_host(*context, *memory, 3).ok());
    ::munmap(memory->data, memory->bytes);
  }
  server.wait_until_unused();
  CHECK(comes_true([&] { return device.count_contexts() == 0 && device.count_pins() == 0; }));
  CHECK(server.connections() == 0);
}

TEST_CASE("handles of another client are refused") {
  Pair pair;
  auto other = pair.another();
  auto context = pair.client->create_context(0x1000000, 0x1000000);
  auto memory = pair.client->pin(4096);
  CHECK(other->alloc(*context, 4096, 3).status().code() == StatusCode::not_found);
  CHECK(other->destroy_context(*context).code() == StatusCode::not_found);
  CHECK(other->context_fault(*context).status().code() == StatusCode::not_found);
  auto own = other->create_context(0x1000000, 0x1000000);
  CHECK(other->map_host(*own, {memory->data, 4096, memory->pin}, 3).code() == StatusCode::not_found);
  CHECK(other->destroy_queue(*own, 1).code() == StatusCode::not_found);
}

TEST_CASE("when the server stops, calls and waits end with device_lost") {
  Pair pair;
  std::atomic<bool> slept = false;
  Status waited;
  std::thread waiter([&] { waited = pair.client->wait([] { return false; }, [&] { slept = true; }); });
  REQUIRE(comes_true([&] { return slept.load(); }));
  pair.server.stop();
  waiter.join();
  CHECK(waited.code() == StatusCode::device_lost);
  CHECK(pair.client->lost());
  CHECK(pair.client->ping().code() == StatusCode::device_lost);
  CHECK(pair.client->pin(4096).status().code() == StatusCode::device_lost);
}

TEST_CASE("a client whose peer vanishes without a word is told so") {
  Ends ends;
  std::thread peer([socket = std::move(ends.theirs)]() mutable {
    (void)receive_packet(socket.get());  // reads the hello and dies
    socket.reset();
  });
  auto client = Client::adopt(ends.ours.release());
  CHECK(client.status().code() == StatusCode::device_lost);
  peer.join();
}

TEST_CASE("a client that is answered nonsense gives up") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Ends ends;
    std::thread peer([socket = std::move(ends.theirs), &random] {
      while (auto packet = receive_packet(socket.get())) {
        std::vector<std::byte> garbage(random() % 200);
        for (auto& byte : garbage) byte = static_cast<std::byte>(random());
        if (random() % 2 == 0 && garbage.size() >= sizeof(ReplyHeader)) {  // nearly right
          const auto request = unpack_header<RequestHeader>(packet->bytes);
          ReplyHeader header{kMagic, request->operation, static_cast<std::uint16_t>(random() % 20), request->sequence,
                             static_cast<std::uint32_t>(random() % 100)};
          std::memcpy(garbage.data(), &header, sizeof header);
        }
        if (!send_packet(socket.get(), garbage)) break;
      }
    });
    auto client = Client::adopt(ends.ours.release());
    CHECK(!client.ok());
    peer.join();
  }
}

TEST_CASE("a server that is sent garbage lives on, and serves others") {
  Pair pair;
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    Ends ends;
    REQUIRE(pair.server.adopt(ends.theirs.release()).ok());
    if (random() % 2 == 0) {
      REQUIRE(reply_to(ends.ours.get(), message(Operation::hello, HelloRequest{kVersion, 1, {}})));
    }
    for (int i = 0; i < 5; ++i) {
      std::vector<std::byte> garbage(1 + random() % 5000);
      for (auto& byte : garbage) byte = static_cast<std::byte>(random());
      if (random() % 4 != 0 && garbage.size() >= sizeof(RequestHeader)) {
        RequestHeader header{kMagic, static_cast<std::uint16_t>(random() % 24), kVersion,
                             static_cast<std::uint32_t>(random() % 1000),
                             static_cast<std::uint32_t>(garbage.size() - sizeof(RequestHeader))};
        std::memcpy(garbage.data(), &header, sizeof header);
      }
      const int fd = ends.ours.get();
      const std::span<const int> fds(&fd, random() % 8 == 0 ? 1 : 0);
      if (!send_packet(ends.ours.get(), garbage, fds)) break;
    }
    if (round % 50 == 0) REQUIRE(pair.client->ping().ok());
  }
  CHECK(pair.client->ping().ok());
}

TEST_CASE("every operation with random contents is answered") {
  Pair pair;
  std::mt19937_64 random(13);
  Ends ends;
  REQUIRE(pair.server.adopt(ends.theirs.release()).ok());
  REQUIRE(reply_to(ends.ours.get(), message(Operation::hello, HelloRequest{kVersion, 1, {}})));
  std::uint32_t sequence = 1;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> bytes;
#define OP(name, number, request_type, reply_type, request_fds, reply_fds, doc)               \
  if (random() % 17 == number % 17) {                                                         \
    request_type request;                                                                     \
    std::array<std::byte, sizeof request> noise;                                              \
    for (auto& byte : noise) byte = static_cast<std::byte>(random() % 5 == 0 ? random() : 0); \
    std::memcpy(&request, noise.data(), sizeof request);                                      \
    bytes = message(Operation::name, request, ++sequence);                                    \
  }
#include "runtime/hal/operations.inc"
#undef OP
    if (bytes.empty()) continue;
    const auto reply = reply_to(ends.ours.get(), bytes);
    REQUIRE(reply);
    REQUIRE(reply->sequence == sequence);
  }
}

TEST_CASE(
    "a request of the wrong size, version or number, or before the hello, gets an error and the connection lives") {
  FakeDevice device;
  Server server(device);
  Ends ends;
  REQUIRE(server.adopt(ends.theirs.release()).ok());
  const int socket = ends.ours.get();
  const auto expect_error = [&](std::span<const std::byte> bytes) {
    const auto reply = reply_to(socket, bytes);
    REQUIRE(reply);
    CHECK(reply->status != 0);
  };
  expect_error(message(Operation::ping, Nothing{}));  // before hello
  REQUIRE(reply_to(socket, message(Operation::hello, HelloRequest{kVersion, 1, {}}))->status == 0);
  expect_error(message(Operation::ping, AllocRequest{}));
  expect_error(message(static_cast<Operation>(999), Nothing{}));
  auto old = message(Operation::ping, Nothing{});
  old[6] = std::byte{77};
  expect_error(old);
  expect_error(message(Operation::pin, PinRequest{4096}));  // without its file
  CHECK(reply_to(socket, message(Operation::ping, Nothing{}))->status == 0);
}

TEST_CASE("only a memfd that cannot shrink is pinned") {
  Pair pair;
  Ends ends;
  REQUIRE(pair.server.adopt(ends.theirs.release()).ok());
  const int socket = ends.ours.get();
  REQUIRE(reply_to(socket, message(Operation::hello, HelloRequest{kVersion, 1, {}})));
  const Descriptor open_file(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  REQUIRE(::ftruncate(open_file.get(), 8192) == 0);
  const int unsealed = open_file.get();
  CHECK(reply_to(socket, message(Operation::pin, PinRequest{8192}), std::span(&unsealed, 1))->status != 0);
  auto sealed = shared_memory("test", 4096);
  const int small = sealed->get();
  CHECK(reply_to(socket, message(Operation::pin, PinRequest{8192}), std::span(&small, 1))->status != 0);
  CHECK(reply_to(socket, message(Operation::pin, PinRequest{100}), std::span(&small, 1))->status != 0);
  CHECK(reply_to(socket, message(Operation::pin, PinRequest{4096}), std::span(&small, 1))->status == 0);
}

TEST_CASE("a server listens at a path: once, replacing a dead one's socket, never another file") {
  const auto folder = std::filesystem::temp_directory_path() / ("castor-hal-test-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "socket").string();
  FakeDevice device;
  {
    Server server(device);
    REQUIRE(server.listen(path).ok());
    Server second(device);
    CHECK(second.listen(path).code() == StatusCode::busy);
    auto client = Client::connect(path);
    REQUIRE(client.ok());
    CHECK((*client)->ping().ok());
  }
  CHECK(!std::filesystem::exists(path));
  CHECK(Client::connect(path).status().code() == StatusCode::device_lost);
  ::close(::creat(path.c_str(), 0600));
  Server server(device);
  CHECK(server.listen(path).code() == StatusCode::io_error);
  CHECK(server.listen(std::string(200, 'x')).code() == StatusCode::invalid_value);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a program that is no machine is an error, not a hang") {
  CHECK(!Client::spawn("/bin/true").ok());
  CHECK(!Client::spawn("/nonexistent/castor").ok());
}

TEST_CASE("many threads share a client") {
  Pair pair;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        auto context = pair.client->create_context(0x1000000, 0x1000000);
        auto va = pair.client->alloc(context.ok() ? *context : 0, 4096, 3);
        if (va && pair.client->free(*context, *va) && pair.client->destroy_context(*context)) ++good;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(good == 800);
  CHECK(pair.device.count_contexts() == 0);
}
