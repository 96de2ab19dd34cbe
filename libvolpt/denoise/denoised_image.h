// Pictures of a film without most of its noise, for the eye.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/denoise/denoise_film.h"
#include "libvolpt/image/image.h"
#include "libvolpt/sys/text/enum_words.h"

namespace volpt {

enum class Denoise { off, on };
template <>
inline constexpr auto kWords<Denoise> = list_words<Denoise>({{Denoise::on, "on"}, {Denoise::off, "off"}});

/// The linear beauty of film_to_beauty of a film of this scene, without A.
Image denoised_to_beauty(Scene const& scene, DenoisedFilm const& denoised, Illuminant illuminant = Illuminant::d65);

/// The linear beauty of film_to_beauty, then denoised_error.*, the expected root mean square error that is left in each
/// band; A and coverage as in film_to_image, and sample_count. There is no standard error: what is left is no noise of
/// samples.
Image denoised_to_image(Film const& film, DenoisedFilm const& denoised, Illuminant illuminant = Illuminant::d65);

} // namespace volpt
