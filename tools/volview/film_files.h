// Films as files: for a client to download, and in the folder of --out.
#pragma once

#include "libvolpt/film/film_output.h"
#include "libvolpt/sys/mapped_file.h"

#include <filesystem>
#include <memory>
#include <string>

namespace volpt {

/// The file that volrender writes of this film for an output of this extension (".vpf"). It has no name any more; it
/// goes when the mapping goes. Error as write_film_outputs's.
std::shared_ptr<MappedFile const> make_film_file(Film const& film, std::string const& extension,
                                                 FilmOutputOptions const& how);

/// Writes the film to FOLDER/STEM-0001.EXTENSION, or the first number above that is free, and returns the file's name.
/// No file is overwritten. Error as write_film_outputs's.
std::string save_film(Film const& film, std::filesystem::path const& folder, std::string const& stem,
                      std::string const& extension, FilmOutputOptions const& how);

} // namespace volpt
