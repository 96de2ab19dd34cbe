// What a comparison has on either side: a film or an image, told apart by content.
#pragma once

#include "libvolpt/film/film.h"

#include <filesystem>
#include <optional>
#include <string>

namespace volpt {

struct Subject {
    std::string name;
    std::optional<Film> film;
    Image image; ///< of a film, film_to_image
};

/// Error (input) if it is neither or damaged.
Subject read_subject(std::filesystem::path const& path);
Subject make_subject(std::string name, Film film);

} // namespace volpt
