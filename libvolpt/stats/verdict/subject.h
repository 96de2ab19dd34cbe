// What a comparison has on either side: a film or an image, told apart by content.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/film/film.h"
#include "libvolpt/image/image.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace volpt {

struct Subject {
    std::string name;
    std::optional<Film> film;
    Image image; ///< of a film, film_to_image
    /// NoisyImage's: half a unit of the film's squares. Of an image that counts samples, what a film of a peak no
    /// larger than its largest value would have.
    double sample_variance_floor = 0;
    /// NoisyImage's: list_shared_variances of a film, the attribute shared_variance of an image made from one.
    std::map<std::string, double> shared_variance = {};
    std::vector<std::string> notices = {}; ///< what had to be assumed of the file
    bool has_own_colours = true;           ///< no other channels were chosen for R, G, B or Y
};

/// `illuminant` is that of the colours of a film with wavelengths. Error (input) if it is neither or damaged.
Subject read_subject(std::filesystem::path const& path, Illuminant illuminant = Illuminant::d65);
/// States what the image's values are, if `transfer` is given, and keeps only the named channels, with their standard
/// errors and the sample count, if any are named; a prefix "layer." that all names share is dropped. Error (input) for
/// names that are not there.
void prepare_subject(Subject& subject, std::optional<Transfer> transfer, std::vector<std::string> const& channels);
Subject make_subject(std::string name, Film film, Illuminant illuminant = Illuminant::d65);
/// The image alone, averaged over areas (resample_area.h), with a notice; as it is if it has that size. Error (usage)
/// for a film, whose noise would be lost.
void resample_subject(Subject& subject, int width, int height);
/// Expected CIEDE2000 of each pixel's noise: a film's (measure_de2000_noise), or the layer noise.de2000 of an image;
/// empty if there is neither.
std::vector<float> find_de2000_noise(Subject const& subject, Illuminant illuminant);

} // namespace volpt
