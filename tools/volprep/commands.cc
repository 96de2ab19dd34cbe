#include "tools/volprep/commands.h"

#include "formats/input_format.h"
#include "formats/mesh/reader.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "tools/volprep/option_rules.h"
#include "tools/volprep/options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

using GivenWords = std::vector<po::option>;

/// The positional arguments, in order.
std::vector<std::string> take_arguments(GivenWords& given)
{
    std::vector<std::string> arguments;
    for (po::option const& word : given)
        if (word.position_key >= 0) arguments.insert(arguments.end(), word.value.begin(), word.value.end());
    std::erase_if(given, [](po::option const& word) { return word.position_key >= 0; });
    return arguments;
}

void give_option(GivenWords& given, char const* option, std::vector<std::string> value)
{
    given.emplace_back(option, std::move(value));
}

void give_argument(GivenWords& given, std::string const& argument)
{
    po::option word;
    word.position_key = 0;
    word.value = {argument};
    given.push_back(std::move(word));
}

void spell_pack(GivenWords& given, std::vector<std::string> const& arguments)
{
    give_argument(given, arguments[0]);
}

void spell_print(GivenWords& given, std::vector<std::string> const& arguments)
{
    InputFormat const format = find_input_format(arguments[0]);
    if (format == InputFormat::packed_volume)
        fail_usage(fmt::format("'{}' is packed already", arguments[0]),
                   fmt::format("volprep export {} OUT.gcvf --printer NAME writes its job", arguments[0]));
    if (format != InputFormat::triangle_mesh) return give_option(given, "print", {arguments[0]});
    give_argument(given, arguments[0]);
    give_option(given, "print-mesh", {});
}

void spell_make(GivenWords& given, std::vector<std::string> const& arguments)
{
    std::string const& shape = arguments[0];
    if (arguments.size() == 1 && shape == "lithophane")
        fail_usage("volprep make lithophane lacks its picture",
                   "write volprep make lithophane PICTURE --width MM -o OUT.vpk");
    if (arguments.size() == 1) return give_option(given, "make", {shape});
    if (shape != to_word(MadeShape::slab) && shape != "lithophane")
        fail_usage(
            fmt::format("'{}' is one argument too many: only a slab and a lithophane have a picture", arguments[1]),
            "write volprep make slab TEXTURE or volprep make lithophane PICTURE");
    give_option(given, shape.c_str(), {arguments[1]});
}

void spell_export(GivenWords& given, std::vector<std::string> const& arguments)
{
    give_argument(given, arguments[0]);
    give_option(given, "export", {arguments[1]});
}

void spell_check(GivenWords& given, std::vector<std::string> const& arguments)
{
    give_argument(given, arguments[0]);
    give_option(given, "check-mesh", {});
}

/// What is given instead of options: how many words, and what they are.
struct Arguments {
    std::size_t least, most;
    char const* meaning;
    std::vector<ToolArgument> (*list)();
};

/// A command, and how its line is spelled as one of volprep without commands.
struct Command {
    char const* word;
    char const* summary;
    std::vector<InputKind> inputs;
    std::vector<std::string_view> shown; ///< options besides those that its inputs use
    Arguments arguments;
    void (*spell_out)(GivenWords& given, std::vector<std::string> const& arguments);
    std::vector<std::string> usage;
    std::vector<ToolExample> examples;
    char const* status_1 = "";
};

using enum InputKind;

