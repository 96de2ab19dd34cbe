// The GPU code is a shared library of its own beside the programs: all that render share one copy, and what has none
// renders on the CPU.
#include "kernels/gpu_backend.h"
#include "kernels/gpu_interface.h"
#include "kernels/gpu_library.h"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <system_error>

namespace volpt {
namespace {

constexpr char kFileName[] = "libvolpt_cuda.so";
/// From the folder of a program, of libvolpt.so, and of a Python package to that of the library.
constexpr char const* kFolders[] = {VOLPT_LIBRARIES_FROM_PROGRAMS, "../lib", ".", "lib"};
/// Its address lies in the program or library that asks.
constexpr char kOwnAddress = 0;

struct GpuCode {
    Backend const* backend = nullptr;
    std::string why; ///< there is no backend
};

GpuCode open_library(std::filesystem::path const& file)
{
    // Never closed: the CUDA runtime in it does not support that.
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return {nullptr, fmt::format("the GPU code cannot be loaded: {}", ::dlerror())};
    auto const open = reinterpret_cast<OpenGpuLibrary*>(::dlsym(library, kOpenGpuLibrary));
    Backend const* const backend = open == nullptr ? nullptr : open(kGpuInterface);
    if (backend != nullptr) return {backend, {}};
    return {nullptr, fmt::format("{} is of another build of volpt than the program", file.string())};
}

GpuCode load_gpu_code()
{
    Dl_info own{};
    if (::dladdr(&kOwnAddress, &own) == 0 || own.dli_fname == nullptr) return {nullptr, "its own folder is not known"};
    std::error_code error;
    std::filesystem::path program = std::filesystem::canonical(own.dli_fname, error);
    // The main program's name is what it was started by, which need not be a path.
    if (error || !program.has_parent_path()) program = std::filesystem::canonical("/proc/self/exe", error);
    for (char const* const folder : kFolders) {
        auto const file = program.parent_path() / folder / kFileName;
        if (std::filesystem::exists(file, error)) return open_library(file.lexically_normal());
    }
#ifdef VOLPT_HAVE_CUDA
    return {nullptr, fmt::format("{}, the GPU code, is not beside {}", kFileName, program.parent_path().string())};
#else
    return {nullptr, "this volpt was built without GPU code (VOLPT_CUDA)"};
#endif
}

GpuCode const& find_gpu_code()
{
    static GpuCode const code = load_gpu_code();
    return code;
}

} // namespace

Backend const* gpu_backend()
{
    return find_gpu_code().backend;
}

std::vector<DeviceInfo> list_gpus(std::string* why)
{
    GpuCode const& code = find_gpu_code();
    if (code.backend != nullptr) return code.backend->list_devices(why);
    if (why != nullptr) *why = code.why;
    return {};
}

} // namespace volpt
