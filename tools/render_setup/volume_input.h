// The volume that a program renders: a .vpk, or any file that volprep reads.
#pragma once

#include "libvolpt/job/pack/pack_job.h"
#include "libvolpt/sys/files/file_descriptor.h"
#include "libvolpt/volume/volume.h"
#include "tools/options/tool.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Endings of all that a program that renders may be given, for shells: ".vpk .mha ..".
std::string list_input_choices();

/// What to do about an option that a program that renders does not have: words if it is one of volprep, else nothing.
std::string advise_on_option(std::string_view option);

/// Error (usage) if an output would replace one of the files of a folder or pattern, "slice%04d.png", that is the
/// input.
void refuse_outputs_among(std::filesystem::path const& input, std::vector<std::filesystem::path> const& outputs);

/// The argument of a command line. What is no .vpk is packed to a file for temporary ones (TMPDIR), which loses its
/// name as soon as it is written, so that nothing of it outlives the process.
class VolumeInput {
public:
    /// Packs `run.arguments[0]` if it has to be, with its progress on stderr, and tells the volprep line that does the
    /// same. SIGINT, SIGTERM and SIGHUP are watched from then on, and one of them is an Error (system). Error (usage)
    /// if there is no argument, and as volprep's.
    explicit VolumeInput(ToolRun const& run);

    bool is_packed_here() const { return file_.has_value(); }
    /// Where the .vpk lies, as long as this object lives.
    std::filesystem::path const& path() const { return path_; }
    /// The volume that was packed here, opened and checked; null if none was.
    std::shared_ptr<PackedVolume const> open(int threads) const;

private:
    void pack_argument(ToolRun const& run);

    std::filesystem::path path_;
    std::optional<FileDescriptor> file_;
};

/// "volprep head.mha --window=-1000,1000 -o head.vpk": what VolumeInput tells.
std::string format_volprep(std::string const& input, PackChoice const& choice);

} // namespace volpt
