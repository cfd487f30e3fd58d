#include <stdarg.h>

#include "runtime/kmd/core.h"

void castor_kmd_copy(void* to, const void* from, size_t bytes) { __builtin_memcpy(to, from, bytes); }
void castor_kmd_zero(void* to, size_t bytes) { __builtin_memset(to, 0, bytes); }

struct line {
  char text[240];
  size_t used;
};

static void put_char(struct line* line, char c) {
  if (line->used + 1 < sizeof line->text) line->text[line->used++] = c;
}

static void put_text(struct line* line, const char* text) {
  while (*text != 0) put_char(line, *text++);
}

static void put_number(struct line* line, uint64_t value, unsigned base) {
  char digits[24];
  unsigned count = 0;
  do digits[count++] = "0123456789abcdef"[value % base];
  while ((value /= base) != 0);
  while (count != 0) put_char(line, digits[--count]);
}

static void put_signed(struct line* line, int value) {
  if (value < 0) put_char(line, '-');
  put_number(line, value < 0 ? (uint64_t)(-(int64_t)value) : (uint64_t)value, 10);
}

void castor_kmd_say(const struct castor_kmd_port* port, enum castor_kmd_log_level level, const char* format, ...) {
  struct line line = {{0}, 0};
  va_list args;
  va_start(args, format);
  for (const char* c = format; *c != 0; ++c) {
    if (*c != '%') {
      put_char(&line, *c);
      continue;
    }
    switch (*++c) {
      case 's': put_text(&line, va_arg(args, const char*)); break;
      case 'd': put_signed(&line, va_arg(args, int)); break;
      case 'u': put_number(&line, va_arg(args, unsigned), 10); break;
      case 'x': put_number(&line, va_arg(args, unsigned), 16); break;
      case 'l': put_number(&line, va_arg(args, uint64_t), 16); break;
      default: put_char(&line, *c); break;
    }
  }
  va_end(args);
  line.text[line.used] = 0;
  port->log(port->env, level, line.text);
}

/* Reflected Castagnoli polynomial, four bits at a time. */
uint32_t castor_kmd_crc32c(const void* data, size_t bytes) {
  static const uint32_t kNibble[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
                                       0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                       0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
  const uint8_t* byte = data;
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < bytes; ++i) {
    crc ^= byte[i];
    crc = (crc >> 4) ^ kNibble[crc & 15];
    crc = (crc >> 4) ^ kNibble[crc & 15];
  }
  return ~crc;
}

const char* castor_kmd_error_text(int error) {
  switch (error) {
    case 0: return "no error";
    case CASTOR_KMD_EINVAL: return "invalid argument";
    case CASTOR_KMD_ENOENT: return "no such object";
    case CASTOR_KMD_ENOMEM: return "out of memory";
    case CASTOR_KMD_EBUSY: return "in use";
    case CASTOR_KMD_EIO: return "the device answered nonsense";
    case CASTOR_KMD_ETIMEOUT: return "the device did not answer in time";
    case CASTOR_KMD_ELOST: return "the device is lost";
    case CASTOR_KMD_EFAULT: return "the context has been stopped by a fault";
    case CASTOR_KMD_ENOSYS: return "not supported";
    default: return "unknown error";
  }
}
