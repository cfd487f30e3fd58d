// The command line as nvcc takes it.
#include "compiler/driver/driver.h"
#include "tests/support/catch.h"

namespace castor::compiler::test {
namespace {

using Words = std::vector<std::string>;

Options parsed(const Words& words) {
  auto options = parse_options(words);
  REQUIRE(options.status().message() == "");
  REQUIRE(options.ok());
  return *options;
}

std::string refusal(const Words& words) {
  const auto options = parse_options(words);
  REQUIRE_FALSE(options.ok());
  return options.status().message();
}

TEST_CASE("inputs, output and stage") {
  const auto options = parsed({"a.cu", "-o", "a", "b.cpp", "c.o"});
  CHECK(options.inputs == Words{"a.cu", "b.cpp", "c.o"});
  CHECK(options.output == "a");
  CHECK(options.stage == Stage::link);
  CHECK(parsed({"-c", "a.cu"}).stage == Stage::object);
  CHECK(parsed({"--compile", "a.cu"}).stage == Stage::object);
  CHECK(parsed({"-cubin", "a.cu"}).stage == Stage::device_elf);
  CHECK(parsed({"--fatbin", "a.cu"}).stage == Stage::fatbin);
  CHECK(parsed({"--output-file=x", "a.cu"}).output == "x");
}

TEST_CASE("architectures in every spelling") {
  CHECK(parsed({"a.cu"}).arch == 120);
  CHECK(parsed({"-arch=sm_80", "a.cu"}).arch == 80);
  CHECK(parsed({"-arch", "sm_86", "a.cu"}).arch == 86);
  CHECK(parsed({"--gpu-architecture=compute_75", "a.cu"}).arch == 75);
  CHECK(parsed({"-arch=sm_90a", "a.cu"}).arch == 90);
  CHECK(parsed({"-arch=native", "a.cu"}).arch == 120);
  CHECK(parsed({"-gencode", "arch=compute_70,code=sm_70", "-gencode=arch=compute_80,code=[sm_80,compute_80]", "a.cu"})
            .arch == 80);
  CHECK(parsed({"-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_70,code=sm_70", "a.cu"}).arch ==
        80);
  CHECK_THAT(refusal({"-arch=gfx90", "a.cu"}), Catch::Contains("gfx90"));
  CHECK_THAT(refusal({"-arch=sm_999", "a.cu"}), Catch::Contains("sm_999"));
  CHECK_THAT(refusal({"-gencode", "code=sm_80", "a.cu"}), Catch::Contains("code=sm_80"));
}

TEST_CASE("preprocessor, glued and apart") {
  const auto options = parsed({"-Iinc", "-I", "more", "-DX=1", "-D", "Y", "-UZ", "-isystem", "sys", "a.cu"});
  CHECK(options.preprocessor == Words{"-I", "inc", "-I", "more", "-DX=1", "-DY", "-UZ", "-isystem", "sys"});
}

TEST_CASE("levels and debugging") {
  CHECK(parsed({"-O3", "a.cu"}).host_opt == 3);
  CHECK(parsed({"-O", "2", "a.cu"}).host_opt == 2);
  CHECK(parsed({"a.cu"}).host_opt == 0);
  CHECK(parsed({"a.cu"}).device_opt == 3);
  CHECK(parsed({"-G", "a.cu"}).device_opt == 0);
  CHECK(parsed({"-G", "a.cu"}).device_debug == DebugInfo::full);
  CHECK(parsed({"-g", "a.cu"}).device_debug == DebugInfo::lines);
  CHECK(parsed({"-G", "-g", "a.cu"}).device_debug == DebugInfo::full);
  CHECK(parsed({"-lineinfo", "a.cu"}).device_debug == DebugInfo::lines);
  CHECK(parsed({"-G", "-lineinfo", "a.cu"}).device_debug == DebugInfo::full);
  CHECK(parsed({"-g", "a.cu"}).host_debug == DebugInfo::full);
  CHECK(parsed({"-std=c++20", "a.cu"}).language_standard == "c++20");
  CHECK(parsed({"--std", "c++17", "a.cu"}).language_standard == "c++17");
  CHECK_THAT(refusal({"-O7", "a.cu"}), Catch::Contains("-O7"));
}

TEST_CASE("flags for other tools") {
  const auto options =
      parsed({"-Xcompiler", "-fPIC,-Wall", "-Xcompiler=-O2", "-Xlinker", "-z,now", "-lm", "-L/x", "a.cu"});
  CHECK(options.host_flags == Words{"-fPIC", "-Wall", "-O2"});
  CHECK(options.link_flags == Words{"-Wl,-z", "-Wl,now", "-lm", "-L/x"});
}

TEST_CASE("what makes no difference here is taken") {
  parsed({"-m64", "-Xptxas", "-v", "-maxrregcount=32", "--expt-relaxed-constexpr", "--extended-lambda", "-ccbin", "g++",
          "-cudart", "shared", "-rdc=false", "-ftz=true", "-t", "4", "a.cu"});
}

TEST_CASE("fast math") {
  const auto options = parsed({"-use_fast_math", "a.cu"});
  CHECK(options.fast_math);
  CHECK_FALSE(options.prec_div);
  CHECK(parsed({"-fmad=false", "a.cu"}).fmad == false);
  CHECK_THAT(refusal({"-fmad=maybe", "a.cu"}), Catch::Contains("maybe"));
}

TEST_CASE("mistakes name what is wrong") {
  CHECK_THAT(refusal({"-frobnicate", "a.cu"}), Catch::Contains("unknown option '-frobnicate'"));
  CHECK_THAT(refusal({"--frobnicate=3", "a.cu"}), Catch::Contains("--frobnicate=3"));
  CHECK_THAT(refusal({"a.cu", "-o"}), Catch::Contains("'-o' needs an argument"));
  CHECK_THAT(refusal({}), Catch::Contains("no input files"));
  CHECK_THAT(refusal({"-c", "-o", "x.o", "a.cu", "b.cu"}), Catch::Contains("-o with -c"));
  CHECK_THAT(refusal({"-rdc=true", "a.cu"}), Catch::Contains("rdc"));
  CHECK_THAT(refusal({"-dc", "a.cu"}), Catch::Contains("-dc"));
  CHECK_THAT(refusal({"-x", "fortran", "a.cu"}), Catch::Contains("fortran"));
}

}  // namespace
}  // namespace castor::compiler::test
