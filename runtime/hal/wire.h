// Headers and structures of a message, packed and unpacked with every length checked.
#pragma once

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "platform/core/status.h"
#include "runtime/hal/protocol.h"

namespace castor::hal {

template <class Header, class Body>
std::vector<std::byte> pack(Header header, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body>);
  header.bytes = sizeof(Body);
  std::vector<std::byte> out(sizeof header + sizeof body);
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, &body, sizeof body);
  return out;
}

inline std::vector<std::byte> pack_error(ReplyHeader header, const Status& status) {
  const std::string text = status.message().substr(0, 512);
  header.status = static_cast<std::uint16_t>(status.code());
  header.bytes = static_cast<std::uint32_t>(text.size());
  std::vector<std::byte> out(sizeof header + text.size());
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, text.data(), text.size());
  return out;
}

/// The header, if the message is at least that long and has the magic number.
template <class Header>
std::optional<Header> unpack_header(std::span<const std::byte> message) {
  Header header;
  if (message.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, message.data(), sizeof header);
  if (header.magic != kMagic) return std::nullopt;
  return header;
}

/// The structure after the header, if it has exactly the right size.
template <class Header, class Body>
bool unpack_body(std::span<const std::byte> message, const Header& header, Body& body) {
  static_assert(std::is_trivially_copyable_v<Body>);
  if (header.bytes != sizeof body || message.size() != sizeof header + sizeof body) return false;
  std::memcpy(&body, message.data() + sizeof header, sizeof body);
  return true;
}

}  // namespace castor::hal
