#include "gpu/model/gpu_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/abi/registers.h"
#include "gpu/firmware/boot_rom.h"
#include "platform/sim/time.h"

namespace castor::gpu {

using namespace reg::boot;

namespace {

constexpr std::uint32_t kIntrBase = 0x2000, kDiscoveryBase = 0x8000, kGspBase = 0x10000, kMmuBase = 0x20000,
                        kHostBase = 0x30000, kCeBase = 0x40000, kCeStride = 0x1000, kDispatchBase = 0x50000,
                        kTestBase = 0x60000;
constexpr std::uint32_t kOutsideBar0 = ~0u;
const sc_core::sc_time kRegisterTime(20, sc_core::SC_NS);

const reg::BlockDef& block(castor_block_type type) {
  return *std::ranges::find(reg::kBlocks, type, &reg::BlockDef::type);
}

std::vector<CopyEngineModule*> pointers(const std::vector<std::unique_ptr<CopyEngineModule>>& engines) {
  std::vector<CopyEngineModule*> out;
  for (const auto& engine : engines) out.push_back(engine.get());
  return out;
}

std::vector<std::unique_ptr<CopyEngineModule>> make_engines(unsigned count, const Mmu& mmu, CopyJobs& jobs) {
  std::vector<std::unique_ptr<CopyEngineModule>> engines;
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = "ce" + std::to_string(i);
    engines.push_back(std::make_unique<CopyEngineModule>(name.c_str(), CopyEngine::Spec{}, mmu, jobs));
  }
  return engines;
}

}  // namespace

GpuModule::GpuModule(sc_core::sc_module_name name, const GpuSpec& spec, const PackageFacts& facts, Ports ports)
    : sc_module(name),
      bar0("bar0"),
      bar2("bar2"),
      upstream("upstream"),
      memory("memory"),
      spec_(spec),
      facts_(facts),
      device_memory_(ports.memory),
      host_port_(ports.host),
      boot_bank_(reg::boot::kRegisters),
      test_bank_(reg::test::kRegisters),
      registers_([this](std::uint32_t offset, bool) { hole(offset); }),
      interrupts_([this](unsigned vector) {
        vectors_.push_back(vector);
        vectors_added_.notify(sc_core::SC_ZERO_TIME);
      }),
      mmu_(ports.memory, ports.host, spec.contexts),
      copy_engines_(make_engines(spec.copy_engines, mmu_, copy_jobs_)),
      gsp_("gsp", {.base = kGspBase, .signed_only = spec.signed_firmware_only, .rom = boot_rom()},
           {registers_, ports.memory, interrupts_}),
      host_("host", spec,
            {.mmu = mmu_,
             .interrupts = interrupts_,
             .copy_jobs = copy_jobs_,
             .copy_engines = pointers(copy_engines_),
             .firmware_irq = [this](std::uint32_t irqs) { gsp_.gsp().interrupt(irqs); },
             .firmware_fault = [this](std::uint16_t pasid,
                                      std::uint32_t index) { gsp_.gsp().context_faulted(pasid, index); }}),
      from_blocks_up_("from_blocks_up"),
      from_blocks_memory_("from_blocks_memory") {
  bar0.register_b_transport(this, &GpuModule::access_bar0);
  bar2.register_b_transport(this, &GpuModule::access_bar2);
  from_blocks_up_.register_b_transport(this, &GpuModule::forward_up);
  from_blocks_memory_.register_b_transport(this, &GpuModule::forward_memory);
  for (const auto& engine : copy_engines_) bind_master(engine->bus);
  bind_master(gsp_.bus);
  bind_master(host_.bus);
  place_blocks(ports.blocks);
  connect_boot();
  write_discovery();
  SC_HAS_PROCESS(GpuModule);
  SC_THREAD(send_interrupts);
  set_stack_size(sim::kStackBytes);
  SC_THREAD(serve_reset);
  set_stack_size(sim::kStackBytes);
}

GpuModule::~GpuModule() { shut_down(); }

void GpuModule::bind_master(BusMaster& master) {
  master.to_host.bind(from_blocks_up_);
  master.to_memory.bind(from_blocks_memory_);
}

void GpuModule::place_blocks(const std::vector<ExtraBlock>& blocks) {
  const auto fixed = [](std::uint32_t base, std::uint16_t first, std::uint16_t count) {
    return RegisterMap::Place{.base = base, .first_vector = first, .vectors = count};
  };
  registers_.add(block(CASTOR_BLOCK_BOOT), {.base = CASTOR_BOOT_BASE}, boot_bank_);
  registers_.add(block(CASTOR_BLOCK_INTR), {.base = kIntrBase}, interrupts_.bank());
  registers_.add(block(CASTOR_BLOCK_GSP), fixed(kGspBase, CASTOR_VECTOR_MESSAGE, 1), gsp_.gsp().bank());
  registers_.add(block(CASTOR_BLOCK_MMU), fixed(kMmuBase, CASTOR_VECTOR_FATAL_FAULT, 2), host_.mmu_bank());
  registers_.add(block(CASTOR_BLOCK_HOST),
                 fixed(kHostBase, CASTOR_VECTOR_FIRST_QUEUE,
                       static_cast<std::uint16_t>(spec_.vectors - CASTOR_VECTOR_FIRST_QUEUE)),
                 host_.host_bank());
  for (std::uint16_t i = 0; i < copy_engines_.size(); ++i) {
    registers_.add(block(CASTOR_BLOCK_CE), {.base = kCeBase + i * kCeStride, .instance = i},
                   copy_engines_[i]->engine().bank());
  }
  registers_.add(block(CASTOR_BLOCK_DISPATCH), {.base = kDispatchBase}, host_.dispatch_bank());
  registers_.add(block(CASTOR_BLOCK_TEST), {.base = kTestBase}, test_bank_);
  for (std::uint16_t sm = 0; sm < spec_.sms.size(); ++sm) {
    const SmPlace& place = spec_.sms[sm];
    registers_.add(block(CASTOR_BLOCK_SM),
                   {.base = die_base(place.die) + kSmBlocks + 0x1000 * place.number_in_die,
                    .instance = sm,
                    .die = static_cast<std::uint16_t>(place.die)},
                   host_.sm_bank(sm));
  }
  for (const ExtraBlock& extra : blocks) registers_.add(*extra.block, extra.place, *extra.bank);
}

