// Verdicts: what volcompare says.
#pragma once

#include "volpt/film.h"
#include "volpt/options.h"

#include <variant>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// What the values of a picture mean: light, or the sRGB code of it, 0 to 1.
    enum class Coding { linear, srgb };

    /// A picture in somebody else's memory, [y][x][channel], top row first.
    struct PictureView {
        std::span<float const> values;
        std::size_t width = 0, height = 0; ///< 1 to 65535
        std::vector<std::string> channels; ///< their names: R, G, B, A; Y; ..
        Coding coding = Coding::linear;
    };

    /// A film, a file of a film or a picture (but for .tif, which the program alone reads), or a picture in memory.
    using Comparable = std::variant<Film, std::filesystem::path, PictureView>;

    struct Metric {
        std::string name;
        std::optional<double> value; ///< none without finite pairs; infinite for the psnr of equal pictures
    };

    struct Verdict {
        bool is_pass = false;
        /// No test has failed, but less than half of the light could be judged: `reasons` has the samples it takes.
        bool is_undecided = false;
        bool has_equal_bits = false;
        std::vector<std::string> reasons; ///< of a negative verdict
        std::vector<std::string> notices; ///< assumptions and conversions
        std::vector<Metric> metrics;
        /// By metric, the error of every pixel; "difference", of test - reference, with the metric bias; "z" and
        /// "blocks" with the option statistical. Those that there are, of the size of the test.
        std::vector<Layer> maps;
        std::size_t width = 0, height = 0; ///< of the maps
        std::string text;                  ///< a short table
        std::string report;                ///< JSON (docs/formats/volcompare-json.md)
    };

    /// `options` are those of volcompare (docs/tools/volcompare.md) but for files to write: {"statistical"},
    /// {"metric", "flip"}, {"threshold", "rmse<0.02"}; without threshold and statistical the verdict is equality of
    /// every bit. Error as volcompare's exit status; a negative verdict is none.
    VOLPT_API Verdict compare(Comparable const& test, Comparable const& reference, Options const& options = {});

    struct ConvergencePoint {
        double samples = 0; ///< per pixel
        double error = 0;   ///< root mean square
    };

    struct Convergence {
        bool is_as_expected = false; ///< the slope is -1/2 within 0.05
        double slope = 0;            ///< of log error over log samples
        std::vector<ConvergencePoint> points;
        std::vector<std::string> notices; ///< assumptions, and what keeps the error from falling
        std::string text;                 ///< a table
        std::string report;               ///< JSON (docs/formats/volcompare-json.md)
        std::string plot;                 ///< SVG
    };

    /// Error over samples of renderings of one view, as `volcompare --convergence` measures it with the same options
    /// but for files to write: {"spp", "16,64,256"} where films, metadata and names of files do not tell their samples.
    /// Without a reference it is the rendering of most samples. Error as volcompare's exit status.
    VOLPT_API Convergence convergence(std::span<Comparable const> renderings,
                                      std::optional<Comparable> const& reference = {}, Options const& options = {});

} // namespace v0
} // namespace volpt
