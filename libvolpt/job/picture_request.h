// Pictures of a film that need its scene, beyond what the film holds.
#pragma once

#include "libvolpt/denoise/aov/aov_planes.h"
#include "libvolpt/denoise/denoised_image.h"
#include "libvolpt/job/job_sinks.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace volpt {

class RenderJob;
struct FilmOutputOptions;

enum class AovChoice {
    listed,   ///< each has to be there
    possible, ///< those that the scene has; a notice tells the others
};

struct PictureRequest {
    Denoise denoise = Denoise::off; ///< of pictures; films are never changed
    std::vector<Aov> aovs;          ///< planes of .exr, each once
    AovChoice aov_choice = AovChoice::listed;
};

/// "depth,normal", or "all". Error (usage) names `option`.
void read_aovs(std::string_view option, std::string_view text, PictureRequest& pictures);

/// Drops the planes that the scene of job and film does not have, of AovChoice::possible. To be called before the work
/// whose result will be written. Error (usage) if one that has to be there is not, if no output takes planes, or as
/// check_denoised_outputs; Error (system) if the planes do not fit into the memory beside the film.
void check_pictures(PictureRequest& pictures, std::span<std::filesystem::path const> outputs, RenderJob const& job,
                    Film const& film, NoticeSink const& notice);

/// What write_film_outputs makes of films of the job's scene, its own or others; holds the job. `how` has illuminant
/// and threads.
void add_pictures(PictureRequest const& pictures, std::shared_ptr<RenderJob const> const& job, FilmOutputOptions& how);

} // namespace volpt
