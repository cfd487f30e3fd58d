// The wire layouts: sizes and offsets that hardware, firmware and driver rely on, the same in C11 and C++.
#include <cstddef>

#include "gpu/abi/address_space.h"
#include "gpu/abi/fault_record.h"
#include "gpu/abi/message.h"
#include "gpu/abi/module.h"
#include "gpu/abi/packet.h"
#include "gpu/abi/page_table.h"
#include "tests/support/catch.h"

extern "C" unsigned castor_c11_sizes(unsigned which);

static_assert(offsetof(castor_packet_dispatch, kernel) == 32);
static_assert(offsetof(castor_packet_copy, signal) == offsetof(castor_packet_dispatch, signal));
static_assert(offsetof(castor_packet_fill, signal) == offsetof(castor_packet_dispatch, signal));
static_assert(offsetof(castor_packet_semaphore, signal) == offsetof(castor_packet_dispatch, signal));
static_assert(offsetof(castor_fault_record, address) == 8);
static_assert(offsetof(castor_fault_record, kernel) == 56);
static_assert(offsetof(castor_message, args) == 16);
static_assert(sizeof(castor_fatbin_header) == 16);

TEST_CASE("packets, fault records, messages and kernel descriptors are 64 bytes in C and C++") {
  CHECK(sizeof(castor_packet_dispatch) == CASTOR_PACKET_BYTES);
  for (unsigned which = 0; which < 7; ++which) CHECK(castor_c11_sizes(which) == 64);
  CHECK(castor_c11_sizes(7) == sizeof(castor_fatbin_entry));
}

TEST_CASE("page table indices split a 57-bit address") {
  const std::uint64_t address =
      (0x1full << 48) | (0x155ull << 39) | (0x0aaull << 30) | (0x1ffull << 21) | (0x001ull << 12);
  CHECK(CASTOR_PT_INDEX(address, 4) == 0x1f);
  CHECK(CASTOR_PT_INDEX(address, 3) == 0x155);
  CHECK(CASTOR_PT_INDEX(address, 2) == 0x0aa);
  CHECK(CASTOR_PT_INDEX(address, 1) == 0x1ff);
  CHECK(CASTOR_PT_INDEX(address, 0) == 0x001);
}

TEST_CASE("the windows of the generic space do not overlap") {
  CHECK(CASTOR_GLOBAL_LIMIT <= CASTOR_SHARED_WINDOW);
  CHECK(CASTOR_SHARED_WINDOW < CASTOR_LOCAL_WINDOW);
  CHECK(CASTOR_LOCAL_WINDOW < CASTOR_WINDOW_LIMIT);
  CHECK(CASTOR_WINDOW_LIMIT == 1ull << CASTOR_GENERIC_BITS);
}
