// Mitsuba scenes with a medium in a box of 2 mm, and what stands around it.
#pragma once

#include "formats/mitsuba/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt::test {

/// The box is the cube of 2 mm about the origin of the world, so that its corner is at -1, -1, -1.
class MitsubaSurroundingsTest : public testing::Test {
protected:
    std::unique_ptr<VoxelStream> open(std::string const& body, std::string const& version = "3.0.0")
    {
        return open_in_box("", body, version);
    }
    /// `steps` are those of the transform of the box.
    std::unique_ptr<VoxelStream> open_in_box(std::string const& steps, std::string const& body,
                                             std::string const& version = "3.0.0")
    {
        std::string const medium =
            "<medium id='m' type='homogeneous'><float name='sigma_t' value='2'/><float name='albedo' value='.5'/>"
            "</medium><shape type='cube'><ref name='interior' id='m'/><bsdf type='null'/><transform name='to_world'>" +
            steps + "</transform></shape><emitter type='constant'/>";
        return open_mitsuba_scene(
            folder_.write("scene.xml", fmt::format("<scene version='{}'>{}{}</scene>", version, medium, body)), {});
    }
    void expect_refused(std::string const& body, std::initializer_list<std::string_view> parts)
    {
        expect_error(ExitStatus::input, parts, [&] { open(body); });
    }
    static std::string notices(VoxelStream const& stream)
    {
        return fmt::format("{}", fmt::join(stream.list_notices(), "\n"));
    }
    /// The bsdf of a rectangle beside the box.
    BsdfView read_bsdf(std::string const& bsdf, std::string const& version = "3.0.0")
    {
        stream_ = open("<shape type='rectangle'>" + bsdf +
                           "<transform name='to_world'><translate z='-3'/></transform></shape>",
                       version);
        auto const& bsdfs = stream_->surroundings().bsdfs;
        return bsdfs.empty() ? BsdfView{} : bsdfs[0];
    }
    void expect_left_out(std::string const& bsdf, std::string_view word)
    {
        read_bsdf(bsdf);
        EXPECT_TRUE(stream_->surroundings().is_empty());
        expect_contains(notices(*stream_), {"the shape rectangle is left out", word});
    }

    TempFolder folder_;
    std::unique_ptr<VoxelStream> stream_; ///< of read_bsdf
};

} // namespace volpt::test
