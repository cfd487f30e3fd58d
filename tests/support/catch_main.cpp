// The main function that every Catch2 program of the suite shares.
#define CATCH_CONFIG_MAIN
#include "tests/support/catch.h"

#if __has_include(<catch2/catch_all.hpp>)
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#endif
