#pragma once

#include "libvolpt/job/compare/compare_request.h"
#include "tools/options/option_group.h"
#include "tools/options/provenance_options.h"

#include <filesystem>
#include <optional>

namespace volpt {

/// Of --suite: `tried` tells what would change, and writes nothing.
enum class UpdateMode { off, tried, done };

class CompareOptions final : public OptionGroup {
public:
    CompareRequest request;
    ReportRequest reports;
    std::optional<std::filesystem::path> volume; ///< of --against-cpu
    std::optional<std::filesystem::path> environment;
    std::optional<std::filesystem::path> suite, cache;
    UpdateMode update = UpdateMode::off;
    bool convergence = false;                                   ///< the arguments are renderings of one view
    std::optional<std::filesystem::path> convergence_reference; ///< of --reference
    ProvenanceDetail provenance = ProvenanceDetail::plain;      ///< of rendered references

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
