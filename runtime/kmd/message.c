/* Control messages to the firmware and its answers. The firmware is another processor that may be wrong: every element is
 * checked before it is believed. */
#include "runtime/kmd/core.h"

#define ENTRIES 64u
#define MESSAGE_LIMIT_MS 1000u

static int take_ring(struct castor_kmd* kmd, struct castor_ring* ring) {
  const int error = castor_dma_take(kmd->port, CASTOR_RING_ELEMENTS + ENTRIES * CASTOR_MESSAGE_BYTES, &ring->memory);
  if (error != 0) return error;
  ring->head = ring->memory.cpu;
  ring->slots = (struct castor_message*)(void*)((uint8_t*)ring->memory.cpu + CASTOR_RING_ELEMENTS);
  ring->entries = ENTRIES;
  ring->head->entries = ENTRIES;
  return 0;
}

int castor_kmd_rings(struct castor_kmd* kmd) {
  const int error = take_ring(kmd, &kmd->command);
  return error != 0 ? error : take_ring(kmd, &kmd->status);
}

static uint64_t load(const uint64_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static void store(uint64_t* word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

static bool crc_right(const struct castor_message* message) {
  struct castor_message copy = *message;
  copy.crc = 0;
  return castor_kmd_crc32c(&copy, sizeof copy) == message->crc;
}

static void handle(struct castor_kmd* kmd, const struct castor_message* message) {
  if (!crc_right(message)) {
    castor_kmd_lose(kmd, "a message of the firmware has a wrong checksum");
    return;
  }
  switch (message->function) {
    case CASTOR_MSG_EVENT_LOG: castor_kmd_log_drain(kmd); break;
    case CASTOR_MSG_EVENT_FAULT: castor_kmd_fault_drain(kmd); break;
    default:
      kmd->answer = *message;
      kmd->answered = true;
      break;
  }
}

void castor_kmd_status_drain(struct castor_kmd* kmd) {
  struct castor_ring* ring = &kmd->status;
  if (ring->head == NULL) return;
  uint64_t read = ring->head->read;
  const uint64_t write = load(&ring->head->write);
  if (write < read || write - read > ring->entries) {
    castor_kmd_lose(kmd, "the firmware's status ring is corrupt");
    return;
  }
  while (read != write && !kmd->lost) {
    const struct castor_message message = ring->slots[read % ring->entries];
    store(&ring->head->read, ++read);
    handle(kmd, &message);
    if (kmd->answered) return; /* its sender looks at it before the next one */
  }
}

static int send(struct castor_kmd* kmd, uint16_t function, const uint64_t* args, uint32_t count) {
  struct castor_ring* ring = &kmd->command;
  const uint64_t write = ring->head->write;
  if (write - load(&ring->head->read) >= ring->entries) return CASTOR_KMD_EBUSY;
  struct castor_message message;
  castor_kmd_zero(&message, sizeof message);
  message.sequence = ++kmd->sequence;
  message.version = CASTOR_MESSAGE_VERSION;
  message.function = function;
  for (uint32_t i = 0; i < count && i < 6; ++i) message.args[i] = args[i];
  message.crc = castor_kmd_crc32c(&message, sizeof message);
  ring->slots[write % ring->entries] = message;
  store(&ring->head->write, write + 1);
  kmd->port->barrier(kmd->port->env);
  castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_DOORBELL, 1);
  return 0;
}

static int result_of(int32_t status) {
  switch (status) {
    case 0: return 0;
    case CASTOR_MSG_EINVAL: return CASTOR_KMD_EINVAL;
    case CASTOR_MSG_ENOSPC: return CASTOR_KMD_ENOMEM;
    case CASTOR_MSG_ENOENT: return CASTOR_KMD_ENOENT;
    case CASTOR_MSG_ENOSYS: return CASTOR_KMD_ENOSYS;
    default: return CASTOR_KMD_EIO;
  }
}

static int wait_answer(struct castor_kmd* kmd) {
  const struct castor_kmd_port* port = kmd->port;
  const uint64_t end = port->now_ns(port->env) + castor_kmd_limit(kmd, MESSAGE_LIMIT_MS);
  while (!kmd->lost) {
    kmd->answered = false;
    castor_kmd_status_drain(kmd);
    if (kmd->answered && kmd->answer.sequence == kmd->sequence) {
      kmd->answered = false;
      return result_of(kmd->answer.status);
    }
    if (kmd->answered) {
      castor_kmd_say(port, CASTOR_KMD_LOG_WARNING, "answer %u of the firmware belongs to no message",
                     kmd->answer.sequence);
      continue;
    }
    const uint64_t now = port->now_ns(port->env);
    if (now > end) {
      castor_kmd_lose(kmd, "the firmware does not answer");
      return CASTOR_KMD_ETIMEOUT;
    }
    port->interrupt_wait(port->env, 1ull << CASTOR_VECTOR_MESSAGE, end - now);
  }
  return CASTOR_KMD_ELOST;
}

int castor_kmd_message(struct castor_kmd* kmd, uint16_t function, const uint64_t* args, uint32_t count,
                       uint64_t* results) {
  if (kmd->lost) return CASTOR_KMD_ELOST;
  int error = send(kmd, function, args, count);
  if (error == 0) error = wait_answer(kmd);
  if (error == 0 && results != NULL) castor_kmd_copy(results, kmd->answer.args, sizeof kmd->answer.args);
  return error;
}

int castor_kmd_ping(struct castor_kmd* kmd) {
  const uint64_t args[6] = {0x676e6970, kmd->sequence, 2, 3, 4, 5};
  uint64_t results[6];
  const int error = castor_kmd_message(kmd, CASTOR_MSG_PING, args, 6, results);
  if (error != 0) return error;
  for (int i = 0; i < 6; ++i) {
    if (results[i] != args[i]) return CASTOR_KMD_EIO;
  }
  return 0;
}

int castor_kmd_telemetry(struct castor_kmd* kmd, struct castor_kmd_telemetry* telemetry) {
  uint64_t results[6];
  const int error = castor_kmd_message(kmd, CASTOR_MSG_TELEMETRY, NULL, 0, results);
  if (error != 0) return error;
  telemetry->clock_khz = results[0];
  telemetry->temperature_millicelsius = results[1];
  telemetry->power_milliwatt = results[2];
  return 0;
}
