// `castor cc` from the outside: what it writes, what it says, what it leaves behind.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/driver/driver.h"
#include "compiler/driver/process.h"
#include "gpu/abi/module.h"
#include "tests/support/catch.h"

namespace castor::compiler::test {
namespace {

namespace fs = std::filesystem;

/// A folder of its own as working directory and TMPDIR, gone at the end.
class Workshop {
 public:
  Workshop() : old_(fs::current_path()) {
    char name[] = "/tmp/castor-cc-test-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    folder_ = name;
    fs::create_directory(folder_ / "tmp");
    fs::current_path(folder_);
    setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
  }
  ~Workshop() {
    fs::current_path(old_);
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  bool left_nothing() const { return fs::is_empty(folder_ / "tmp"); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename() != "tmp") names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path old_, folder_;
};

struct Outcome {
  int code;
  std::string said;
};

/// Runs the command with stderr in a file.
Outcome cc(const std::vector<std::string>& arguments) {
  std::FILE* file = std::tmpfile();
  std::fflush(stderr);
  const int saved = dup(2);
  dup2(fileno(file), 2);
  const int code = cc_main(arguments);
  std::fflush(stderr);
  dup2(saved, 2);
  close(saved);
  std::string said(static_cast<std::size_t>(std::ftell(file) < 0 ? 0 : lseek(fileno(file), 0, SEEK_END)), '\0');
  const ssize_t count = pread(fileno(file), said.data(), said.size(), 0);
  said.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  std::fclose(file);
  return {code, said};
}

std::string output_of(const std::vector<std::string>& command) {
  auto outcome = run_process(command);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->exit_code == 0);
  return std::string(outcome->out.begin(), outcome->out.end());
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

constexpr const char* kKernel =
    "static __device__ int seen;\n"
    "__global__ void k(int* out) { *out = ++seen; }\n"
    "void launch(int* out) { k<<<1, 1>>>(out); }\n";

TEST_CASE("an object carries the fat binary and registers its kernels") {
  Workshop workshop;
  workshop.write("a.cu", kKernel);
  const auto outcome = cc({"-c", "a.cu"});
  CHECK(outcome.said == "");
  REQUIRE(outcome.code == 0);
  CHECK(workshop.files() == std::vector<std::string>{"a.cu", "a.o"});
  CHECK(workshop.left_nothing());
  const auto symbols = output_of({"llvm-nm-19", "a.o"});
  CHECK_THAT(symbols, Catch::Contains("U __cudaRegisterFatBinary"));
  CHECK_THAT(symbols, Catch::Contains("U __cudaRegisterFunction"));
  CHECK_THAT(symbols, Catch::Contains("U cudaLaunchKernel"));
  CHECK_THAT(output_of({"llvm-objdump-19", "-h", "a.o"}), Catch::Contains(".nv_fatbin"));
}

TEST_CASE("a fat binary has one entry, an ELF file of the architecture asked for") {
  Workshop workshop;
  workshop.write("a.cu", kKernel);
  REQUIRE(cc({"-fatbin", "-arch=sm_86", "a.cu"}).code == 0);
  const auto file = content_of("a.fatbin");
  castor_fatbin_header header;
  castor_fatbin_entry entry;
  REQUIRE(file.size() > sizeof header + sizeof entry);
  std::memcpy(&header, file.data(), sizeof header);
  std::memcpy(&entry, file.data() + sizeof header, sizeof entry);
  CHECK(header.magic == CASTOR_FATBIN_MAGIC);
  CHECK(header.size == file.size() - header.header_size);
  CHECK(entry.kind == CASTOR_FATBIN_ELF);
  CHECK(entry.arch == 86);
  CHECK(file.compare(header.header_size + entry.header_size, 4,
                     "\x7f"
                     "ELF") == 0);
  CHECK(header.header_size + entry.header_size + (entry.size + 7) / 8 * 8 == file.size());
}

TEST_CASE("both halves name a static variable alike") {
  Workshop workshop;
  workshop.write("a.cu", std::string("#include <cuda_runtime.h>\n") + kKernel +
                             "int read() { int v; cudaMemcpyFromSymbol(&v, seen, 4); return v; }\n");
  REQUIRE(cc({"-c", "a.cu"}).code == 0);
  REQUIRE(cc({"-cubin", "a.cu"}).code == 0);
  std::istringstream symbols(output_of({"llvm-nm-19", "a.cubin"}));
  std::string device_name;
  for (std::string line; std::getline(symbols, line);)
    if (line.find("seen") != std::string::npos) device_name = line.substr(line.rfind(' ') + 1);
  REQUIRE(!device_name.empty());
  CHECK(content_of("a.o").find(device_name) != std::string::npos);
}

TEST_CASE("errors stand as clang writes them, once, with exit code 1") {
  Workshop workshop;
  workshop.write("bad.cu", "__global__ void k() {\n  undeclared = 1;\n}\nint main() { return nothing; }\n");
  const auto outcome = cc({"bad.cu", "-o", "bad"});
  CHECK(outcome.code == 1);
  CHECK(occurrences(outcome.said, "bad.cu:2:3: error: use of undeclared identifier 'undeclared'") == 1);
  CHECK(occurrences(outcome.said, "bad.cu:4:21: error: use of undeclared identifier 'nothing'") == 1);
  CHECK(occurrences(outcome.said, "/proc") == 0);
  CHECK(occurrences(outcome.said, "/dev/stdin") == 0);
  CHECK(occurrences(outcome.said, "generated") == 0);
  CHECK(workshop.files() == std::vector<std::string>{"bad.cu"});
  CHECK(workshop.left_nothing());
}

TEST_CASE("an error of the host half alone is shown too") {
  Workshop workshop;
  workshop.write("bad.cu", "__global__ void k() {}\n#ifndef __CUDA_ARCH__\n#error only on the host\n#endif\n");
  const auto outcome = cc({"-c", "bad.cu"});
  CHECK(outcome.code == 1);
  CHECK(occurrences(outcome.said, "bad.cu:3:2: error: only on the host") == 1);
}

TEST_CASE("an error of the lowering names the line") {
  Workshop workshop;
  workshop.write("ptx.cu", "__global__ void k() {\n  asm(\"bar.sync 0;\");\n}\n");
  const auto outcome = cc({"-c", "ptx.cu"});
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.said, Catch::StartsWith("ptx.cu:2:3: error: inline PTX assembly"));
  CHECK(workshop.files() == std::vector<std::string>{"ptx.cu"});
}

TEST_CASE("warnings come once and do not fail") {
  Workshop workshop;
  workshop.write("w.cu", "__global__ void k(int* p) { int unused = 3; }\n");
  const auto outcome = cc({"-c", "-Wall", "-Xcompiler", "-Wextra", "w.cu"});
  CHECK(outcome.code == 0);
  CHECK(occurrences(outcome.said, "unused variable") == 1);
  CHECK(cc({"-c", "-w", "-Wall", "w.cu"}).said == "");
  CHECK(cc({"-c", "-Wall", "-Werror", "all-warnings", "w.cu"}).code == 1);
}

TEST_CASE("mistakes of the command line") {
  Workshop workshop;
  auto outcome = cc({"missing.cu"});
  CHECK(outcome.code == 1);
  CHECK(outcome.said == "castor cc: error: no such file: 'missing.cu'\n");
  outcome = cc({"-frob", "missing.cu"});
  CHECK(outcome.code == 1);
  CHECK(outcome.said == "castor cc: error: unknown option '-frob'\n");
  workshop.write("a.o", "");
  CHECK_THAT(cc({"-c", "a.o"}).said, Catch::Contains("'a.o' is no source file"));
  workshop.write("a.cu", kKernel);
  CHECK_THAT(cc({"-c", "a.cu", "-o", "no/such/folder/a.o"}).said, Catch::Contains("cannot write no/such/folder/a.o"));
  outcome = cc({"-cubin", "a.cu", "-o", "/dev/full"});
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.said, Catch::Contains("cannot write /dev/full"));
}

TEST_CASE("macros and include folders reach both halves") {
  Workshop workshop;
  fs::create_directory("inc");
  workshop.write("inc/value.h", "#define VALUE 7\n");
  workshop.write(
      "a.cu",
      "#include \"value.h\"\n__global__ void k(int* p) { *p = VALUE + EXTRA; }\nint host() { return VALUE + EXTRA; }\n");
  CHECK(cc({"-c", "-Iinc", "-DEXTRA=3", "a.cu"}).said == "");
  CHECK(fs::exists("a.o"));
}

TEST_CASE("verbose shows the commands, keep leaves the parts") {
  Workshop workshop;
  workshop.write("a.cu", kKernel);
  const auto outcome = cc({"-v", "--keep", "-c", "a.cu"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.said, Catch::Contains("--cuda-device-only") && Catch::Contains("--cuda-host-only"));
  CHECK(workshop.files() == std::vector<std::string>{"a.cu", "a.cubin", "a.fatbin", "a.o"});
}

TEST_CASE("a make rule is written on request") {
  Workshop workshop;
  workshop.write("h.h", "");
  workshop.write("a.cu", std::string("#include \"h.h\"\n") + kKernel);
  REQUIRE(cc({"-c", "-MD", "-MF", "a.d", "-MT", "a.o", "a.cu", "-o", "a.o"}).code == 0);
  CHECK_THAT(content_of("a.d"), Catch::StartsWith("a.o:") && Catch::Contains("h.h"));
}

/// Of the kernel k in a.cubin, a little behind its first instruction.
std::string kernel_address() {
  std::istringstream symbols(output_of({"llvm-nm-19", "a.cubin"}));
  for (std::string line; std::getline(symbols, line);)
    if (line.ends_with(" _Z1kPi")) return "0x" + line.substr(0, 16);
  FAIL("no kernel in a.cubin");
  return {};
}

TEST_CASE("line information only on request") {
  Workshop workshop;
  workshop.write("a.cu", kKernel);
  REQUIRE(cc({"-cubin", "a.cu"}).code == 0);
  CHECK_THAT(output_of({"llvm-objdump-19", "-h", "a.cubin"}), !Catch::Contains(".debug_line"));
  REQUIRE(cc({"-cubin", "-lineinfo", "a.cu"}).code == 0);
  CHECK_THAT(output_of({"llvm-objdump-19", "-h", "a.cubin"}), Catch::Contains(".debug_line"));
  const auto lines = output_of({"llvm-symbolizer-19", "--obj=a.cubin", kernel_address()});
  CHECK_THAT(lines, Catch::Contains("a.cu:2"));
}

TEST_CASE("debug information of a -G build names variables and where they are") {
  Workshop workshop;
  workshop.write("a.cu",
                 "__constant__ float coef[4];\n__global__ void k(float* out) {\n  __shared__ float one[4], two[4];\n"
                 "  one[0] = coef[0];\n  two[0] = one[0];\n  *out = two[0];\n}\n");
  REQUIRE(cc({"-cubin", "-G", "a.cu"}).code == 0);
  const auto info = output_of({"llvm-dwarfdump-19", "--debug-info", "a.cubin"});
  CHECK_THAT(info, Catch::Contains("(\"coef\")") && Catch::Contains("(\"two\")"));
  CHECK_THAT(info, Catch::Contains("DW_OP_GNU_push_tls_address, DW_OP_plus_uconst 0x10"));
  CHECK_THAT(info, !Catch::Contains("xderef"));
}

}  // namespace
}  // namespace castor::compiler::test
