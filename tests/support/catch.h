// Catch2 under one name: version 2 (Debian 12) is one header, version 3 (Debian 13) is many.
// Include it last: from here on CHECK is Catch2's, no longer the one of platform/core/check.h.
#pragma once

#include "platform/core/check.h"

#undef CHECK

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
