#include "libvolpt/job/picture_request.h"

#include "libvolpt/job/render_job.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/memory/usable_memory.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace volpt {
namespace {

bool takes_planes(std::filesystem::path const& output)
{
    std::string extension = output.extension().string();
    for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return extension == ".exr";
}

std::uint64_t count_film_bytes(Film const& film)
{
    auto const count = [](auto const& values) { return std::uint64_t{sizeof(values[0])} * values.size(); };
    return count(film.sums) + count(film.squares) + count(film.half_sums) + count(film.coverage);
}

/// Before they are taken: a system that promises more than it has ends the process later, without a word.
void check_memory(std::span<Aov const> aovs, Film const& film)
{
    std::uint64_t const bytes = count_aov_bytes(aovs, film.scene()), of_film = count_film_bytes(film);
    std::uint64_t const usable_bytes = find_usable_memory();
    if (bytes + of_film <= usable_bytes) return;
    fail_system(fmt::format("the planes of --aov take {} of memory beside {} of the film, and {} can be used",
                            spell_gib(bytes), spell_gib(of_film), spell_gib(usable_bytes)),
                "--aov", "name fewer of them, or give a smaller --resolution");
}

} // namespace

void read_aovs(std::string_view option, std::string_view text, PictureRequest& pictures)
{
    pictures.aovs.clear();
    pictures.aov_choice = text == "all" ? AovChoice::possible : AovChoice::listed;
    if (text == "all") {
        for (auto const& [aov, word] : kWords<Aov>) pictures.aovs.push_back(aov);
        return;
    }
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find(',', at), text.size());
        std::string_view const word = text.substr(at, end - at);
        auto const aov = find_word<Aov>(word);
        if (!aov)
            fail_usage(fmt::format("{} has no plane '{}'", option, word),
                       fmt::format("give all, or some of {}", fmt::join(spell_words<Aov>(), ",")));
        if (std::ranges::find(pictures.aovs, *aov) == pictures.aovs.end()) pictures.aovs.push_back(*aov);
        at = end + 1;
    }
}

void check_pictures(PictureRequest& pictures, std::span<std::filesystem::path const> outputs, RenderJob const& job,
                    Film const& film, NoticeSink const& notice)
{
    if (pictures.denoise == Denoise::on) check_denoised_outputs(outputs);
    if (pictures.aovs.empty()) return;
    if (std::ranges::none_of(outputs, takes_planes))
        fail_usage("--aov has no file for its planes: only .exr holds them beside the colours",
                   "write an .exr as well, or leave out --aov");
    std::erase_if(pictures.aovs, [&](Aov aov) {
        std::string const problem = find_aov_problem(aov, job.scene().scene(), job.volume());
        if (problem.empty()) return false;
        if (pictures.aov_choice == AovChoice::listed)
            fail_usage(fmt::format("--aov {}: {}", to_word(aov), problem),
                       fmt::format("leave {} out, or give --aov all for what there is", to_word(aov)));
        notice(fmt::format("--aov all leaves out {}: {}", to_word(aov), problem));
        return true;
    });
    check_memory(pictures.aovs, film);
}

void add_pictures(PictureRequest const& pictures, std::shared_ptr<RenderJob const> const& job, FilmOutputOptions& how)
{
    Illuminant const illuminant = how.illuminant;
    int const threads = how.threads;
    if (pictures.denoise == Denoise::on)
        how.make_denoised = [job, illuminant, threads](Film const& film) {
            std::size_t const pixels = std::size_t{film.width()} * film.height();
            Guides const guides = cast_guides(job->scene().view(), choose_guide_rays(pixels), threads);
            return denoised_to_image(film, denoise_film(film, guides, threads), illuminant);
        };
    if (!pictures.aovs.empty())
        how.make_layers = [job, aovs = pictures.aovs, illuminant, threads](Film const&) {
            return make_aov_planes(aovs, job->scene(), job->volume(), illuminant, threads);
        };
}

} // namespace volpt
