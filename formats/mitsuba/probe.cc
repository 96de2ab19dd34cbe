// Tells Mitsuba scenes from other files, in every build.
#include "formats/mitsuba/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <span>

namespace volpt {

bool is_mitsuba_scene(std::filesystem::path const& path)
{
    if (path.extension() == ".xml") return true;
    FileBytes const file(path);
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(512, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    if (head.starts_with("\xef\xbb\xbf")) head.erase(0, 3);
    head.erase(0, std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    return head.starts_with("<?xml") || head.starts_with("<scene");
}

#if !VOLPT_WITH_PUGIXML
std::unique_ptr<VoxelStream> open_mitsuba_scene(std::filesystem::path const& path, MitsubaOptions const&)
{
    fail_input("this build cannot read Mitsuba scenes", path.string(), "it was configured with VOLPT_WITH_PUGIXML=OFF",
               "build volpt with pugixml");
}
#endif

} // namespace volpt
