#include "gpu/firmware/log.h"

#include "gpu/firmware/hardware.h"

static uint64_t ring, ring_bytes;
static struct castor_gsp_log head;
static char line[160];

void log_open(uint32_t gsp) {
  ring = bar0_read_pair(gsp + CASTOR_GSP_LOG_RING_LO);
  ring_bytes = bar0_read(gsp + CASTOR_GSP_LOG_RING_BYTES);
}

static uint32_t append_hex(uint32_t at, uint64_t number) {
  static const char digits[] = "0123456789abcdef";
  int shift = 60;
  while (shift > 0 && (number >> shift) == 0) shift -= 4;
  for (; shift >= 0 && at < sizeof line - 1; shift -= 4) line[at++] = digits[number >> shift & 15];
  return at;
}

static void publish(uint32_t bytes) {
  if (ring == 0 || ring_bytes < sizeof line) return;
  for (uint32_t sent = 0; sent < bytes;) {
    const uint64_t at = (head.written + sent) % ring_bytes;
    uint32_t piece = bytes - sent;
    if (piece > ring_bytes - at) piece = (uint32_t)(ring_bytes - at);
    if (!dma(ring + sizeof head + at, line + sent, piece, true)) return;
    sent += piece;
  }
  head.written += bytes;
  dma(ring, &head, sizeof head.written, true);
}

void log_line(const char* text, uint64_t number) {
  uint32_t at = 0;
  for (; *text != 0 && at < sizeof line - 1; ++text) {
    if (text[0] == '%' && text[1] == 'x') {
      at = append_hex(at, number);
      ++text;
    } else {
      line[at++] = *text;
    }
  }
  line[at++] = '\n';
  for (uint32_t i = 0; i < at; ++i) local_write(CASTOR_GSP_LOCAL_CONSOLE, (uint8_t)line[i]);
  publish(at);
}
