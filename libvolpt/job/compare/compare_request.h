// What is compared of two sides and how it is judged, and the reports on it.
#pragma once

#include "libvolpt/stats/report/contact_sheet.h"
#include "libvolpt/stats/verdict/image_layers.h"
#include "libvolpt/stats/verdict/verdict.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Codings that the user states; otherwise the file's own, or its format's, with a notice.
struct StatedTransfers {
    std::optional<Transfer> test, reference;
};

enum class Resample { none, area };

/// Which values of the sides are compared, and how they are judged.
struct CompareRequest {
    Criteria criteria;
    std::vector<std::string> channels; ///< to select; empty: all
    LayerChoice layers;
    StatedTransfers transfers;
    Resample resample = Resample::none; ///< of the reference, to the test's size
    /// Of the renderings of a convergence, in their order, samples perhaps of the reference, too; or empty.
    std::vector<double> samples, seconds;
};

/// A metric's error map, or "z", "blocks" or "difference", and the file that shows it.
struct MapOutput {
    std::string name;
    std::filesystem::path path;
};

/// A further picture or film on a sheet.
struct ViewFile {
    std::string caption;
    std::filesystem::path path;
};

/// Files that tell of a comparison.
struct ReportRequest {
    std::vector<MapOutput> maps;
    std::optional<std::filesystem::path> junit, html;
    std::vector<std::filesystem::path> sheets;
    SheetLabels labels;                        ///< of the sheets
    std::vector<ViewFile> views;               ///< of the sheets
    std::optional<double> view_width_mm;       ///< of views that do not tell their own
    std::vector<Patch> patches;                ///< of the sheets; empty: choose_patches
    std::optional<std::filesystem::path> plot; ///< of a convergence
};

} // namespace volpt
