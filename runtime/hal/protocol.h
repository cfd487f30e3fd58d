// What goes over the HAL's Unix socket (SOCK_SEQPACKET, one message a packet) and what lies in the page that both sides share.
//
// Control is request and reply, ioctl-like. Nothing fine-grained passes here: packets go through rings in pinned memory,
// doorbells and wake-ups through the shared page. A message that is too short, too long, out of order or unknown gets a reply
// with an error if it has a header at all, and otherwise ends the connection.
#pragma once

#include <atomic>
#include <cstdint>

#include "gpu/abi/discovery.h"
#include "gpu/abi/fault_record.h"

namespace castor::hal {

inline constexpr std::uint32_t kMagic = 0x4c414843;  // "CHAL"
inline constexpr std::uint16_t kVersion = 1;
inline constexpr std::uint32_t kMaxMessageBytes = 4096;
inline constexpr std::uint32_t kMaxQueues = 4096;
inline constexpr std::uint32_t kMaxContexts = 1024;

/// Where clients find a machine: path of a Unix socket.
inline constexpr const char* kSocketVariable = "CASTOR_SOCKET";
/// How libcuda starts a private machine: `castor serve --fd N`, N being one end of a SOCK_SEQPACKET socketpair that the child
/// inherits. That machine ends when the other end closes.
inline constexpr const char* kPrivateMachineArguments[] = {"serve", "--fd"};

enum class Operation : std::uint16_t {
#define OP(name, number, request, reply, request_fds, reply_fds, doc) name = number,
#include "runtime/hal/operations.inc"
#undef OP
};

struct RequestHeader {
  std::uint32_t magic;
  std::uint16_t operation;
  std::uint16_t version;
  std::uint32_t sequence;
  std::uint32_t bytes;  // of the request structure that follows
};

struct ReplyHeader {
  std::uint32_t magic;
  std::uint16_t operation;
  std::uint16_t status;  // StatusCode
  std::uint32_t sequence;
  std::uint32_t bytes;  // of the reply structure that follows, or of the error's text if status is not ok
};

struct Nothing {
  std::uint64_t zero = 0;
};
struct HelloRequest {
  std::uint32_t version;
  std::uint32_t process;
  char name[56];  // of the program, for logs
};
struct HelloReply {
  std::uint32_t version;
  std::uint32_t devices;
  std::uint32_t shared_bytes;
  std::uint32_t machine;  // process id of the machine
};
struct DeviceInfo {
  castor_discovery_header discovery;
};
struct MemoryInfo {
  std::uint64_t free_bytes, total_bytes;
};
struct Telemetry {
  std::uint64_t clock_khz, temperature_millicelsius, power_milliwatt;
};
struct ContextRequest {
  std::uint64_t va_base, va_bytes;  // range for device memory, kept free by the client
};
struct ContextReply {
  std::uint32_t context;  // PASID; index into SharedPage::faulted
  std::uint32_t zero = 0;
};
struct FaultReply {
  std::uint64_t faulted;
  castor_fault_record record;
};
struct AllocRequest {
  std::uint32_t context;
  std::uint32_t access;  // bits of access.h
  std::uint64_t bytes;
};
struct Address {
  std::uint64_t va;
};
struct MemoryRequest {
  std::uint32_t context;
  std::uint32_t access;
  std::uint64_t va, bytes;
};
struct PinRequest {
  std::uint64_t bytes;  // whole pages; the file must be a memfd of at least that size
};
struct PinReply {
  std::uint64_t pin;
};
struct MapHostRequest {
  std::uint32_t context;
  std::uint32_t access;
  std::uint64_t pin, va, bytes;
};
struct QueueRequest {
  std::uint32_t context;
  std::uint32_t entries;
  std::uint64_t ring, page;
};
struct QueueReply {
  std::uint32_t context;
  std::uint32_t queue;  // doorbell token
};

/// The page that machine and client share, one a connection. Every field may be wrong if the other side is: neither trusts it.
struct SharedPage {
  std::uint32_t magic;
  std::uint32_t version;
  std::atomic<std::uint32_t> wake;      // futex word: the machine counts it up at every interrupt, fault and loss
  std::atomic<std::uint32_t> sleepers;  // client threads that wait on it
  std::atomic<std::uint32_t> lost;      // the machine can no longer serve
  std::atomic<std::uint32_t> rung;      // the client has written the eventfd and the machine has not looked yet
  std::uint32_t reserved[10];
  std::atomic<std::uint64_t> doorbells[kMaxQueues / 64];  // bit = token: the client sets, the machine takes
  std::atomic<std::uint32_t> faulted[kMaxContexts];       // by PASID: not zero once a fault has stopped the context
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace castor::hal
