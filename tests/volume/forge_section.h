// A .vpk with a section changed and all checksums made anew.
#pragma once

#include "libvolpt/volume/volume.h"

#include <vector>

namespace volpt::test {

/// Copies the sections of `good`, of any version, to `forged`, of `kind`; `change` takes the bytes of `section`, which
/// is left out if it empties them.
template <typename Change>
void forge_section(std::filesystem::path const& good, std::filesystem::path const& forged, std::string_view section,
                   Change&& change, FileKind const& kind)
{
    auto const file = SectionedFile::open(good, kAlbedoFilterVolumeFile, VerifyLevel::full);
    SectionedWriter writer(forged, kind);
    for (SectionInfo const& info : file.sections()) {
        auto const span = file.section(info.name);
        std::vector<std::byte> bytes(span.begin(), span.end());
        if (info.name == section) change(bytes);
        if (info.name != section || !bytes.empty()) writer.write_section(info.name, bytes);
    }
    writer.commit();
}

} // namespace volpt::test
