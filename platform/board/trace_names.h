// TraceNames: what a transaction means, worked out as a protocol analyser does: from addresses, and from what went by before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/board/computer.h"

namespace castor::board {

class TraceNames {
 public:
  explicit TraceNames(const Computer& computer);
  /// Called for every transaction, in order; empty if it means nothing special.
  std::string name(const sim::TraceRecord& record);

 private:
  struct Block {
    std::uint32_t base, bytes;
    std::string name;
    const void* rows;  // of gpu/abi/register_view.h
  };

  void read_blocks();
  std::string config_name(const sim::TraceRecord& record) const;
  std::string bar_name(const sim::TraceRecord& record);
  std::string register_name(std::uint64_t offset, const sim::TraceRecord& record);
  void learn_register(std::uint64_t bar0_offset, std::uint32_t value);
  std::string memory_name(const sim::TraceRecord& record);
  std::string driver_memory_name(const sim::TraceRecord& record);
  std::uint64_t gsp_pair(std::uint32_t low) const;
  std::string ring_name(const sim::TraceRecord& record, const char* ring, std::uint64_t base) const;
  std::string packet_name(const sim::TraceRecord& record);
  std::string word_name(const sim::TraceRecord& record);

  const Computer& computer_;
  std::map<std::uint32_t, std::uint32_t> read_;  // words of BAR0, until the discovery table is known
  std::vector<Block> blocks_;
  std::uint32_t table_base_ = 0, table_bytes_ = 0;  // discovery table
  std::uint32_t gsp_base_ = 0;
  std::map<std::uint32_t, std::uint32_t> gsp_;  // what was written to the GSP's registers
  std::set<std::uint64_t> image_pages_;         // of the firmware image being loaded
  // Completion words that packets have asked for: page offset of the address, and value.
  std::multiset<std::pair<std::uint64_t, std::uint64_t>> signals_;
};

}  // namespace castor::board
