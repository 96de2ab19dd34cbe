// Makes OpenVDB files for tests from a packed volume.
#pragma once

#include "formats/writer.h"
#include "libvolpt/print/make_volume.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/support/temp_folder.h"

namespace volpt {

/// A smooth random density of these dims, half a mm a voxel, as the bytes of a .vdb.
inline std::string make_vdb(std::array<int, 3> dims)
{
    test::TempFolder const folder;
    MakeOptions make;
    make.shape = MadeShape::noise;
    make.dims = dims;
    make.pitch_mm = {0.5f, 0.5f, 0.5f};
    auto const stream = make_volume(std::move(make));
    pack_volume(*stream, folder / "made.vpk", {}, {});
    export_volume(PackedVolume::open(folder / "made.vpk"), folder / "made.vdb", {});
    return test::read_text(folder / "made.vdb");
}

} // namespace volpt
