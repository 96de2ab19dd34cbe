#include "libvolpt/medium/job_materials.h"

#include "libvolpt/medium/air.h"
#include "libvolpt/medium/resins.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr char kLabelExample[] = "give for example --label '#00ffff=C'";

std::optional<std::size_t> find_name(MaterialTable const& table, std::string const& name)
{
    for (std::size_t i = 0; i < table.materials.size(); ++i)
        if (table.materials[i].name == name) return i;
    return std::nullopt;
}

bool is_labelled(JobColours const& colours, std::uint32_t colour)
{
    return std::ranges::find(colours.labels, colour, &ColourLabel::colour) != colours.labels.end();
}

/// The material that --label names, added if it is a word with a meaning.
std::size_t find_or_add(MaterialTable& table, std::string const& name, std::string const& where)
{
    if (auto const found = find_name(table, name)) return *found;
    if (name == "air")
        if (auto const found = find_air(table)) return *found;
    if (name == "air" || name == "support" || name == "clear") {
        Material material =
            name == "clear" ? make_clear_material(table.bands()) : make_air_material(table.bands(), name);
        if (name == "support") table.support.push_back(name);
        return add_material(table, std::move(material), {}, where);
    }
    std::string names;
    for (Material const& material : table.materials) names += material.name + ", ";
    fail_usage(fmt::format("--label: {} has no material '{}'", where, name),
               fmt::format("choose among {}air, support and clear", names));
}

/// The material of the table that has the name, or is the resin of the name.
std::optional<std::size_t> find_named(MaterialTable const& table, std::string const& job_name)
{
    if (auto const found = find_name(table, job_name)) return found;
    auto const resin = find_resin(job_name);
    return resin ? find_resin_material(table, *resin) : std::nullopt;
}

/// Takes the colour from the material that has it in the table.
void release_colour(MaterialTable& table, std::uint32_t colour, std::string const& taker, JobColours& colours)
{
    auto const owner = std::ranges::find(table.colours, colour);
    if (owner == table.colours.end()) return;
    colours.notices.push_back(
        fmt::format("{} is '{}' in the job; the table's '{}' has no colour now", format_colour(colour), taker,
                    table.materials[static_cast<std::size_t>(owner - table.colours.begin())].name));
    owner->reset();
}

/// Materials that the job names get its colours; others of the table that had one of these have none then. All of them
/// at once, so that their order in the manifest does not matter; names of the table go before those of resins.
void apply_job_names(MaterialTable& table, PrintJob const& job, JobColours& colours)
{
    std::vector<std::optional<std::uint32_t>> given(table.materials.size());
    std::string resins;
    auto const give = [&](PrintJob::Material const& material, std::size_t index) {
        if (is_labelled(colours, material.colour)) return;
        if (!given[index])
            given[index] = material.colour;
        else
            colours.labels.push_back({material.colour, static_cast<std::uint8_t>(index)});
        if (table.materials[index].name != material.name)
            resins += fmt::format("{}{} is {}", resins.empty() ? "" : ", ", material.name, table.materials[index].name);
    };
    for (PrintJob::Material const& material : job.materials)
        if (auto const found = find_name(table, material.name)) give(material, *found);
    for (PrintJob::Material const& material : job.materials)
        if (!find_name(table, material.name))
            if (auto const found = find_named(table, material.name)) give(material, *found);
    std::vector<std::optional<std::uint32_t>> const old = table.colours;
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i] && old[i] != given[i]) table.colours[i].reset();
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!given[i]) continue;
        if (table.colours[i] != given[i]) release_colour(table, *given[i], table.materials[i].name, colours);
        table.colours[i] = given[i];
    }
    if (!resins.empty()) colours.notices.push_back("the job's materials are the table's by name: " + resins);
}

/// The word of a resin that is added to tables without one.
std::string find_added_word(PrintJob::Material const& material)
{
    if (material.name == "support" || material.name == "clear") return material.name;
    auto resin = find_resin(material.name);
    if (!resin) resin = find_resin_of_colour(material.colour);
    return resin == ResinColour::support ? "support" : resin == ResinColour::clear ? "clear" : "";
}

} // namespace

LabelRequest parse_label_request(std::string const& text)
{
    auto const equals = text.find('=');
    std::optional<std::uint32_t> colour;
    if (equals != std::string::npos) colour = parse_hex_colour(std::string_view(text).substr(0, equals));
    bool const is_job_name = equals != std::string::npos && equals > 0 && text[0] != '#';
    if ((!colour && !is_job_name) || equals + 1 == text.size())
        fail_usage(fmt::format("--label '{}' is not #rrggbb=NAME", text.substr(0, 80)), kLabelExample);
    return {colour.value_or(0), text.substr(equals + 1), colour ? "" : text.substr(0, equals)};
}

