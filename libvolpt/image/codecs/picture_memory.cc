#include "libvolpt/image/codecs/picture_memory.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

constexpr std::uint64_t kNotChosen = std::numeric_limits<std::uint64_t>::max();
std::atomic<std::uint64_t> chosen_bytes{kNotChosen};

} // namespace

void choose_picture_memory(std::optional<std::uint64_t> bytes)
{
    chosen_bytes = bytes.value_or(kNotChosen);
}

std::optional<std::uint64_t> chosen_picture_memory()
{
    std::uint64_t const bytes = chosen_bytes;
    return bytes == kNotChosen ? std::nullopt : std::optional(bytes);
}

std::uint64_t PictureMemory::most_bytes(std::uint64_t file_bytes) const
{
    constexpr std::uint64_t kAlways = std::uint64_t{2} << 30, kTimesFile = 8;
    return given_bytes.value_or(std::min(std::max(kAlways, kTimesFile * file_bytes), usable_bytes / 3));
}

void check_picture_memory(PictureNeed const& need, std::uint64_t file_bytes, PictureMemory const& memory,
                          std::string const& where)
{
    std::uint64_t const most_bytes = memory.most_bytes(file_bytes);
    // In double, which cannot overflow: sizes come from a header.
    double const bytes = static_cast<double>(need.width) * static_cast<double>(need.height) *
                             static_cast<double>(need.channels) * static_cast<double>(need.value_bytes) +
                         static_cast<double>(need.further_bytes);
    if (bytes <= static_cast<double>(most_bytes)) return;
    fail_input(fmt::format("{} x {} pixels of {} channel{} take {:.3g} GiB of memory in a file of {:.3g} MB",
                           need.width, need.height, need.channels, need.channels == 1 ? "" : "s", bytes / 0x1p30,
                           static_cast<double>(file_bytes) / 1e6),
               where, fmt::format("{} are allowed for a picture", spell_gib(most_bytes)),
               "if the size is right, allow more with --picture-memory, for example --picture-memory 8GiB, or make "
               "the picture smaller; otherwise the file is damaged");
}

} // namespace volpt
