// The one way to include SystemC and TLM. Never from a header that an area without SystemC includes.
#pragma once

#ifndef SC_DISABLE_API_VERSION_CHECK
#error "link platform_sim: it defines SC_DISABLE_API_VERSION_CHECK (Debian's library is built as C++17)"
#endif

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>
