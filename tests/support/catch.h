// Catch2 under one name: version 2 (Debian 12) is one header, version 3 (Debian 13) is many.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
