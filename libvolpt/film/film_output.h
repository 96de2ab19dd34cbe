// Writes a film under the names a user gave: .vpf keeps everything, images are made from it, each by its extension.
#pragma once

#include "libvolpt/film/film.h"

#include <filesystem>
#include <span>

namespace volpt {

struct FilmOutputOptions {
    float exposure = 1;                      ///< factor on the linear values before the sRGB transfer; PNG alone
    Illuminant illuminant = Illuminant::d65; ///< of the colours of film_to_image
    KeepProvenance keep_provenance = KeepProvenance::yes;
};

/// Error (usage) if an output has an extension that nothing writes, is named twice, or (images other than .exr) cannot
/// hold this number of bands, which have no wavelengths either; Error (system) if it cannot be created where it is to
/// lie. Call it before the work whose result is to be written.
void check_film_outputs(std::span<std::filesystem::path const> outputs, std::uint32_t bands,
                        std::span<float const> wavelengths_nm = {});

/// Films first, images after them, each under a temporary name and renamed. EXR: every layer of film_to_image. PNG: the
/// beauty in 8 bits, sRGB. Others: the linear beauty. Formats that hold text carry list_film_attributes,
/// and illuminant and observer of films that show a material's colour.
void write_film_outputs(Film const& film, std::span<std::filesystem::path const> outputs,
                        FilmOutputOptions const& options = {});

} // namespace volpt