std::vector<LabelRequest> find_label_colours(std::vector<LabelRequest> requests, PrintJob const* job)
{
    for (LabelRequest& request : requests) {
        if (request.job_name.empty()) continue;
        std::string const what = fmt::format("--label '{}={}'", request.job_name, request.material);
        if (job == nullptr)
            fail_usage(what + " is not #rrggbb=NAME, and no manifest has names of materials", kLabelExample);
        auto const named = std::ranges::find(job->materials, request.job_name, &PrintJob::Material::name);
        std::string names;
        for (PrintJob::Material const& material : job->materials) names += (names.empty() ? "" : ", ") + material.name;
        if (named == job->materials.end())
            fail_usage(fmt::format("{}: the job has no material '{}'", what, request.job_name),
                       fmt::format("its materials are {}; or give #rrggbb=NAME", names.empty() ? "not named" : names));
        request.colour = named->colour;
        request.job_name.clear();
    }
    return requests;
}

void apply_labels(MaterialTable& table, std::vector<LabelRequest> const& requests, std::string const& where,
                  JobColours& colours)
{
    for (LabelRequest const& request : requests) {
        if (is_labelled(colours, request.colour))
            fail_usage(fmt::format("--label names {} twice", format_colour(request.colour)),
                       "a colour stands for one material");
        std::size_t const label = find_or_add(table, request.material, where);
        colours.labels.push_back({request.colour, static_cast<std::uint8_t>(label)});
        // The first colour that a material without one gets is that of its slices in an export.
        bool const is_free = std::ranges::find(table.colours, request.colour) == table.colours.end();
        if (!table.colours[label] && is_free) table.colours[label] = request.colour;
    }
}

void apply_print_job(MaterialTable& table, PrintJob const& job, std::string const& where, JobColours& colours)
{
    apply_job_names(table, job, colours);
    std::string known;
    for (PrintJob::Material const& material : job.materials) {
        if (is_labelled(colours, material.colour) || find_named(table, material.name)) continue;
        if (std::string const word = find_added_word(material); !word.empty()) {
            release_colour(table, material.colour, word, colours);
            apply_labels(table, {{material.colour, word}}, where, colours);
            if (word != material.name) colours.notices.push_back(fmt::format("{} is {}", material.name, word));
            continue;
        }
        auto const by_colour = std::ranges::find(table.colours, material.colour);
        if (by_colour != table.colours.end()) {
            auto const& found = table.materials[static_cast<std::size_t>(by_colour - table.colours.begin())];
            known += fmt::format("{}{} is {}", known.empty() ? "" : ", ", material.name, found.name);
        }
    }
    if (!known.empty()) colours.notices.push_back("the job's materials are the table's of the same colour: " + known);
    if (!job.background || is_labelled(colours, *job.background)) return;
    std::string const colour = format_colour(*job.background);
    auto const taken = std::ranges::find(table.colours, *job.background);
    if (auto const air = find_air(table)) {
        auto const index = static_cast<std::size_t>(taken - table.colours.begin());
        if (index == *air) return;
        if (taken != table.colours.end()) {
            colours.notices.push_back(fmt::format("pixels of the job's background {} are air, not '{}'", colour,
                                                  table.materials[index].name));
            taken->reset();
        }
        if (!table.colours[*air]) table.colours[*air] = job.background;
        colours.labels.push_back({*job.background, static_cast<std::uint8_t>(*air)});
        return;
    }
    if (taken != table.colours.end() || table.has_all_colours()) {
        colours.notices.push_back("the job's background: " + make_air(table, colour, where));
        return;
    }
    Material air = make_air_material(table.bands());
    add_material(table, std::move(air), job.background, where);
    colours.notices.push_back(fmt::format("pixels of the job's background {} are air", colour));
}

bool has_transparent_pixels(VolumeSource& source, ProgressSink const& progress)
{
    SourceMeta const& meta = source.meta();
    if (meta.channels != 4) return false;
    constexpr int kLayers = 8;
    std::size_t const numbers = 4 * static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]);
    std::vector<float> values;
    for (int z = 0; z < meta.dims[2]; z += kLayers) {
        int const count = std::min(kLayers, meta.dims[2] - z);
        values.resize(numbers * static_cast<std::size_t>(count));
        source.read_slab(z, count, values);
        for (std::size_t i = 3; i < values.size(); i += 4)
            if (values[i] == 0) return true;
        Progress const state{static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(meta.dims[2]), "slices"};
        if (progress && !progress(state))
            fail_system("stopped before its colours were read", meta.path, "nothing was written; start again");
    }
    return false;
}

void apply_transparency(MaterialTable& table, std::string const& where, JobColours& colours)
{
    Material air = make_air_material(table.bands());
    std::uint32_t colour = 0;
    while (std::ranges::find(table.colours, colour) != table.colours.end()) colour += 0x100;
    add_material(table, std::move(air), colour, where);
    colours.notices.emplace_back("transparent pixels are air");
}

} // namespace volpt
