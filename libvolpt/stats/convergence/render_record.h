// What is known of how a film or image was rendered: its samples per pixel and its time.
#pragma once

#include "libvolpt/stats/verdict/subject.h"
#include "libvolpt/sys/text/enum_words.h"

#include <limits>
#include <string>
#include <vector>

namespace volpt {

/// Where a number of samples comes from.
enum class SampleSource {
    none,      ///< it is not known
    film,      ///< counted: a film, or the layer sample_count or the attributes of an image made from one
    metadata,  ///< what another renderer writes into its images
    statement, ///< the user's
    name,      ///< "64spp" in the name of the file
};
template <>
inline constexpr auto kWords<SampleSource> = list_words<SampleSource>({{SampleSource::none, "none"},
                                                                       {SampleSource::film, "film"},
                                                                       {SampleSource::metadata, "metadata"},
                                                                       {SampleSource::statement, "statement"},
                                                                       {SampleSource::name, "name"}});

struct RenderRecord {
    double samples = std::numeric_limits<double>::quiet_NaN(); ///< per pixel, on average; NaN: unknown
    double seconds = std::numeric_limits<double>::quiet_NaN(); ///< NaN: unknown
    SampleSource source = SampleSource::none;
};

/// `stated` has what the user says, or NaN; `layer` is the prefix of the layer that is compared, or empty.
/// Samples are, in this order: counted by a film (the layer sample_count, or the attributes samples_min and
/// samples_max, of an image made from one); stated; metadata of another renderer ("cycles.LAYER.samples" of Blender's
/// Cycles, "samplesPerPixel" of pbrt-v4); the number beside "spp" in the file's name. Seconds: stated, a film's
/// provenance, "cycles.LAYER.render_time" and "RenderTime" of Blender, "renderTimeSeconds" of pbrt-v4. Error (input) if
/// the film has another number of samples than stated, and if metadata and name have different numbers and none is
/// stated. Appends notices on numbers that may mislead.
RenderRecord find_render_record(Subject const& subject, std::string const& layer, RenderRecord const& stated,
                                std::vector<std::string>& notices);

/// The number beside "spp", in any case, in the name of the file: "cube_64spp.exr", "cube-spp64.exr",
/// "cube_64_spp.exr". NaN if there is none, or more than one.
double find_samples_in_name(std::string const& path);

/// "[[H:]M:]S", S with a fraction, in seconds. NaN for another form.
double parse_clock_time(std::string_view text);

} // namespace volpt
