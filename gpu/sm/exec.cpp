// What the inner loop calls: code, control registers, faults.
#include "gpu/sm/exec.h"

#include "gpu/abi/address_space.h"
#include "gpu/isa/csr.h"
#include "gpu/sm/core.h"

namespace castor::sm {

void set_fault(Exec& x, FaultCause cause, LaneMask lanes, std::uint16_t detail) {
  x.stop = Stop::fault;
  x.fault = Fault{cause, Access::read, 0, {}};
  x.fault_lanes = lanes;
  x.fault_detail = detail;
}

void decode_op(Exec& x, CodeOp& op) {
  Context& context = *x.context;
  const CodePage* page = context.code.page(x.page_pc, *context.memory);
  context.code.decode(*page, op, context.exact_floats);
}

const CodeOp* find_code(Exec& x, std::uint64_t pc) {
  if (pc == CASTOR_EXIT_PC) {
    x.warp->exited |= x.mask;
    x.stop = Stop::exited;
    return nullptr;
  }
  const CodePage* page = pc % 4 == 0 ? x.context->code.page(pc, *x.context->memory) : nullptr;
  if (page == nullptr) {
    set_fault(x, FaultCause::invalid_pc, x.mask);
    x.fault.access = Access::execute;
    x.fault.address = VirtAddr{pc};
    return nullptr;
  }
  x.page = page->ops;
  x.page_pc = page->pc;
  return page->ops + (pc - page->pc) / 4;
}

namespace {

enum class Axis { x, y, z };
std::uint32_t pick(const Dim3& dim, Axis axis) { return axis == Axis::x ? dim.x : axis == Axis::y ? dim.y : dim.z; }

/// A CSR that is the same in all lanes of a warp.
bool uniform_csr(const Exec& x, isa::Csr csr, std::uint64_t& value) {
  const Warp& warp = *x.owner;
  const CtaLaunch& cta = warp.cta->launch;
  using isa::Csr;
  const auto axis = [csr](Csr first) {
    return static_cast<Axis>(static_cast<unsigned>(csr) - static_cast<unsigned>(first));
  };
  switch (csr) {
    case Csr::ntid_x:
    case Csr::ntid_y:
    case Csr::ntid_z: value = pick(cta.block, axis(Csr::ntid_x)); return true;
    case Csr::ctaid_x:
    case Csr::ctaid_y:
    case Csr::ctaid_z: value = pick(cta.index, axis(Csr::ctaid_x)); return true;
    case Csr::nctaid_x:
    case Csr::nctaid_y:
    case Csr::nctaid_z: value = pick(cta.grid, axis(Csr::nctaid_x)); return true;
    case Csr::warpid: value = warp.number; return true;
    case Csr::nwarpid: value = x.spec->warp_slots; return true;
    case Csr::smid: value = x.spec->id; return true;
    case Csr::nsmid: value = x.spec->sm_count; return true;
    case Csr::gridid: value = cta.grid_id; return true;
    case Csr::clock:
    case Csr::cycle:
    case Csr::instret: value = x.issued; return true;
    case Csr::globaltimer:
    case Csr::time: value = x.spec->globaltimer ? x.spec->globaltimer() : x.issued; return true;
    case Csr::shared_base: value = x.shared.base; return true;
    case Csr::shared_size: value = cta.shared_total(); return true;
    case Csr::dynshared: value = x.shared.base + cta.dynamic_offset(); return true;
    case Csr::dynshared_size: value = cta.shared_dynamic; return true;
    case Csr::local_size: value = x.local_bytes; return true;
    case Csr::param_base: value = cta.params.value; return true;
    default: return false;
  }
}

template <class OfLane>
bool fill(std::uint64_t* value, OfLane of_lane) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) value[lane] = of_lane(lane);
  return true;
}

/// A CSR that differs between lanes.
bool lane_csr(const Exec& x, isa::Csr csr, std::uint64_t* value) {
  const Warp& warp = *x.owner;
  const WarpState& w = *x.warp;
  const std::uint64_t local = x.local_window + (CASTOR_LOCAL_STRIDE - x.local_bytes);
  const auto below = [](unsigned lane) { return (std::uint64_t{1} << lane) - 1; };
  using isa::Csr;
  switch (csr) {
    case Csr::tid_x: return fill(value, [&](unsigned lane) { return warp.tid[0][lane]; });
    case Csr::tid_y: return fill(value, [&](unsigned lane) { return warp.tid[1][lane]; });
    case Csr::tid_z: return fill(value, [&](unsigned lane) { return warp.tid[2][lane]; });
    case Csr::laneid: return fill(value, [](unsigned lane) { return lane; });
    case Csr::lanemask_eq: return fill(value, [](unsigned lane) { return std::uint64_t{1} << lane; });
    case Csr::lanemask_lt: return fill(value, below);
    case Csr::lanemask_le: return fill(value, [&](unsigned lane) { return below(lane + 1); });
    case Csr::lanemask_gt: return fill(value, [&](unsigned lane) { return kAllLanes & ~below(lane + 1); });
    case Csr::lanemask_ge: return fill(value, [&](unsigned lane) { return kAllLanes & ~below(lane); });
    case Csr::local_base: return fill(value, [&](unsigned lane) { return local + lane * CASTOR_LOCAL_STRIDE; });
    case Csr::fflags: return fill(value, [&](unsigned lane) { return w.fcsr[lane] & 31; });
    case Csr::frm: return fill(value, [&](unsigned lane) { return w.fcsr[lane] >> 5; });
    case Csr::fcsr: return fill(value, [&](unsigned lane) { return w.fcsr[lane]; });
    default: return false;
  }
}

}  // namespace

bool read_csr(Exec& x, unsigned number, LaneMask mask, std::uint64_t* value) {
  const auto csr = static_cast<isa::Csr>(number);
  std::uint64_t same = 0;
  if (uniform_csr(x, csr, same)) return fill(value, [same](unsigned) { return same; });
  if (lane_csr(x, csr, value)) return true;
  set_fault(x, FaultCause::illegal_instruction, mask, static_cast<std::uint16_t>(number));
  return false;
}

bool write_csr(Exec& x, unsigned number, LaneMask mask, const std::uint64_t* value) {
  const auto csr = static_cast<isa::Csr>(number);
  if (csr != isa::Csr::fflags && csr != isa::Csr::frm && csr != isa::Csr::fcsr) {
    set_fault(x, FaultCause::illegal_instruction, mask, static_cast<std::uint16_t>(number));
    return false;
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::uint32_t& fcsr = x.warp->fcsr[lane];
    const auto written = static_cast<std::uint32_t>(value[lane]);
    if (csr == isa::Csr::fflags) fcsr = (fcsr & ~31u) | (written & 31);
    if (csr == isa::Csr::frm) fcsr = (fcsr & 31) | (written & 7) << 5;
    if (csr == isa::Csr::fcsr) fcsr = written & 255;
  }
  return true;
}

}  // namespace castor::sm
