// Film files (.vpf, docs/formats/vpf.md): writing, reading whole, and reading without copying the planes.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/film/film_bytes.h"
#include "libvolpt/sys/container/sectioned_file.h"

#include <filesystem>
#include <span>

namespace volpt {

/// Part of the .vpf format.
inline constexpr FileKind kFilmFile{{'V', 'O', 'L', 'P', 'T', 'V', 'P', 'F'}, file_version(2, 0), "film (.vpf)", 1};
/// What films of estimator 1 are in.
inline constexpr FileKind kOldFilmFile{kFilmFile.magic, file_version(1, 0), kFilmFile.name};

enum class KeepProvenance { yes, no };
/// Writes to a temporary name and renames. Without provenance, films of equal content are equal files. Error (usage) if
/// the sizes of planes or tiles are not those of the scene; Error (system) if the file cannot be written.
void write_film(std::filesystem::path const& path, Film const& film, KeepProvenance keep = KeepProvenance::yes);

/// Error (input) on a damaged file; allocates no more than the file's own length justifies.
Film read_film(std::filesystem::path const& path, VerifyLevel level = VerifyLevel::full);

/// A film file whose planes stay in the file: everything else is decoded, the planes are views of its mapping.
class FilmFile {
public:
    /// Maps the file; checks and decodes everything but the planes. Error (input) on damage in what was read.
    static FilmFile open(std::filesystem::path const& path);

    /// Its planes `sums`, `squares`, `coverage` and `half_sums` are empty.
    Film const& head() const { return head_; }
    /// Equal for films of equal film hash. Computed from the checksums in the header: no plane is read.
    Hash128 content() const;

    /// Planes as in Film; not checked before `verify`.
    std::span<std::uint64_t const> sums() const;
    SquaresView squares() const;
    std::span<std::uint64_t const> coverage() const;  ///< empty if the scene counts none
    std::span<std::uint64_t const> half_sums() const; ///< empty if the film keeps none
    /// Reads the planes and returns the film hash. Error (input) unless they match their checksums and, with long
    /// steps, the sums of the banks, and half_sums fits the sums. Does not check that samples can give each number:
    /// check_planes and check_coverage do.
    Hash128 verify() const;
    /// Error (input) if the file changed since it was opened: call it after the last use of the planes.
    void check_unchanged() const { file_.check_unchanged(); }

private:
    FilmFile(SectionedFile file, Film head) : file_(std::move(file)), head_(std::move(head)) {}

    SectionedFile file_;
    Film head_;
};

} // namespace volpt
