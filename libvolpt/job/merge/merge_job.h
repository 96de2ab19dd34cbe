// Adds films of disjoint samples of one scene, exactly, and writes the sum.
#pragma once

#include "libvolpt/film/film_merge.h"
#include "libvolpt/job/job_sinks.h"
#include "libvolpt/job/merge/expected_samples.h"
#include "libvolpt/job/output_request.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace volpt {

/// What is written if the samples are not those expected; one too many is never.
enum class WhenIncomplete { write_nothing, write_partial };

/// How much of the films is read: `heads` only tell which samples they have.
enum class MergeReading { everything, heads };

/// Whether the provenance of the sum names files and hosts of the films.
enum class InputNames { left_out, told };

struct MergeRequest {
    std::vector<std::filesystem::path> inputs; ///< films, and folders: each stands for the .vpf files in it, by name
    std::vector<std::filesystem::path> listed; ///< more films, as a list names them
    std::optional<ExpectedSamples> expected;
    WhenIncomplete when_incomplete = WhenIncomplete::write_nothing;
    MergeReading reading = MergeReading::everything;
    /// A film may replace one of the inputs, a picture may not. Without files the sum is only returned.
    OutputRequest output;
    InputNames input_names = InputNames::left_out;
    int threads = 1;
};

struct MergeResult {
    MergePlan plan;                           ///< its inputs in order, and which of them counts once; its head
    std::optional<Film> film;                 ///< the sum; none of heads alone, and none without films
    std::optional<SampleDeviation> deviation; ///< given if samples are expected
    std::vector<std::filesystem::path> written;

    /// Whether every pixel has the samples that are expected; true if none are.
    bool is_whole() const { return !deviation || deviation->text.empty(); }
};

/// Merges the request's films; one that is there twice counts once, with a notice. `sinks.progress` is asked first
/// before the sums are added, with nothing known; a stop is an Error (system), and nothing is written. Error (usage)
/// for a request that contradicts itself or would replace what it reads, (input) for a film that is unreadable or
/// damaged, of another scene or seed, or has samples of another, and if there is no film and none is expected; (system)
/// for an output that cannot be written.
MergeResult merge(MergeRequest const& request, JobSinks const& sinks = {});

/// What volmerge --json prints: report_film of the sum, with report_colour if it shows the colour of a material, or
/// "paths" of heads; "inputs", "inputs_counted_once", "deviation"; with a chunk "missing_tasks", "missing_task_count"
/// and "resumable_tasks".
nlohmann::ordered_json report_merge(MergeRequest const& request, MergeResult const& result);

} // namespace volpt
