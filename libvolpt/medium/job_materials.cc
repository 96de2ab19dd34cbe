#include "libvolpt/medium/job_materials.h"

#include "libvolpt/medium/air.h"
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

/// Materials of a name of the table get the job's colours; others of the table that had one of these have none then.
/// All of them at once, so that their order in the manifest does not matter.
void apply_job_names(MaterialTable& table, PrintJob const& job, JobColours& colours)
{
    std::vector<std::optional<std::uint32_t>> given(table.materials.size());
    for (PrintJob::Material const& material : job.materials)
        if (auto const found = find_name(table, material.name); found && !is_labelled(colours, material.colour))
            given[*found] = material.colour;
    for (std::size_t i = 0; i < given.size(); ++i) {
        auto const& old = table.colours[i];
        if (given[i] || !old) continue;
        auto const taker = std::ranges::find(given, old);
        if (taker == given.end()) continue;
        colours.notices.push_back(fmt::format(
            "{} is '{}' in the job; the table's '{}' has no colour now", format_colour(*old),
            table.materials[static_cast<std::size_t>(taker - given.begin())].name, table.materials[i].name));
        table.colours[i].reset();
    }
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i]) table.colours[i] = given[i];
}

} // namespace

LabelRequest parse_label_request(std::string const& text)
{
    auto const equals = text.find('=');
    std::optional<std::uint32_t> colour;
    if (equals != std::string::npos) colour = parse_hex_colour(std::string_view(text).substr(0, equals));
    if (!colour || equals + 1 == text.size())
        fail_usage(fmt::format("--label '{}' is not #rrggbb=NAME", text.substr(0, 80)), kLabelExample);
    return {*colour, text.substr(equals + 1)};
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
        if (is_labelled(colours, material.colour) || find_name(table, material.name)) continue;
        auto const by_colour = std::ranges::find(table.colours, material.colour);
        if (by_colour != table.colours.end()) {
            auto const& found = table.materials[static_cast<std::size_t>(by_colour - table.colours.begin())];
            known += fmt::format("{}{} is {}", known.empty() ? "" : ", ", material.name, found.name);
        } else if (material.name == "support" || material.name == "clear") {
            apply_labels(table, {{material.colour, material.name}}, where, colours);
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
