// One side of a comparison: a film or an image; the content of the file tells which.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film.h"
#include "libvolpt/image/image.h"
#include "libvolpt/stats/verdict/expectation.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace volpt {

struct Subject {
    std::string name;
    std::optional<Film> film;
    Image image; ///< of a film, film_to_image
    /// For NoisyImage: find_rounding_variance of a film, the attribute rounding_variance of an image made from a film.
    /// For another image with sample counts: that of a film with rounded squares whose peak is the image's largest
    /// value.
    double sample_variance_floor = 0;
    /// For NoisyImage: list_shared_variances of a film, the attribute shared_variance of an image made from a film.
    std::map<std::string, double> shared_variance = {};
    /// For NoisyImage: of chains for a film of mlt, or an image made from one.
    PixelNoise pixel_noise = PixelNoise::independent;
    /// For NoisyImage: list_mean_variances of a film, the attribute mean_variance of an image made from a film.
    std::map<std::string, double> mean_variance = {};
    std::vector<std::string> notices = {}; ///< assumptions about the file
    bool has_own_colours = true;           ///< false if other channels were chosen for R, G, B or Y
};

/// `illuminant` is for the colours of a film with wavelengths. Error (input) if the file is neither film nor image, or
/// damaged.
Subject read_subject(std::filesystem::path const& path, Illuminant illuminant = Illuminant::d65);
/// Sets the transfer of the image, if `transfer` is given. If channels are named, keeps only these, with their standard
/// errors and the sample count; a prefix "layer." that all names share is dropped. Error (input) for names that the
/// image does not have.
void prepare_subject(Subject& subject, std::optional<Transfer> transfer, std::vector<std::string> const& channels);
Subject make_subject(std::string name, Film film, Illuminant illuminant = Illuminant::d65);
/// Averages the image over areas (resample_area.h), with a notice, unless it has that size. Error (usage) for a film,
/// whose noise would be lost.
void resample_subject(Subject& subject, int width, int height);
/// If one side, and not the other, was measured in texture space (a film of --probe uv, or an image made from one):
/// texels that triangles do not cover wholly become NaN on both sides, which metrics leave out and noise does not
/// count, and a notice tells their share. The sizes have to be equal; else nothing is done.
void leave_out_uncovered(Subject& test, Subject& reference);
/// A text attribute of the image's file, such as list_film_attributes writes; null if it has none of this name.
std::string const* find_attribute(Image const& image, std::string_view name);
/// Expected CIEDE2000 from the noise of each pixel: measure_de2000_noise of a film, or the layer noise.de2000 of an
/// image; empty if there is neither.
std::vector<float> find_de2000_noise(Subject const& subject, Illuminant illuminant);

} // namespace volpt
