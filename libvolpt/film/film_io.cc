#include "libvolpt/film/film_io.h"

#include "libvolpt/film/passes/pass_totals.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>

namespace volpt {
namespace {

FilmSections find_sections(SectionedFile const& file)
{
    return {
        .scene = file.section("scene"),
        .film = file.section("film"),
        .tiles = file.section("tiles"),
        .sums = file.section("sums"),
        .squares = file.section("squares"),
        .coverage = file.has("coverage") ? std::optional(file.section("coverage")) : std::nullopt,
        .statistics = file.section("statistics"),
        .long_steps = file.has("long_steps") ? std::optional(file.section("long_steps")) : std::nullopt,
        .pass_totals = file.has("pass_totals") ? std::optional(file.section("pass_totals")) : std::nullopt,
        .half_sums = file.has("half_sums") ? std::optional(file.section("half_sums")) : std::nullopt,
        .provenance = file.has("provenance") ? file.section("provenance") : std::span<std::byte const>{},
    };
}

bool is_plane(SectionInfo const& section)
{
    return section.name == "sums" || section.name == "squares" || section.name == "coverage" ||
           section.name == "half_sums";
}

/// The film hash covers the bytes of these sections, in this order.
std::vector<std::string_view> list_hashed_sections(Scene const& scene)
{
    std::vector<std::string_view> names{"film", "tiles", "sums", "squares"};
    if (counts_coverage(scene)) names.push_back("coverage");
    return names;
}

} // namespace

void write_film(std::filesystem::path const& path, Film const& film, KeepProvenance keep)
{
    std::size_t const values = plane_value_count(film.scene());
    if (film.sums.size() != values || film.squares.size() != values ||
        film.coverage.size() != coverage_value_count(film.scene()) ||
        film.half_sums.size() != (film.keeps_half ? values : 0) ||
        film.tile_ranges.size() != std::size_t{film.tiles_x()} * film.tiles_y())
        fail_usage("the film's planes or tiles do not have the size of its scene");
    if (!std::ranges::all_of(film.long_steps.bank_sums,
                             [&](auto const& bank) { return bank.second.size() == film.bands(); }))
        fail_usage("the film's sums by bank or pass do not have the bands of its scene");

    FilmRecord const record = make_film_record(film);
    SectionedWriter writer(path, film.rounds_squares() ? kOldFilmFile : kFilmFile);
    writer.write_section("scene", serialize_scene(film.scene()));
    writer.write_section("film", std::as_bytes(std::span(&record, 1)));
    writer.write_section("tiles", encode_tile_ranges(film));
    writer.write_section("sums", std::as_bytes(std::span(film.sums)));
    writer.write_section("squares", EncodedSquares(film).bytes());
    if (film.counts_coverage()) writer.write_section("coverage", std::as_bytes(std::span(film.coverage)));
    writer.write_section("statistics", std::as_bytes(std::span(&film.statistics, 1)));
    if (film.scene().long_steps != LongSteps::plain) writer.write_section("long_steps", encode_long_steps(film));
    if (!list_pass_totals(film).empty()) writer.write_section("pass_totals", encode_pass_totals(film));
    if (film.keeps_half) writer.write_section("half_sums", std::as_bytes(std::span(film.half_sums)));
    if (keep == KeepProvenance::yes) {
        std::string const json = to_json(film.provenance);
        writer.write_section("provenance", std::as_bytes(std::span(json)));
    }
    writer.commit();
}

Film read_film(std::filesystem::path const& path, VerifyLevel level)
{
    SectionedFile const file = SectionedFile::open(path, kFilmFile, level);
    Film film = decode_film(find_sections(file), path.string(), level);
    file.check_unchanged();
    return film;
}

FilmFile FilmFile::open(std::filesystem::path const& path)
{
    SectionedFile file = SectionedFile::open(path, kFilmFile, VerifyLevel::quick);
    for (SectionInfo const& section : file.sections())
        if (!is_plane(section)) file.verify(section.name);
    Film head = decode_head(find_sections(file), path.string());
    file.check_unchanged();
    return FilmFile(std::move(file), std::move(head));
}

Hash128 FilmFile::content() const
{
    std::vector<Hash128> parts;
    for (std::string_view const name : list_hashed_sections(head_.scene())) parts.push_back(file_.checksum(name));
    return hash_bytes(std::as_bytes(std::span(parts)));
}

std::span<std::uint64_t const> FilmFile::sums() const
{
    return view_words(file_.section("sums"));
}
SquaresView FilmFile::squares() const
{
    return {head_, file_.section("squares")};
}

std::span<std::uint64_t const> FilmFile::coverage() const
{
    if (!head_.counts_coverage()) return {};
    return view_words(file_.section("coverage"));
}

std::span<std::uint64_t const> FilmFile::half_sums() const
{
    if (!head_.keeps_half) return {};
    return view_words(file_.section("half_sums"));
}

Hash128 FilmFile::verify() const
{
    StreamHasher hasher;
    for (std::string_view const name : list_hashed_sections(head_.scene())) file_.verify(name, &hasher);
    if (head_.scene().long_steps != LongSteps::plain) check_bank_sums(head_, sums(), file_.path().string());
    check_pass_totals(head_, sums(), file_.path().string());
    if (head_.keeps_half) file_.verify("half_sums");
    check_half_sums(head_, sums(), half_sums(), file_.path().string());
    return hasher.digest();
}

} // namespace volpt
