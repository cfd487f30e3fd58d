#include "runtime/driver/fatbin.h"

#include <cstring>
#include <optional>

#include "gpu/abi/module.h"
#include "runtime/driver/module_image.h"

namespace castor::driver {
namespace {

constexpr std::uint64_t kMaxFatbin = std::uint64_t{4} << 30;

Status damaged(const char* what) { return {StatusCode::invalid_value, std::string("damaged fat binary: ") + what}; }

template <class T>
std::optional<T> read(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value;
  if (offset > bytes.size() || sizeof value > bytes.size() - offset) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<ImageKind> kind_of(std::uint16_t kind) {
  switch (kind) {
    case CASTOR_FATBIN_PTX: return ImageKind::ptx;
    case CASTOR_FATBIN_ELF: return ImageKind::elf;
    case CASTOR_FATBIN_BITCODE: return ImageKind::bitcode;
    default: return std::nullopt;
  }
}

/// A module before anything that has to be compiled; then the newest.
bool better(ImageKind kind, unsigned arch, ImageKind than, unsigned than_arch) {
  if ((kind == ImageKind::elf) != (than == ImageKind::elf)) return kind == ImageKind::elf;
  return arch > than_arch;
}

/// PTX begins with comments, blanks and then a directive.
bool looks_like_ptx(const char* text) {
  const std::size_t length = ::strnlen(text, 4096);
  return std::string_view(text, length).find(".version") != std::string_view::npos;
}

}  // namespace

Result<SelectedImage> select_entry(std::span<const std::byte> fatbin, unsigned arch) {
  const auto header = read<castor_fatbin_header>(fatbin, 0);
  if (!header || header->magic != CASTOR_FATBIN_MAGIC) return damaged("no magic number");
  if (header->version != 1 || header->header_size < sizeof *header) return damaged("an unknown version");
  std::optional<SelectedImage> best;
  unsigned best_arch = 0;
  const std::uint64_t end = header->header_size + header->size;
  if (end > fatbin.size()) return damaged("longer than its container");
  for (std::uint64_t at = header->header_size; at < end;) {
    const auto entry = read<castor_fatbin_entry>(fatbin, at);
    if (!entry || entry->header_size < sizeof *entry || entry->size > fatbin.size()) return damaged("a wrong entry");
    const std::uint64_t payload = at + entry->header_size;
    if (payload > end || entry->size > end - payload) return damaged("an entry outside it");
    const auto kind = kind_of(entry->kind);
    const std::uint64_t next = (payload + entry->size + 7) & ~std::uint64_t{7};
    if (kind && entry->arch <= arch && (!best || better(*kind, entry->arch, best->kind, best_arch))) {
      best = SelectedImage{*kind, fatbin.subspan(payload, entry->size)};
      best_arch = entry->arch;
    }
    at = next;
  }
  if (!best) return Status{StatusCode::not_found, "the fat binary holds nothing for this device"};
  return *best;
}

Result<SelectedImage> select_image(const void* image, unsigned arch) {
  std::uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == CASTOR_FATBIN_WRAPPER_MAGIC) {
    castor_fatbin_wrapper wrapper;
    std::memcpy(&wrapper, image, sizeof wrapper);
    if (wrapper.data == nullptr) return damaged("an empty wrapper");
    return select_image(wrapper.data, arch);
  }
  if (magic == CASTOR_FATBIN_MAGIC) {
    castor_fatbin_header header;
    std::memcpy(&header, image, sizeof header);
    if (header.size > kMaxFatbin) return damaged("impossible size");
    return select_entry({static_cast<const std::byte*>(image), header.header_size + header.size}, arch);
  }
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    const std::size_t bytes = elf_bytes(image);
    if (bytes == 0) return Status{StatusCode::invalid_value, "damaged GPU module: impossible size"};
    return SelectedImage{ImageKind::elf, {static_cast<const std::byte*>(image), bytes}};
  }
  const auto* text = static_cast<const char*>(image);
  if (looks_like_ptx(text))
    return SelectedImage{ImageKind::ptx, {static_cast<const std::byte*>(image), std::strlen(text)}};
  return Status{StatusCode::invalid_value, "the image is neither a GPU module nor a fat binary nor PTX"};
}

}  // namespace castor::driver
