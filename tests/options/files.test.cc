// What tools do with names of files: no output replaces an input, and none is written into provenance.
#include "libvolpt/sys/mapped_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/expect_fault.h"
#include "tests/support/temp_folder.h"
#include "tools/options/command_outline.h"
#include "tools/options/output_check.h"
#include "tools/options/output_options.h"
#include "tools/options/process_faults.h"
#include "tools/render_setup/camera_options.h"
#include "tools/render_setup/run_options.h"
#include "tools/render_setup/scene_options.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace volpt {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;

using test::expect_error;
using test::TempFolder;
using Strings = std::vector<std::string>;

/// Runs refuse_overwriting as a tool would, with these words on its command line.
void check_outputs(std::vector<fs::path> const& inputs, std::vector<fs::path> const& outputs,
                   std::optional<std::string> config = {})
{
    CommonOptions common;
    common.config = std::move(config);
    Strings const none;
    refuse_overwriting({common, none, none, none, none, po::variables_map(), {}, {}}, inputs, outputs);
}

TEST(Outputs, InputIsRefusedUnderAnyName)
{
    TempFolder const folder;
    auto const input = folder.write("in.exr", "x");
    fs::create_hard_link(input, folder / "hard.exr");
    fs::create_symlink(input, folder / "soft.exr");
    fs::create_directory(folder / "sub");
    for (auto const& name : {input, folder / "hard.exr", folder / "soft.exr", folder / "sub/../in.exr"})
        expect_error(ExitStatus::usage, {"same file", name.string()}, [&] {
            check_outputs({folder / "no", input}, {folder / "out", name});
        });
    EXPECT_NO_THROW(check_outputs({input}, {folder / "out.exr"}));
    EXPECT_NO_THROW(check_outputs({folder.path()}, {folder / "out.exr"}));
    expect_error(ExitStatus::usage, {"same file"}, [&] { check_outputs({}, {input}, input.string()); });
}

TEST(Outputs, TwoOfOneNameAreRefused)
{
    TempFolder const folder;
    expect_error(ExitStatus::usage, {"two outputs"}, [&] {
        check_outputs({}, {folder / "a.png", folder / "b.png", folder / "./a.png"});
    });
}

template <typename Group>
Strings outline(Strings const& words)
{
    Group group;
    po::options_description options;
    group.declare(options);
    return outline_command(po::command_line_parser(words).options(options).run(), options);
}

TEST(CommandOutline, KeepsOptionsButNoNamesOfFiles)
{
    EXPECT_EQ(outline<FilmFileOptions>({"/data/smith.vpk", "-o", "smith/j.EXR", "-osmith.jane", "--exposure=2"}),
              (Strings{"FILE.vpk", "--output", "FILE.exr", "--output", "FILE", "--exposure", "2"}));
    EXPECT_EQ(outline<SampleOptions>({"--resume", "smith.vpf", "--spp", "8"}),
              (Strings{"--resume", "FILE.vpf", "--spp", "8"}));
    EXPECT_EQ(outline<LightOptions>({"--env", "1,.5,.2"}), (Strings{"--env", "1,.5,.2"}));
    EXPECT_EQ(outline<LightOptions>({"--env", "smith.hdr"}), (Strings{"--env", "FILE.hdr"}));
    EXPECT_EQ(outline<LightOptions>({"--env-up", "a/smith"}), (Strings{"--env-up", "FILE"}));
}

/// Fails where an option that names a file, as --help shows it, is not declared by file_value.
template <typename Group>
void expect_files_are_marked()
{
    Group group;
    po::options_description options;
    group.declare(options);
    for (auto const& option : options.options()) {
        std::string const shown = option->format_parameter();
        bool const names_file = shown.find("FILE") != std::string::npos || shown.find("IMAGE") != std::string::npos ||
                                shown.find("FILM") != std::string::npos || shown.find(".v") != std::string::npos;
        bool const is_marked = dynamic_cast<NamesFile const*>(option->semantic().get()) != nullptr;
        EXPECT_EQ(names_file, is_marked) << option->long_name() << " " << shown;
    }
}

TEST(CommandOutline, OptionsThatNameFilesAreMarked)
{
    expect_files_are_marked<CommonOptions>();
    expect_files_are_marked<FilmFileOptions>();
    expect_files_are_marked<SampleOptions>();
    expect_files_are_marked<DeviceOptions>();
    expect_files_are_marked<CameraOptions>();
    expect_files_are_marked<ProbeOptions>();
    expect_files_are_marked<LightOptions>();
    expect_files_are_marked<BoundaryOptions>();
    expect_files_are_marked<MediumOptions>();
}

TEST(ChangedFiles, FaultIsExplainedByTheFileThatChanged)
{
    TempFolder const folder;
    auto const path = folder.write("v.vpk", "some tables");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    auto const fault = [&](bool changes_file) {
        report_faults_of_changed_files("volsample");
        MappedFile const file(path);
        if (changes_file) test::write_text(path, "bad tables!");
        std::uintptr_t volatile wild = 64;
        std::exit(*reinterpret_cast<int volatile*>(wild));
    };
    VOLPT_EXPECT_FAULT(fault(false), SIGSEGV);
    EXPECT_EXIT(fault(true), testing::ExitedWithCode(3), "volsample: error: .*v.vpk: another program wrote");
    auto const be_killed = [] {
        report_faults_of_changed_files("volsample");
        std::raise(SIGSEGV);
    };
    VOLPT_EXPECT_FAULT(be_killed(), SIGSEGV);
}

TEST(StandardDescriptors, ClosedOnesAreNotGivenToFiles)
{
    ASSERT_EXIT(
        {
            ::close(STDIN_FILENO);
            ::close(STDOUT_FILENO);
            reserve_standard_descriptors();
            char byte = 0;
            bool const unusable = ::read(STDIN_FILENO, &byte, 1) < 0 && ::write(STDOUT_FILENO, &byte, 1) < 0;
            std::exit(unusable && ::open("/dev/null", O_RDONLY) > STDERR_FILENO ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace volpt
