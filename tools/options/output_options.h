#pragma once

#include "libvolpt/film/film_output.h"
#include "tools/options/option_group.h"
#include "tools/options/provenance_options.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// Files made of a film, in volrender and volmerge.
class FilmFileOptions final : public OptionGroup {
public:
    std::vector<std::filesystem::path> outputs;
    FilmOutputOptions how;
    bool names_exposure = false; ///< it is given
    ProvenanceDetail provenance = ProvenanceDetail::plain;

    std::string title() const override { return "Output"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// --illuminant, in every tool that has it.
inline constexpr char kIlluminantHelp[] =
    "reference white of L*a*b* colours, and light in which bands with wavelengths are seen (default D65)";
Illuminant parse_illuminant(std::string const& text);

/// --tone of a file. Error (usage) for another word than srgb and filmic.
Tone parse_tone(std::string const& text);

/// The number that --exposure takes, given by a program. Error (usage) unless it is in 0 .. 1e9.
float check_exposure(double exposure);

} // namespace volpt
