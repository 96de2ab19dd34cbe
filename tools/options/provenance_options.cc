#include "tools/options/provenance_options.h"

#include "tools/options/units.h"

namespace volpt {
namespace po = boost::program_options;

void declare_provenance(po::options_description& options)
{
    auto add = options.add_options();
    add("reproducible", po::bool_switch(), "write no provenance, so that equal content gives equal files");
    add("provenance", text_value(join_words<ProvenanceDetail>()),
        "plain: program, version, time and options, without host and names of files; full: with both (default plain)");
}

ProvenanceDetail read_provenance(po::variables_map const& values)
{
    auto const text = given_text(values, "provenance");
    ProvenanceDetail const detail =
        text ? parse_word<ProvenanceDetail>("--provenance", *text) : ProvenanceDetail::plain;
    if (!values.at("reproducible").as<bool>()) return detail;
    if (text) fail_usage("--reproducible writes no provenance", "leave --provenance out");
    return ProvenanceDetail::none;
}

std::function<Provenance()> make_run_description(ToolRun const& run, std::string_view tool, ProvenanceDetail detail)
{
    return [detail, line = run.command_line, outline = run.command_outline, name = std::string(tool)] {
        if (detail == ProvenanceDetail::none) return Provenance{};
        return detail == ProvenanceDetail::full ? make_provenance(name, line) : make_plain_provenance(name, outline);
    };
}

Provenance describe_run(ToolRun const& run, std::string_view tool, ProvenanceDetail detail)
{
    return make_run_description(run, tool, detail)();
}

} // namespace volpt
