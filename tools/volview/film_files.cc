#include "tools/volview/film_files.h"

#include "libvolpt/sys/error.h"
#include "tools/render_setup/private_folder.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr int kMostFiles = 999999;

/// A new empty file of the first free number.
std::filesystem::path reserve_name(std::filesystem::path const& folder, std::string const& stem,
                                   std::string const& extension)
{
    for (int number = 1; number <= kMostFiles; ++number) {
        std::filesystem::path const path = folder / fmt::format("{}-{:04}{}", stem, number, extension);
        int const descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            close(descriptor);
            return path;
        }
        if (errno != EEXIST)
            fail_system(fmt::format("cannot be created: {}", std::strerror(errno)), path.string(),
                        "make the folder of --out writable");
    }
    fail_system("all numbers are taken", folder.string(), "give another folder with --out");
}

} // namespace

std::shared_ptr<MappedFile const> make_film_file(Film const& film, std::string const& extension,
                                                 FilmOutputOptions const& how)
{
    PrivateFolder const folder;
    std::array const outputs{folder.path() / ("film" + extension)};
    write_film_outputs(film, outputs, how);
    return std::make_shared<MappedFile const>(outputs[0]);
}

std::string save_film(Film const& film, std::filesystem::path const& folder, std::string const& stem,
                      std::string const& extension, FilmOutputOptions const& how)
{
    std::array const outputs{reserve_name(folder, stem, extension)};
    try {
        write_film_outputs(film, outputs, how);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove(outputs[0], ignored);
        throw;
    }
    return outputs[0].filename().string();
}

} // namespace volpt
