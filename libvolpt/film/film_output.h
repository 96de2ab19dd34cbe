// Writes a film to the files that the user named: whole as .vpf, or as an image of the extension's format.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/image/image.h"
#include "libvolpt/image/tone_map.h"

#include <filesystem>
#include <functional>
#include <span>

namespace volpt {

/// What .png and .jpg show in place of the film.
struct DisplayFilm {
    std::function<Film(Film const&)> make; ///< null: the film itself
    double backdrop = 1;                   ///< factor of the light where nothing is hit, told by kBackdropAttribute
};
inline constexpr char kBackdropAttribute[] = "backdrop";
/// Of pictures that are not the means of the samples; its value says by what.
inline constexpr char kDenoisedAttribute[] = "denoised";

/// That programs take.
inline constexpr double kLargestExposure = 1e12;

enum class Exposure {
    given,
    of_picture, ///< find_exposure
    of_light,   ///< choose_exposure; the job puts it into FilmOutputOptions::exposure
};
/// Of pictures of another tone than Tone::srgb: its word.
inline constexpr char kToneAttribute[] = "tone";
/// Of pictures whose exposure was found: that factor.
inline constexpr char kExposureAttribute[] = "exposure";

struct FilmOutputOptions {
    float exposure = 1;                      ///< PNG, JPEG: factor on the linear values before the sRGB transfer
    Illuminant illuminant = Illuminant::d65; ///< for the colours of film_to_image
    KeepProvenance keep_provenance = KeepProvenance::yes;
    int threads = 1; ///< at most; the files do not depend on it
    DisplayFilm display_film{};
    /// Linear image of a film for the eye, its beauty first and then layers, whose names have a point or underscore:
    /// what pictures show in place of the film's means, told by kDenoisedAttribute. Null: the means.
    std::function<Image(Film const&)> make_denoised{};
    /// Further layers of .exr and their text attributes, whose names no film has; no other channel depends on them.
    /// Null: none.
    std::function<Image(Film const&)> make_layers{};
    Tone tone = Tone::srgb;                     ///< PNG, JPEG: srgb or filmic
    Exposure exposure_choice = Exposure::given; ///< of_picture: that of each picture takes the place of `exposure`
};

/// To be called before the work whose result will be written. Error (usage) if no format has an output's extension, if
/// an output is named twice, or if an image other than .exr cannot hold bands without wavelengths in this number; Error
/// (system) if an output cannot be created.
void check_film_outputs(std::span<std::filesystem::path const> outputs, std::uint32_t bands,
                        std::span<float const> wavelengths_nm = {});

/// To be called as well if pictures will be denoised. Error (usage) for one whose format has no text to say so.
void check_denoised_outputs(std::span<std::filesystem::path const> outputs);

/// Writes films first, then images, each under a temporary name that is renamed. EXR: all layers of film_to_image and
/// make_layers, and the matrices of make_camera_matrices as worldToCamera and worldToNDC. PNG: and JPEG: the beauty in
/// 8 bits, sRGB. Others: the linear beauty. Formats with text attributes get list_film_attributes, and illuminant and
/// observer of films that show a material's colour.
void write_film_outputs(Film const& film, std::span<std::filesystem::path const> outputs,
                        FilmOutputOptions const& options = {});

} // namespace volpt
