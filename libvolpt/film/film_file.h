// A film file whose sums stay in the file: everything else is decoded, the planes are views into its mapping.
#pragma once

#include "libvolpt/film/film.h"

#include <span>

namespace volpt {

class FilmFile {
public:
    /// Maps the file and checks and decodes everything but the planes. Error (input) on damage found by then.
    static FilmFile open(std::filesystem::path const& path);

    /// Its planes `sums` and `squares` are empty.
    Film const& head() const { return head_; }
    /// Equal for films of equal film hash. From the checksums that the header states, so that no plane is read.
    Hash128 content() const;

    /// Planes as Film has them; only as true as the file until `verify` has read them.
    std::span<std::uint64_t const> sums() const;
    std::span<std::uint64_t const> squares() const;
    /// Reads the planes once. The film hash; Error (input) unless they match their checksums and, with long steps, the
    /// sums of the banks. That each sum is one that its samples can give is left to check_plane.
    Hash128 verify() const;

private:
    FilmFile(SectionedFile file, Film head) : file_(std::move(file)), head_(std::move(head)) {}

    SectionedFile file_;
    Film head_;
};

} // namespace volpt
