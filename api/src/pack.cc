#include "api/src/access.h"
#include "api/src/guarded_watch.h"
#include "api/src/option_words.h"
#include "libvolpt/job/pack/pack_job.h"
#include "libvolpt/sys/files/file_descriptor.h"
#include "volpt/program.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace volpt::v0 {
namespace {

std::string describe_choice(PackChoice const& choice)
{
    std::string text = "--auto: " + choice.reason;
    for (PackOption const& option : choice.options)
        text +=
            (text.ends_with(choice.reason) ? ": --" : ", --") + option.name + (option.value ? " " + *option.value : "");
    return text;
}

/// Packs `source`, or what options make if it is empty.
Volume pack_source(std::string const& source, std::filesystem::path const& output, Options const& options,
                   std::optional<OpenInput> open_input, GuardedWatch& watch)
{
    refuse_forked_process();
    PackRequest request;
    for (Option& option : check_options(Task::pack, "pack", options))
        request.options.push_back(
            {std::move(option.name), option.value.empty() ? std::nullopt : std::optional(std::move(option.value))});
    request.program = find_program("volprep");
    if (!source.empty()) request.inputs = {source};
    request.output = std::filesystem::absolute(output);
    request.open_input = std::move(open_input);
    NoticeSink const notice = watch.notice_sink();
    request.take_choice = [&](PackChoice const& choice) { notice(describe_choice(choice)); };
    volpt::pack(request, {.notice = notice, .progress = watch.progress_sink()});
    return Volume::open(output);
}

void write_all(int number, void const* bytes, std::size_t size_bytes)
{
    auto const* next = static_cast<char const*>(bytes);
    while (size_bytes > 0) {
        ssize_t const written = ::write(number, next, size_bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail_system(std::string("the array cannot be copied: ") + std::strerror(errno), "memory");
        next += written;
        size_bytes -= static_cast<std::size_t>(written);
    }
}

struct NumberName {
    std::string_view nrrd;
    std::size_t size_bytes;
};

/// Error (input) for f16, which volprep does not read.
NumberName describe_type(NumberType type)
{
    switch (type) {
    case NumberType::u8:
        return {"uint8", 1};
    case NumberType::i8:
        return {"int8", 1};
    case NumberType::u16:
        return {"uint16", 2};
    case NumberType::i16:
        return {"int16", 2};
    case NumberType::u32:
        return {"uint32", 4};
    case NumberType::i32:
        return {"int32", 4};
    case NumberType::u64:
        return {"uint64", 8};
    case NumberType::i64:
        return {"int64", 8};
    case NumberType::f32:
        return {"float", 4};
    case NumberType::f64:
        return {"double", 8};
    case NumberType::f16:
        break;
    }
    fail_input("the array has numbers of 16 bits with a point, or of no type", "type", {}, "convert it to float");
}

void check_array(ArrayView const& source)
{
    if (source.channels != 1 && source.channels != 3)
        fail_input(fmt::format("the array has {} channels", source.channels), "channels", {}, "give 1 or 3");
    std::size_t count = source.channels;
    for (std::size_t const extent : source.dims) {
        if (extent == 0 || extent > 65535)
            fail_input(fmt::format("the array is {} voxels long", extent), "dims", {},
                       "give 1 to 65535 along each axis");
        count *= extent;
    }
    std::size_t const size_bytes = describe_type(source.type).size_bytes;
    if (source.bytes.size() % size_bytes != 0 || source.bytes.size() / size_bytes != count)
        fail_input(fmt::format("the array has {} values, and its dims and channels make {}",
                               source.bytes.size() / size_bytes, count),
                   "values");
}

void refuse_options_of_files(Options const& options)
{
    for (Option const& option : options)
        if (option.name == "dims" || option.name == "type")
            fail_usage(option.name + " is for headerless files; an array has its own");
}

/// Without a place of its own, so that the middle of the box becomes the origin.
std::string format_nrrd_header(ArrayView const& source)
{
    bool const has_colours = source.channels > 1;
    return fmt::format("NRRD0004\ntype: {}\ndimension: {}\nsizes: {}{} {} {}\nkinds: {}domain domain domain\n"
                       "endian: little\nencoding: raw\n\n",
                       describe_type(source.type).nrrd, has_colours ? 4 : 3, has_colours ? "3 " : "", source.dims[0],
                       source.dims[1], source.dims[2], has_colours ? "RGB-color " : "");
}

} // namespace

Volume pack(std::filesystem::path const& source, std::filesystem::path const& output, Options const& options,
            Watch const& watch)
{
    return run_guarded(
        watch, [&](GuardedWatch& guarded) { return pack_source(source.string(), output, options, {}, guarded); });
}

Volume pack(ArrayView const& source, std::filesystem::path const& output, Options const& options, Watch const& watch)
{
    return run_guarded(watch, [&](GuardedWatch& guarded) {
        check_array(source);
        refuse_options_of_files(options);
        FileDescriptor const memory(::memfd_create("array", MFD_CLOEXEC));
        if (memory.number() < 0)
            fail_system(std::string("the array cannot be copied: ") + std::strerror(errno), "memory");
        std::string const header = format_nrrd_header(source);
        write_all(memory.number(), header.data(), header.size());
        write_all(memory.number(), source.bytes.data(), source.bytes.size());
        std::string const path = "/proc/self/fd/" + std::to_string(memory.number());
        return pack_source(path, output, options, OpenInput{memory.number(), path, "the array"}, guarded);
    });
}

} // namespace volpt::v0
