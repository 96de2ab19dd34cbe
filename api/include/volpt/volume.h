// Packed volumes: what volprep makes and render takes.
#pragma once

#include "volpt/options.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// A plane in full, decoded; a label is the index of its material in "materials" of describe.
    struct Plane {
        std::array<std::size_t, 4> shape{}; ///< z, y, x, channel
        std::vector<float> values;          ///< in this order
    };

    /// A .vpk that is open. Copies are cheap and share it; it does not change. Callable from several threads.
    class VOLPT_API Volume {
    public:
        /// Checks the file in full. Error (input) if it is no .vpk, damaged, or of a newer version.
        static Volume open(std::filesystem::path const& path);

        std::filesystem::path const& path() const; ///< absolute
        std::array<int, 3> dims() const;           ///< voxels along x, y, z
        std::array<double, 3> pitch_mm() const;    ///< size of a voxel along x, y, z
        int bands() const;
        double scale() const; ///< sigma_t per mm of a density of 1
        std::vector<std::string>
        planes() const; ///< of density, one_minus_albedo, label, emission, those it has by voxel
        /// Error (usage) if the volume has no such plane.
        Plane read(std::string const& plane) const;
        /// What `volinfo --json` tells of the volume.
        std::string describe() const;

    private:
        friend struct Access;
        struct State;
        explicit Volume(std::shared_ptr<State const> state);
        std::shared_ptr<State const> state_;
    };

    /// Values of somebody else's memory, x fastest: of dims[0] * dims[1] * dims[2] voxels, and in each `channels`, 1
    /// or 3.
    struct ArrayView {
        std::span<float const> values;
        std::array<std::size_t, 3> dims{}; ///< voxels along x, y, z
        std::size_t channels = 1;          ///< 3: albedos by band
    };

    /// Packs a file or folder that volprep reads into `output`, a .vpk, and opens it; `options` are volprep's but for
    /// lists and other files to write (docs/tools/volprep.md). An empty source packs what options make:
    /// {"make", "slab"}. Runs the program volprep, which is looked for beside the library's folder, then on PATH: its
    /// readers run in sandboxed processes. Error as volprep's exit status.
    VOLPT_API Volume pack(std::filesystem::path const& source, std::filesystem::path const& output,
                          Options const& options = {}, NoticeSink const& notice = {});

    /// The same for an array of densities, measured values, labels or albedos; {"pitch", "0.1mm,0.1mm,0.1mm"} is the
    /// size of its voxels, 1 mm by default. The middle of its box is the origin.
    VOLPT_API Volume pack(ArrayView const& source, std::filesystem::path const& output, Options const& options = {},
                          NoticeSink const& notice = {});

} // namespace v0
} // namespace volpt
