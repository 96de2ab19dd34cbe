// Tells TIFF files by their first bytes; says so in a build without libtiff.
#include "formats/tiff/reader.h"
#include "libvolpt/sys/error.h"

namespace volpt {

bool is_tiff(std::string_view head)
{
    using namespace std::string_view_literals;
    return head.starts_with("II*\0"sv) || head.starts_with("MM\0*"sv) || head.starts_with("II+\0"sv) ||
           head.starts_with("MM\0+"sv);
}

#if !VOLPT_WITH_libtiff
std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const&,
                                                  std::vector<std::string>, std::optional<SandboxLimits>)
{
    fail_input("this build cannot read TIFF slices", where, "it was made without libtiff",
               "build volpt with -DVOLPT_WITH_LIBTIFF=ON");
}
#endif

} // namespace volpt
