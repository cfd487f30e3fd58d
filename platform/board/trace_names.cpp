#include "platform/board/trace_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gpu/abi/discovery.h"
#include "gpu/abi/gsp.h"
#include "gpu/abi/message.h"
#include "gpu/abi/packet.h"
#include "gpu/abi/register_view.h"
#include "gpu/abi/registers.h"
#include "platform/board/host_map.h"

namespace castor::board {
namespace {

namespace reg = gpu::reg;

template <class T>
std::optional<T> read_as(std::span<const std::byte> data, std::size_t at = 0) {
  T value;
  if (at > data.size() || data.size() - at < sizeof value) return {};
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

const char* message_name(unsigned function) {
  switch (function) {
    case CASTOR_MSG_PING: return "PING";
    case CASTOR_MSG_CONTEXT_CREATE: return "CONTEXT_CREATE";
    case CASTOR_MSG_CONTEXT_DESTROY: return "CONTEXT_DESTROY";
    case CASTOR_MSG_QUEUE_CREATE: return "QUEUE_CREATE";
    case CASTOR_MSG_QUEUE_DESTROY: return "QUEUE_DESTROY";
    case CASTOR_MSG_TLB_INVALIDATE: return "TLB_INVALIDATE";
    case CASTOR_MSG_CONTEXT_RESET: return "CONTEXT_RESET";
    case CASTOR_MSG_TELEMETRY: return "TELEMETRY";
    case CASTOR_MSG_EVENT_LOG: return "EVENT_LOG";
    case CASTOR_MSG_EVENT_FAULT: return "EVENT_FAULT";
    default: return "?";
  }
}

const char* packet_type_name(unsigned type) {
  switch (type) {
    case CASTOR_PACKET_NOP: return "NOP";
    case CASTOR_PACKET_DISPATCH: return "DISPATCH";
    case CASTOR_PACKET_COPY: return "COPY";
    case CASTOR_PACKET_FILL: return "FILL";
    case CASTOR_PACKET_SEMAPHORE_WAIT: return "SEMAPHORE_WAIT";
    case CASTOR_PACKET_SEMAPHORE_SIGNAL: return "SEMAPHORE_SIGNAL";
    case CASTOR_PACKET_TIMESTAMP: return "TIMESTAMP";
    case CASTOR_PACKET_FENCE: return "FENCE";
    default: return nullptr;
  }
}

}  // namespace

TraceNames::TraceNames(const Computer& computer)
    : computer_(computer), blocks_{{CASTOR_BOOT_BASE, reg::kBlocks[0].bytes, "boot", &reg::kBlocks[0]}} {}

std::string TraceNames::name(const sim::TraceRecord& record) {
  if (record.config) return config_name(record);
  if (record.from == "kmd") return bar_name(record);
  return memory_name(record);
}

std::string TraceNames::config_name(const sim::TraceRecord& record) const {
  const auto offset = static_cast<unsigned>(record.address & 0xfff);
  const bool port = record.address >> 20 == 0;
  for (const auto& row : port ? std::span<const cxl::cfg::ConfigDef>(cxl::cfg::bridge::kRegisters)
                              : std::span<const cxl::cfg::ConfigDef>(cxl::cfg::header::kRegisters)) {
    if (row.offset == offset) return fmt::format("{} {}", port ? "root port" : "endpoint", row.name);
  }
  return {};
}

std::string TraceNames::bar_name(const sim::TraceRecord& record) {
  const auto hit = computer_.endpoint.function().decode(record.address, record.bytes);
  if (!hit) return {};
  if (hit->bar == 2) {
    const std::uint64_t page = hit->offset / CASTOR_DOORBELL_PAGE;
    const bool rung = hit->offset % CASTOR_DOORBELL_PAGE == CASTOR_DOORBELL_OFFSET && record.kind == "MWr";
    return rung ? fmt::format("doorbell of context {}", page) : fmt::format("BAR2 page {}", page);
  }
  if (hit->bar == 4) return fmt::format("BAR4 device memory {:#x}", hit->offset);
  if (computer_.endpoint.function().owns(hit->offset)) return "BAR0 MSI-X table";
  return register_name(hit->offset, record);
}

/// From the discovery table, as far as the driver has read it.
void TraceNames::read_blocks() {
  auto peek = [&](std::uint32_t offset, auto& value) {
    for (std::uint32_t at = 0; at < sizeof value; at += 4) {
      const auto word = read_.find(offset + at);
      if (word == read_.end()) return false;
      std::memcpy(reinterpret_cast<std::byte*>(&value) + at, &word->second, 4);
    }
    return true;
  };
  std::uint32_t table = 0;
  castor_discovery_header header{};
  if (!peek(reg::boot::DISCOVERY_OFFSET::offset, table) || !peek(table, header)) return;
  if (header.magic != CASTOR_DISCOVERY_MAGIC) return;
  table_base_ = table;
  table_bytes_ = header.table_bytes;
  for (std::uint32_t i = 0; i < header.blocks; ++i) {
    castor_discovery_block block{};
    if (!peek(table + header.blocks_offset + i * sizeof block, block)) return;
    const auto rows = std::ranges::find(reg::kBlocks, block.type, &reg::BlockDef::type);
    if (rows == reg::kBlocks.end()) continue;
    const bool several = block.instance != 0 || block.type == CASTOR_BLOCK_CE || block.type == CASTOR_BLOCK_SM ||
                         block.type == CASTOR_BLOCK_DIE;
    blocks_.push_back({block.base, block.bytes,
                       several ? fmt::format("{}{}", lower(rows->name), block.instance) : lower(rows->name), &*rows});
    if (block.type == CASTOR_BLOCK_GSP) gsp_base_ = block.base;
  }
}

std::string TraceNames::register_name(std::uint64_t offset, const sim::TraceRecord& record) {
  for (std::uint32_t at = 0; at < record.data.size(); at += 4) {
    const std::uint32_t word = read_as<std::uint32_t>(record.data, at).value_or(0);
    if (record.kind == "CplD" && table_bytes_ == 0) read_[static_cast<std::uint32_t>(offset) + at] = word;
    if (record.kind == "MWr") learn_register(offset + at, word);
  }
  if (table_bytes_ == 0 && record.kind == "MWr") read_blocks();  // nothing is written before the table has been read
  for (const Block& block : blocks_) {
    if (offset < block.base || offset - block.base >= block.bytes) continue;
    const auto& rows = static_cast<const reg::BlockDef*>(block.rows)->registers;
    const auto row = std::ranges::find(rows, static_cast<std::uint32_t>(offset - block.base), &RegisterDef::offset);
    if (row == rows.end()) continue;
    std::string text = fmt::format("BAR0 {}.{}", block.name, row->name);
    const auto value = read_as<std::uint32_t>(record.data);
    if (block.base == gsp_base_ && row->offset == reg::gsp::READY::offset && value == CASTOR_GSP_READY_WORD) {
      text += ": firmware ready";
    }
    if (block.base == gsp_base_ && row->offset == reg::gsp::CTRL::offset && record.kind == "MWr" &&
        (value.value_or(0) & 1) != 0)
      text += ": boot";
    return text;
  }
  return table_bytes_ == 0 || offset - table_base_ < table_bytes_ ? "BAR0 discovery table" : "BAR0 hole";
}

void TraceNames::learn_register(std::uint64_t offset, std::uint32_t value) {
  if (gsp_base_ == 0 || offset < gsp_base_ || offset >= gsp_base_ + 0x1000u) return;
  const auto where = static_cast<std::uint32_t>(offset - gsp_base_);
  gsp_[where] = value;
  if (where == reg::gsp::CTRL::offset) image_pages_.clear();
}

std::string TraceNames::memory_name(const sim::TraceRecord& record) {
  if (record.kind == "MSI-X") {
    const auto vector = read_as<std::uint32_t>(record.data);
    return vector ? fmt::format("interrupt {}", *vector) : std::string();
  }
  if (record.address < kPinnedBase) return driver_memory_name(record);
  const std::string_view engine = record.from.substr(record.from.rfind('.') + 1);  // of "gpu.ce0"
  if (engine.starts_with("ce")) return "copy: client memory";
  if (record.kind == "CplD" && record.bytes % CASTOR_PACKET_BYTES == 0) return packet_name(record);
  if (record.kind == "MWr" && record.bytes == sizeof(std::uint64_t)) return word_name(record);
  return "client memory";
}

std::uint64_t TraceNames::gsp_pair(std::uint32_t low) const {
  const auto word = [&](std::uint32_t offset) {
    const auto found = gsp_.find(offset);
    return found == gsp_.end() ? std::uint64_t{0} : std::uint64_t{found->second};
  };
  return word(low) | word(low + 4) << 32;
}

std::string TraceNames::driver_memory_name(const sim::TraceRecord& record) {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t at = record.address;
  const std::uint64_t list = gsp_pair(reg::gsp::IMAGE_LIST_LO::offset);
  if (list != 0 && at / kPage == list / kPage) {
    for (std::size_t i = 0; i < record.data.size(); i += 8)
      image_pages_.insert(read_as<std::uint64_t>(record.data, i).value_or(0) / kPage);
    return "firmware image page list";
  }
  if (image_pages_.contains(at / kPage)) return "firmware image";
  // A ring takes what lies between its base and the next one.
  struct Area {
    std::uint64_t base;
    const char* name;
  };
  Area areas[] = {{gsp_pair(reg::gsp::COMMAND_RING_LO::offset), "command"},
                  {gsp_pair(reg::gsp::STATUS_RING_LO::offset), "status"},
                  {gsp_pair(reg::gsp::LOG_RING_LO::offset), "log"}};
  std::ranges::sort(areas, {}, &Area::base);
  const auto after = std::ranges::upper_bound(areas, at, {}, &Area::base);
  if (after == areas || std::prev(after)->base == 0) return "driver memory";
  const Area& area = *std::prev(after);
  constexpr std::uint64_t kLongestRing = 0x4000;
  if (at - area.base >= kLongestRing) return "driver memory";
  return std::string_view(area.name) == "log" ? "firmware log" : ring_name(record, area.name, area.base);
}

std::string TraceNames::ring_name(const sim::TraceRecord& record, const char* ring, std::uint64_t base) const {
  if (record.address < base + CASTOR_RING_ELEMENTS) return fmt::format("{} ring indices", ring);
  const auto message = read_as<castor_message>(record.data);
  if (!message) return fmt::format("{} ring", ring);
  return fmt::format("{} {} #{}", ring, message_name(message->function), message->sequence);
}

std::string TraceNames::packet_name(const sim::TraceRecord& record) {
  std::string text;
  for (std::size_t at = 0; at < record.bytes; at += CASTOR_PACKET_BYTES) {
    const auto packet = read_as<castor_packet_semaphore>(record.data, at);
    const char* type = packet ? packet_type_name(CASTOR_PACKET_TYPE(packet->header)) : nullptr;
    if (type == nullptr) return "client memory";
    text += fmt::format("{}packet {}", at == 0 ? "" : ", ", type);
    if (packet->signal != 0) signals_.emplace(packet->signal & 0xfff, packet->signal_value);
    if (CASTOR_PACKET_TYPE(packet->header) == CASTOR_PACKET_SEMAPHORE_SIGNAL)
      signals_.emplace(packet->address & 0xfff, packet->value);
  }
  return text;
}

std::string TraceNames::word_name(const sim::TraceRecord& record) {
  const auto asked = signals_.find({record.address & 0xfff, read_as<std::uint64_t>(record.data).value_or(0)});
  if (asked == signals_.end()) return "queue page or client memory";
  signals_.erase(asked);
  return "completion";
}

}  // namespace castor::board