void GpuModule::connect_boot() {
  boot_bank_.on_read<TIME_LO>([this] {
    const std::uint64_t now = host_.now_ns();
    boot_bank_.set<TIME_HI>(static_cast<std::uint32_t>(now >> 32));
    return static_cast<std::uint32_t>(now);
  });
  boot_bank_.on_write<RESET>([this](std::uint32_t v) {
    if (RESET_DEVICE::get(v) != 0) request_reset();
  });
  const auto keep = [this](std::uint32_t) {
    if (!spec_.test_hooks) test_bank_.reset();
    test_bank_.set<reg::test::FUSE>(reg::test::FUSE_ENABLED::put(spec_.test_hooks));
  };
  test_bank_.on_write<reg::test::SEED_LO>(keep);
  test_bank_.on_write<reg::test::SEED_HI>(keep);
  keep(0);
}

void GpuModule::write_discovery() {
  discovery_ = discovery_table(spec_, facts_, registers_);
  registers_.add_window(kDiscoveryBase, discovery_);
  boot_bank_.set<DISCOVERY_BYTES>(static_cast<std::uint32_t>(discovery_.size()));
  device_memory_.write(DevAddr{0}, discovery_);
}

void GpuModule::hole(std::uint32_t offset) {
  boot_bank_.set<HOLE_COUNT>(boot_bank_.get<HOLE_COUNT>() + 1);
  if (boot_bank_.get<HOLE>() != 0) return;
  boot_bank_.set<HOLE>(HOLE_HIT::put(1));
  boot_bank_.set<HOLE_OFFSET>(offset);
  interrupts_.raise(CASTOR_VECTOR_DEVICE);
}

void GpuModule::access_bar0(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::span data(reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length());
  if (payload.is_write()) {
    registers_.write(payload.get_address(), std::span<const std::byte>(data));
  } else {
    registers_.read(payload.get_address(), data);
  }
  delay += kRegisterTime;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// A page for each context: the token at one place, the time at another, holes between.
void GpuModule::access_bar2(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::span data(reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length());
  const std::uint64_t page = payload.get_address() / CASTOR_DOORBELL_PAGE;
  const std::uint64_t at = payload.get_address() % CASTOR_DOORBELL_PAGE;
  delay += kRegisterTime;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const bool mapped = page < spec_.contexts;
  if (payload.is_write()) {
    std::uint32_t token;
    if (mapped && at == CASTOR_DOORBELL_OFFSET && data.size() == sizeof token) {
      std::memcpy(&token, data.data(), sizeof token);
      if (host_.doorbell(token, static_cast<std::uint16_t>(page))) return;
    }
    return hole(kOutsideBar0);
  }
  const std::uint64_t now = host_.now_ns();
  const std::uint64_t into = at - CASTOR_DOORBELL_TIME;
  if (mapped && at >= CASTOR_DOORBELL_TIME && into + data.size() <= sizeof now) {
    std::memcpy(data.data(), reinterpret_cast<const std::byte*>(&now) + into, data.size());
  } else {
    std::ranges::fill(data, std::byte{0xff});
    hole(kOutsideBar0);
  }
}

void GpuModule::forward_up(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  upstream->b_transport(payload, delay);
}

void GpuModule::forward_memory(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  memory->b_transport(payload, delay);
}

void GpuModule::send_interrupts() {
  while (true) {
    while (vectors_.empty()) wait(vectors_added_);
    const unsigned vector = vectors_.front();
    vectors_.pop_front();
    if (vector < spec_.vectors) host_port_.interrupt(vector);
  }
}

void GpuModule::request_reset() { reset_asked_.notify(sc_core::SC_ZERO_TIME); }

void GpuModule::serve_reset() {
  while (true) {
    wait(reset_asked_);
    gsp_.gsp().reset();
    host_.reset();
    for (const auto& engine : copy_engines_) engine->engine().reset();
    interrupts_.reset();
    vectors_.clear();
    boot_bank_.reset();
    test_bank_.reset();
    test_bank_.set<reg::test::FUSE>(reg::test::FUSE_ENABLED::put(spec_.test_hooks));
    write_discovery();
    reset_done_.notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace castor::gpu
