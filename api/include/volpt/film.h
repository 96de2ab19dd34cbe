// Films: exact sums of samples, their means and standard errors.
#pragma once

#include "volpt/export.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// How pictures are written; films and .exr are always whole.
    struct SaveOptions {
        double exposure = 1; ///< .png, .jpg: factor on the linear values before the sRGB transfer
        /// .png, .jpg: part of its radiance at which the light behind the volume shows, 0 to 1; by default 0.2 if it is
        /// the same in all directions, else 1. Error (usage) if it is given for a film that was read from a file.
        std::optional<double> backdrop{};
        std::string illuminant = "D65"; ///< of colours of films with wavelengths
        bool keeps_provenance = true;   ///< false: no time, host and command line
        /// .png, .jpg: each has the exposure at which 99 % of its pixels are shown below 0.9 of white, told by its text
        /// attribute exposure, in place of `exposure`.
        bool finds_exposure = false;
        /// .png, .exr: "on" takes most of the noise out, for the eye; "off". Films keep their samples.
        std::string denoise = "off";
        /// .exr: planes without noise beside the colours (docs/tools/volrender.md#planes-for-compositing), of "depth",
        /// "normal", "albedo", "label", or "all" for those that there are.
        std::vector<std::string> aov{};
        std::string tone = "srgb"; ///< .png, .jpg: "srgb", or "filmic", a curve that leaves 0.18 as it is
    };

    /// Values by pixel, [y][x].
    struct Layer {
        std::string name;
        std::vector<float> values;
    };

    /// Copies are cheap and share the film; it does not change. Callable from several threads.
    class VOLPT_API Film {
    public:
        /// Error (input) if the file is no .vpf, damaged, or of a newer version.
        static Film read(std::filesystem::path const& path);

        int width() const;
        int height() const;
        std::vector<std::string> band_names() const; ///< R, G, B; Y; or bands.450nm, ..
        std::uint64_t seed() const;
        std::string scene_hash() const;
        std::string
        film_hash() const; ///< of scene, seed, samples and sums: equal on CPU and GPU, and to that of volrender

        std::vector<float> mean() const;            ///< linear, [y][x][band], top row first; 0 without samples
        std::vector<float> standard_error() const;  ///< of the mean, [y][x][band]; infinite below two samples
        std::vector<std::uint64_t> samples() const; ///< per pixel, [y][x]
        /// CIE L*a*b* of the mean, [y][x][3]. Error (usage) without colour.
        std::vector<float> lab(std::string const& illuminant = "D65") const;
        /// Every layer that an .exr of the film has.
        std::vector<Layer> layers(std::string const& illuminant = "D65") const;
        /// What `volinfo --json` tells of the film.
        std::string describe() const;

        /// Writes .vpf, .exr, .png, .jpg, .hdr or .pfm, each whole or not at all. Error (usage) for denoise and aov of
        /// a film that was read from a file, which does not have its volume, for aov without an .exr, and for denoise
        /// with a .jpg, .hdr or .pfm, which could not say so.
        void save(std::filesystem::path const& output, SaveOptions const& options = {}) const;
        /// The same for several files; nothing is written if one of the names cannot be. Error (usage) without any.
        void save(std::span<std::filesystem::path const> outputs, SaveOptions const& options = {}) const;
        /// The bytes of a .png of the film, without texts. Error (usage) if its bands define no picture.
        std::vector<std::byte> encode_png() const;

    private:
        friend struct Access;
        struct State;
        explicit Film(std::shared_ptr<State const> state);
        std::shared_ptr<State const> state_;
    };

    /// One film of the samples of all. Error (usage) without films, (input) unless scene and seed are the same and no
    /// sample is in two.
    VOLPT_API Film merge(std::span<Film const> films);

} // namespace v0
} // namespace volpt
