#include "tools/options/own_file.h"

#include "libvolpt/film/film_io.h"
#include "libvolpt/volume/volume.h"

#include <fstream>
#include <type_traits>

namespace volpt {

bool is_own_file(std::filesystem::path const& path)
{
    std::error_code unknown;
    std::string const extension = path.extension().string();
    if (extension == ".vpk" || extension == ".vpf") return true;
    if (!std::filesystem::is_regular_file(path, unknown)) return false;
    std::remove_const_t<decltype(kVolumeFile.magic)> head{}; // stays so where the file ends before
    std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
    return head == kVolumeFile.magic || head == kFilmFile.magic;
}

} // namespace volpt
