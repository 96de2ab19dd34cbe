#pragma once

#include "libvolpt/stats/report/contact_sheet.h"
#include "libvolpt/stats/verdict/image_layers.h"
#include "libvolpt/stats/verdict/verdict.h"
#include "tools/options/option_group.h"
#include "tools/options/provenance_options.h"

#include <filesystem>
#include <optional>

namespace volpt {

/// A metric's error map, or "z", "blocks" or "difference", and the file that shows it.
struct MapOutput {
    std::string name;
    std::filesystem::path path;
};

/// A picture or film of --view.
struct ViewFile {
    std::string caption;
    std::filesystem::path path;
};

/// Codings that the user states; otherwise the file's own, or its format's, with a notice.
struct StatedTransfers {
    std::optional<Transfer> test, reference;
};

enum class Resample { none, area };

/// Of --suite: `tried` tells what would change, and writes nothing.
enum class UpdateMode { off, tried, done };

class CompareOptions final : public OptionGroup {
public:
    Criteria criteria;
    std::vector<std::string> channels; ///< to select; empty: all
    LayerChoice layers;
    StatedTransfers transfers;
    Resample resample = Resample::none; ///< of the reference, to the test's size
    std::vector<MapOutput> maps;
    std::optional<std::filesystem::path> volume; ///< of --against-cpu
    std::optional<std::filesystem::path> environment;
    std::optional<std::filesystem::path> junit, html;
    std::vector<std::filesystem::path> sheets;
    SheetLabels labels;                  ///< of the sheets
    std::vector<ViewFile> views;         ///< of the sheets
    std::optional<double> view_width_mm; ///< of views that do not tell their own
    std::vector<Patch> patches;          ///< of the sheets; empty: choose_patches
    std::optional<std::filesystem::path> suite, cache;
    UpdateMode update = UpdateMode::off;
    bool convergence = false;             ///< the arguments are renderings of one view
    std::vector<double> samples, seconds; ///< of the arguments, and samples perhaps of the reference; or empty
    std::optional<std::filesystem::path> convergence_reference; ///< of --reference
    std::optional<std::filesystem::path> plot;
    ProvenanceDetail provenance = ProvenanceDetail::plain; ///< of rendered references

    std::string title() const override { return "Comparison"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;

private:
    void read_criteria(boost::program_options::variables_map const& values);
    void read_images(boost::program_options::variables_map const& values);
    void read_reports(boost::program_options::variables_map const& values);
    void read_convergence(boost::program_options::variables_map const& values);
    /// Error (usage) for options that require or exclude each other.
    void check_combination() const;
};

} // namespace volpt
