// Adds up any number of film files in the memory of one film and of the few that are being read.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/sys/progress.h"

#include <optional>

namespace volpt {

/// What is kept of each file: small, since there may be ten thousand.
struct MergeInput {
    std::filesystem::path path;
    Hash128 content;                    ///< FilmFile::content
    std::uint64_t first_sample = 0;     ///< the least of any tile; kSampleLimit without samples
    std::optional<std::size_t> same_as; ///< an earlier input of the same content, so that this one does not count
    Hash128 film_hash;                  ///< after add_up
    Provenance provenance;              ///< tool, time, host, device and kernel, where the file says them
};

struct MergePlan {
    std::vector<MergeInput> inputs; ///< as they were given
    /// What the merged film is but for its planes, which are empty; none without inputs.
    std::optional<Film> head;
};

/// Reads everything but the planes. A file whose content another has, too, does not count; one without samples always
/// does. Error (input) that names the files if one cannot be believed, is not of the first one's scene and seed, or
/// holds samples of another.
MergePlan plan_merge(std::vector<std::filesystem::path> const& paths);

/// The merged film, without provenance; fills in film_hash. The plan has inputs. Memory: the film, the mappings of up
/// to four files. `progress` counts bytes read; a stop that it asks for is an Error (system). Error (input) names the
/// file that is damaged or is another than when it was planned.
Film add_up(MergePlan& plan, int threads, ProgressSink const& progress = {});

} // namespace volpt
