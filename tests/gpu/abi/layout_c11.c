/* The headers are C11 as well: the driver and the firmware are. Sizes as a C compiler sees them, for layout_test.cpp. */
#include "gpu/abi/address_space.h"
#include "gpu/abi/fault_record.h"
#include "gpu/abi/message.h"
#include "gpu/abi/module.h"
#include "gpu/abi/packet.h"
#include "gpu/abi/page_table.h"

unsigned castor_c11_sizes(unsigned which) {
  const unsigned sizes[] = {sizeof(struct castor_packet_dispatch), sizeof(struct castor_packet_copy),
                            sizeof(struct castor_packet_fill),     sizeof(struct castor_packet_semaphore),
                            sizeof(struct castor_fault_record),    sizeof(struct castor_message),
                            sizeof(struct castor_kernel_desc),     sizeof(struct castor_fatbin_entry)};
  return which < sizeof sizes / sizeof sizes[0] ? sizes[which] : 0;
}
