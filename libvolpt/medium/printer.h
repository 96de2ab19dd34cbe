// Printers: the voxel sizes that they print, and the limits of their jobs.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

struct Printer {
    std::string name;
    std::array<double, 2> dpi{};   ///< along x and y
    std::vector<double> layers_mm; ///< that it can print; the first one is the default
    std::optional<int> materials_max;
    std::optional<int> slices_min;
    std::optional<std::array<double, 3>> tray_mm;
    bool has_source = false; ///< where its figures come from is known: only then is the voxel size checked

    std::array<double, 3> pitch_mm() const;
};

/// A job as printers limit it.
struct PrintJobSize {
    std::array<double, 3> pitch_mm{};
    std::array<int, 3> dims{};
    int materials = 0; ///< besides the background
};

/// The schema of docs/formats/jobs.md. Error (input) names file and key.
Printer read_printer(std::filesystem::path const& path);

/// Reads a file, or the printer of that name (j750) in the folders `printers` beside those of material tables. Error
/// (input) lists the installed ones, and the nearest one, if there is neither.
Printer open_printer(std::string const& name_or_path);

/// The names of the installed printers, sorted.
std::vector<std::string> list_printers();

/// Error (input, at `where`) names every limit that the job exceeds. Pitches may differ by 1 %.
void check_printable(Printer const& printer, PrintJobSize const& job, std::string const& where);

} // namespace volpt
