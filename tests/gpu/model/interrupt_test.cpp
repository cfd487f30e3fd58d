// The interrupt tree: pending, enabled, sent.
#include <vector>

#include "gpu/abi/register_view.h"
#include "gpu/model/interrupt_tree.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::gpu;
using namespace castor::gpu::reg::intr;

namespace {
struct Tree {
  std::vector<unsigned> sent;
  InterruptTree tree{[this](unsigned vector) { sent.push_back(vector); }};
  void write(std::uint32_t offset, std::uint32_t value) { tree.bank().write(offset, value); }
  std::uint32_t read(std::uint32_t offset) { return *tree.bank().read(offset); }
};
}  // namespace

TEST_CASE("a source sends its message only when leaf and top are enabled, and when they become so") {
  Tree t;
  t.tree.raise(3);
  t.tree.raise(40);
  CHECK(t.sent.empty());
  CHECK(t.read(LEAF0_PENDING::offset) == 8);
  CHECK(t.read(LEAF1_PENDING::offset) == 1u << 8);
  t.write(LEAF0_ENABLE_SET::offset, 8);
  CHECK(t.sent.empty());
  CHECK(t.read(TOP_PENDING::offset) == 1);
  t.write(TOP_ENABLE_SET::offset, 3);
  CHECK(t.sent == std::vector<unsigned>{3});
  CHECK(t.read(LEAF0_PENDING::offset) == 0);  // AUTO
  t.write(LEAF1_ENABLE_SET::offset, 1u << 8);
  CHECK(t.sent == std::vector<unsigned>{3, 40});
  t.tree.raise(3);
  CHECK(t.sent == std::vector<unsigned>{3, 40, 3});
  CHECK(t.read(MESSAGES::offset) == 3);
}

TEST_CASE("without AUTO a pending source sends once until it is cleared") {
  Tree t;
  t.write(TOP_ENABLE_SET::offset, 1);
  t.write(LEAF0_ENABLE_SET::offset, 2);
  t.write(LEAF0_AUTO::offset, 0);
  t.tree.raise(1);
  t.tree.raise(1);
  CHECK(t.sent.size() == 1);
  CHECK(t.read(LEAF0_PENDING::offset) == 2);
  t.write(LEAF0_PENDING::offset, 2);
  CHECK(t.read(LEAF0_PENDING::offset) == 0);
  t.tree.raise(1);
  CHECK(t.sent.size() == 2);
}

TEST_CASE("disabling works, sources that do not exist are ignored, reset forgets all") {
  Tree t;
  t.write(TOP_ENABLE_SET::offset, 1);
  t.write(LEAF0_ENABLE_SET::offset, ~0u);
  t.write(LEAF0_ENABLE_CLEAR::offset, 4);
  CHECK(t.read(LEAF0_ENABLE_SET::offset) == ~4u);
  t.tree.raise(2);
  t.tree.raise(64);
  t.tree.raise(~0u);
  CHECK(t.sent.empty());
  t.write(TOP_ENABLE_CLEAR::offset, 1);
  t.tree.raise(5);
  CHECK(t.sent.empty());
  t.tree.reset();
  CHECK(t.read(LEAF0_PENDING::offset) == 0);
  CHECK(t.read(LEAF0_ENABLE_CLEAR::offset) == 0);
}
