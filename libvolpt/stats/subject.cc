// Reads either side of a comparison.
#include "libvolpt/stats/subject.h"

#include "libvolpt/film/film_bytes.h"
#include "libvolpt/image/codecs.h"
#include "libvolpt/sys/mapped_file.h"

#include <cstring>

namespace volpt {
namespace {

/// A film cut so short that its magic is gone is still named as a film by its extension.
bool is_film(std::filesystem::path const& path)
{
    MappedFile const file(path);
    bool const has_magic = file.bytes().size() >= kFilmFile.magic.size() &&
                           std::memcmp(file.bytes().data(), kFilmFile.magic.data(), kFilmFile.magic.size()) == 0;
    return has_magic || path.extension() == ".vpf";
}

} // namespace

Subject make_subject(std::string name, Film film)
{
    Image image = film_to_image(film);
    return {.name = std::move(name), .film = std::move(film), .image = std::move(image)};
}

Subject read_subject(std::filesystem::path const& path)
{
    if (is_film(path)) return make_subject(path.string(), read_film(path));
    return {.name = path.string(), .film = {}, .image = read_image(path)};
}

} // namespace volpt