std::vector<Command> const& list_all()
{
    static std::vector<Command> const commands{
        {"pack",
         "Packs a file, a stack of slices, a scene or a mesh into a .vpk; without a command, volprep does this.",
         {packed_volume, mitsuba_scene, mcx_input, openvdb_file, slices, dicom_series, other_file, triangle_mesh},
         {"list-grids"},
         {1, 1, "one file, folder, pattern or scene",
          [] {
              return std::vector<ToolArgument>{{"INPUT", {.files = list_input_extensions()}}};
          }},
         spell_pack,
         {"INPUT -o OUT.vpk [options]", "MESH --sigma-t S --albedo A -o OUT.vpk [options]",
          "MESH --medium IN.vpk -o OUT.vpk [options]", "INPUT --surface voxels|smooth -o OUT.vpk [options]"},
         {{"volprep pack head.mha --window -1000,1000 --scale 2 -o head.vpk",
           "map CT values -1000..1000 to density 0..1, with an extinction of 2/mm at 1"},
          {"volprep pack job.gcvf --materials elek2017 -o job.vpk",
           "pack a GrabCAD Voxel Print job, whose manifest has voxel size and background"},
          {"volprep pack figurine.stl --sigma-t 20 --albedo 0.99 -o figurine.vpk",
           "fill a closed mesh with a homogeneous medium"},
          {"volprep pack head.vpk --window -200,800 -o bone.vpk", "another window for a packed volume"}}},
        {"print",
         "Prints a picture or a mesh: separates its colours into inks and packs the print, or writes its job.",
         {printed_picture, printed_mesh},
         {},
         {1, 1, "a picture or a triangle mesh",
          [] {
              return std::vector<ToolArgument>{
                  {"PICTURE|MESH",
                   {.files = fmt::format("{} {}", list_image_extensions(ImageAccess::read), list_mesh_extensions())}}};
          }},
         spell_print,
         {"PICTURE --width MM --thickness MM --materials TABLE -o OUT.vpk [options]",
          "MESH --size x,, --materials TABLE -o OUT.vpk [options]",
          "PICTURE|MESH .. --export OUT.gcvf [--printer NAME] [options]"},
         {{"volprep print picture.png --width 60mm --thickness 3mm --materials elek2017 -o print.vpk",
           "print a picture 60 mm wide and as high as its aspect ratio says, 3 mm thick, inks in the upper half "
           "millimetre"},
          {"volprep print figurine.glb --mesh-up +y --size 60mm,, --materials elek2017 -o f.vpk",
           "print a mesh in its own colours, 60 mm wide: inks in a shell, white within"},
          {"volprep print figurine.glb --size 60mm,, --materials elek2017 --printer j750 --export f.gcvf",
           "the printer's job of a mesh, without a .vpk"}}},
        {"make",
         "Makes a cube, sphere, slab, noise or checker, a slab with a picture as its albedo, or a lithophane.",
         {synthetic, textured_slab, lithophane},
         {},
         {1, 2, "a shape, and for a slab or a lithophane a picture",
          [] {
              return std::vector<ToolArgument>{{join_words<MadeShape>() + "|lithophane"},
                                               {"TEXTURE", {.files = list_image_extensions(ImageAccess::read)}}};
          }},
         spell_make,
         {"SHAPE --size x,y,z -o OUT.vpk [options]", "slab TEXTURE --dims X,Y,Z --size x,y,z -o OUT.vpk [options]",
          "lithophane PICTURE --width MM -o OUT.vpk [options]"},
         {{"volprep make cube --size 1mm --sigma-t 100 --albedo 1 -o cube.vpk", "make a white homogeneous cube"},
          {"volprep make slab chart.png --dims 400,400,100 --size 17mm,17mm,2.7mm --sigma-t 20 -o print.vpk",
           "make a white slab with an image as the albedo of its top tenth"},
          {"volprep make lithophane portrait.jpg --width 100mm -o lithophane.vpk --export lithophane.stl",
           "make a plate of white PLA that shows a picture when light falls through it, and its mesh to print"}}},
        {"export",
         "Writes the voxels of a .vpk for other programs, or as a printer's job.",
         {},
         {"plane", "printer"},
         {2, 2, "a packed volume and the file to write",
          [] {
              return std::vector<ToolArgument>{{"IN.vpk", {.files = ".vpk"}}, {"OUT", list_export_choices()}};
          }},
         spell_export,
         {"IN.vpk OUT.mha|.nrrd|.vti|.raw|.gcvf|.vdb|slice%04d.png [options]", "IN.vpk -o OUT [options]"},
         {{"volprep export head.vpk head_density.mha", "write the densities for other programs"},
          {"volprep export print.vpk job.gcvf --printer j750",
           "write a job for a printer, checked against its limits"}}},
        {"check",
         "Tells whether a triangle mesh is the closed surface of a solid, and what is wrong with it.",
         {},
         {},
         {1, 1, "a triangle mesh",
          [] {
              return std::vector<ToolArgument>{{"MESH", {.files = list_mesh_extensions()}}};
          }},
         spell_check,
         {"MESH [options]"},
         {{"volprep check figurine.stl", "tell whether a mesh is the closed surface of a solid"}},
         "the mesh is not the closed surface of a solid"}};
    return commands;
}

/// Of export, whose output is no .vpk: -o FILE is its second argument.
void take_output(GivenWords& given, std::vector<std::string>& arguments)
{
    for (po::option const& word : given)
        if (word.string_key == "output") arguments.insert(arguments.end(), word.value.begin(), word.value.end());
    std::erase_if(given, [](po::option const& word) { return word.string_key == "output"; });
}

/// Error (usage) if there are too few arguments, or too many. A file of the command's name is an input of volprep, too.
void spell_out(Command const& command, GivenWords& given)
{
    auto arguments = take_arguments(given);
    if (command.spell_out == &spell_export) take_output(given, arguments);
    auto const& [least, most, meaning, list] = command.arguments;
    if (arguments.size() > most)
        fail_usage(fmt::format("'{}' is one argument too many", arguments[most]),
                   fmt::format("volprep {} takes {}", command.word, meaning));
    if (arguments.size() < least) {
        std::error_code ignored;
        bool const is_file = std::filesystem::exists(command.word, ignored);
        fail_usage(fmt::format("volprep {} lacks an argument", command.word),
                   fmt::format("give {}", meaning) +
                       (is_file ? fmt::format("; the file of this name is ./{}", command.word) : ""));
    }
    command.spell_out(given, arguments);
}

bool shows_option(Command const& command, std::string_view option)
{
    constexpr std::array<std::string_view, 5> kOfArguments{"make", "slab", "lithophane", "print", "print-mesh"};
    auto const rules = list_option_rules();
    auto const rule = std::ranges::find_if(rules, [&](OptionRule const& r) { return r.option == option; });
    if (rule == rules.end() || std::ranges::find(command.shown, option) != command.shown.end()) return true;
    return std::ranges::find(kOfArguments, option) == kOfArguments.end() &&
           std::ranges::any_of(command.inputs, [&](InputKind kind) { return rule->used.contains(kind); });
}

} // namespace

std::string list_input_extensions()
{
    return fmt::format("{} {} .vpk .xml .json .raw", list_reader_extensions(), list_mesh_extensions());
}

std::vector<ToolCommand> list_commands()
{
    std::vector<ToolCommand> listed;
    for (Command const& command : list_all()) listed.push_back({command.word, command.summary});
    return listed;
}

std::optional<ToolDescription> describe_command(std::string_view word)
{
    auto const command = std::ranges::find(list_all(), word, &Command::word);
    if (command == list_all().end()) return std::nullopt;
    return ToolDescription{
        .name = "volprep",
        .summary = command->summary,
        .usage = command->usage,
        .examples = command->examples,
        .status_1 = command->status_1,
        .arguments = command->arguments.list(),
        .arguments_max = command->arguments.most,
        .command = command->word,
        .shows_option = [command](std::string_view option) { return shows_option(*command, option); },
        .spell_out = [command](GivenWords& given) { spell_out(*command, given); }};
}

} // namespace volpt
