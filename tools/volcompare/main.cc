// volcompare: compares an image or film with a reference, or with the CPU reference that it renders itself.
#include "formats/tiff/picture.h"
#include "libvolpt/image/codecs/codecs.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"
#include "tools/volcompare/commands.h"
#include "tools/volcompare/options.h"

namespace volpt {
namespace {

ToolDescription describe_tool()
{
    return {
        .name = "volcompare",
        .summary = summarise_tool("volcompare"),
        .usage = {"TEST REFERENCE [--metric NAME]... [--threshold EXPR] [--statistical]",
                  "PREDICTION TARGET --sheet SHEET.html|SHEET.png [--patch NAME=X,Y,W,H]... [--view PICTURE]...",
                  "--against-cpu VOLUME.vpk FILM.vpf [--env IMAGE]", "--suite SUITE.json [--update [--dry-run]]",
                  "--convergence FILM|IMAGE... [--spp N,N,..] [--reference FILE] [--plot FILE.svg]"},
        .notes = {"Without --threshold and --statistical the verdict is exact equality: of scene, seed, samples and "
                  "sums for "
                  "two films, of every channel's bits otherwise. Provenance is not compared.",
                  "If one side is sRGB-coded (.png, .jpg, .tif, .bmp) and the other linear (.exr, .hdr, .pfm, .vpf), "
                  "the linear one is "
                  "sRGB-coded "
                  "first, with exposure 1 and clamped, and a notice says so; equal then means equal in 8 bits. Colour "
                  "differences are computed from linear, unclamped colours.",
                  "Images with different channels, or of different size without --resample, get a negative verdict; "
                  "nothing is "
                  "cropped."},
        .examples = {{"volcompare render.exr reference.exr --threshold 'rmse<0.02'", "test an image in a shell script"},
                     {"volcompare new.vpf old.vpf --statistical", "are the images equal except for noise?"},
                     {"volcompare gpu.vpf cpu.vpf", "are the two films equal bit for bit?"},
                     {"volcompare --against-cpu slab.vpk gpu.vpf", "the same, with the CPU's film rendered now"},
                     {"volcompare print.vpf picture.png --resample area --threshold 'de2000.p95<6' --sheet sheet.html",
                      "does the predicted print look like the picture?"},
                     {"volcompare print.vpf skin.png --resample area --sheet sheet.png --view front=front.vpf",
                      "the same for an object, with a view of it on the sheet"},
                     {"volcompare --convergence a.exr b.exr c.exr d.exr --spp 16,64,256,16384 --plot error.svg",
                      "does the error of another renderer fall with the root of the samples?"}},
        .status_0 = "equal, or the threshold or test is passed, or the error converges with the power -1/2",
        .status_1 = "different, or the threshold or test is failed, or the error does not converge so",
        .arguments = {{"FILM.vpf", {.files = list_image_extensions(ImageAccess::read)}}},
        .arguments_min = 0,
        .arguments_max = SIZE_MAX,
    };
}

ExitStatus compare(ToolRun const& run, CompareOptions const& options)
{
    if (options.convergence) return compare_convergence(run, options);
    if (options.suite && !run.arguments.empty())
        fail_usage("--suite takes neither TEST nor REFERENCE", "name them in the suite");
    return options.suite ? run_suite(run, options) : compare_pair(run, options);
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    add_tiff_pictures();
    CompareOptions options;
    return run_tool(argc, argv, describe_tool(), {&options}, [&](ToolRun const& run) { return compare(run, options); });
}
