// The memory path when lanes do not follow a simple pattern, and the only place that says what is wrong with an access.
#include <cstring>

#include "gpu/abi/address_space.h"
#include "gpu/sm/core.h"

namespace castor::sm {

void Context::forget_translations() {
  tlb = Tlb{};
  pages.assign(std::size_t{1} << kPageBits, HostRange{});
}

namespace {

HostRange range_of(const Translation& t) {
  HostRange range{t.page.value, t.page_bytes, reinterpret_cast<std::uint64_t>(t.host) - t.page.value, 0};
  if (t.read) range.permissions |= permission_bit(Access::read);
  if (t.write) range.permissions |= permission_bit(Access::write);
  if (t.execute) range.permissions |= permission_bit(Access::execute);
  if (t.atomic) range.permissions |= permission_bit(Access::atomic);
  return range;
}

bool covers(const HostRange& range, std::uint64_t address, Access access) {
  return address - range.base < range.size && (range.permissions & permission_bit(access)) != 0;
}

/// Second level: by 4 KiB page, and for pages of at least that size by 64 KiB block. Null after a failed walk.
const HostRange* page_range(Exec& x, std::uint64_t address, Access access, FaultCause& cause) {
  constexpr std::uint64_t kBlock = 64u << 10;
  Context& context = *x.context;
  HostRange& small = context.pages[hash_index(address >> 12, Context::kPageBits)];
  HostRange& large = context.pages[hash_index(address >> 16, Context::kPageBits)];
  if (covers(large, address, access)) return &large;
  if (covers(small, address, access)) return &small;
  ++x.tlb_misses;
  const Translation t = context.memory->translate(VirtAddr{address}, access);
  cause = t.fault;
  if (cause != FaultCause::none) return nullptr;
  HostRange& page = t.page_bytes >= kBlock ? large : small;
  page = range_of(t);
  if (covers(page, address, access)) return &page;
  cause = FaultCause::permission;
  return nullptr;
}

/// Global memory: first-level line, second level, page tables.
FaultCause global_range(Exec& x, std::uint64_t address, Access access, HostRange& out) {
  HostRange& line = x.context->tlb.line[hash_index(address >> 16, Tlb::kBits)];
  if (!covers(line, address, access)) {
    FaultCause cause = FaultCause::none;
    const HostRange* page = page_range(x, address, access, cause);
    if (page == nullptr) return cause;
    line = *page;
  }
  out = line;
  return FaultCause::none;
}

/// One lane's address, checked in full.
FaultCause locate(Exec& x, std::uint64_t address, unsigned lane, unsigned bytes, Access access, std::byte*& host) {
  if (address >= CASTOR_WINDOW_LIMIT) return FaultCause::invalid_address_space;
  if (address % bytes != 0) return FaultCause::misaligned_address;
  if (address < CASTOR_GLOBAL_LIMIT) {
    HostRange range;
    const FaultCause cause = global_range(x, address, access, range);
    host = reinterpret_cast<std::byte*>(address + range.to_host);
    return cause;
  }
  if (address < CASTOR_LOCAL_WINDOW) {
    const std::uint64_t offset = address - x.shared.base;
    if (offset >= x.shared.size || x.shared.size - offset < bytes) return FaultCause::out_of_range_shared;
    host = reinterpret_cast<std::byte*>(address + x.shared.to_host);
    return FaultCause::none;
  }
  const std::uint64_t offset = address - x.local_window - lane * CASTOR_LOCAL_STRIDE;
  if (offset >= CASTOR_LOCAL_STRIDE) return FaultCause::out_of_range_local;
  const std::uint64_t floor = CASTOR_LOCAL_STRIDE - x.local_bytes;
  if (offset < floor) return FaultCause::stack_overflow;
  const std::uint64_t place = offset - floor;
  host = x.local + (place / 8 * kWarpLanes + lane) * 8 + place % 8;
  return FaultCause::none;
}

}  // namespace

const HostRange* fill_tlb(Exec& x, std::uint64_t address, Access access) {
  HostRange range;
  if (address >= CASTOR_GLOBAL_LIMIT || global_range(x, address, access, range) != FaultCause::none) return nullptr;
  return &x.context->tlb.line[hash_index(address >> 16, Tlb::kBits)];
}

bool resolve(Exec& x, const std::uint64_t* address, LaneMask mask, unsigned bytes, Access access, std::byte** host) {
  FaultCause first = FaultCause::none;
  LaneMask faulty = 0;
  unsigned lowest = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const FaultCause cause = locate(x, address[lane], lane, bytes, access, host[lane]);
    if (cause == FaultCause::none) continue;
    if (first == FaultCause::none) first = cause, lowest = lane;
    if (cause == first) faulty |= 1u << lane;
  }
  if (first == FaultCause::none) return true;
  set_fault(x, first, faulty);
  x.fault = Fault{first, access, static_cast<std::uint8_t>(bytes), VirtAddr{address[lowest]}};
  return false;
}

bool load_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, std::uint64_t* value) {
  std::byte* host[kWarpLanes];
  if (!resolve(x, address, mask, bytes, Access::read, host)) return false;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    value[lane] = 0;
    std::memcpy(&value[lane], host[lane], bytes);
  }
  return true;
}

bool store_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, const std::uint64_t* value) {
  std::byte* host[kWarpLanes];
  if (!resolve(x, address, mask, bytes, Access::write, host)) return false;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(host[lane], &value[lane], bytes);
  }
  return true;
}

}  // namespace castor::sm
