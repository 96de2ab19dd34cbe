// Merges films of disjoint samples of one render: any number of files, in the memory of one film and of the few files
// that are being read.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/sys/progress.h"

#include <filesystem>
#include <optional>
#include <span>

namespace volpt {

/// What is kept of each file; small, since there may be ten thousand.
struct MergeInput {
    std::filesystem::path path;
    Hash128 content;                    ///< FilmFile::content
    std::uint64_t first_sample = 0;     ///< the least of any tile; kSampleLimit without samples
    std::optional<std::size_t> same_as; ///< index of an earlier input with the same content: this one is not added
    Hash128 film_hash;                  ///< set by merge_films
    Provenance provenance;              ///< tool, time, host, device and kernel, as far as the file has them
};

struct MergePlan {
    std::vector<MergeInput> inputs; ///< in the order given
    /// The merged film without its planes, which are empty; none without inputs.
    std::optional<Film> head;
};

/// Reads all files but for their planes. A file with samples is not added if an earlier one has the same content. Error
/// (input), which names the files, if one is damaged, is not of the first one's scene, seed and fixed-point scale (the
/// message lists the scene's differing fields), or holds samples that another holds.
MergePlan plan_merge(std::vector<std::filesystem::path> const& paths);

/// The merged film, without provenance; fills in film_hash of the plan's inputs, of which there must be one or more.
/// Memory: the film, and the mappings of up to four files. `progress` counts bytes read; a stop that it asks for is an
/// Error (system). Error (input) names the file that is damaged or has changed since it was planned.
Film merge_films(MergePlan& plan, int threads, ProgressSink const& progress = {});

/// Adds ranges, statistics and totals of long steps of `from`, not the planes. The sum keeps its half if each of both
/// that has samples does. Error (input), before `into` changes,
/// unless scene hash, seed and scales are equal and no tile has samples of both.
void merge_heads(Film& into, Film const& from);

/// The sum of films in memory, of which there must be one or more, without provenance. Error (input) as merge_heads.
Film merge_held_films(std::span<Film const* const> films);

} // namespace volpt
