#pragma once

#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/text/enum_words.h"
#include "tools/options/tool.h"

#include <functional>
#include <string_view>

namespace volpt {

/// What an output says about its making.
enum class ProvenanceDetail {
    none,  ///< nothing: equal content gives equal files
    plain, ///< neither host nor names of files
    full,
};
template <>
inline constexpr auto kWords<ProvenanceDetail> = list_words<ProvenanceDetail>({{ProvenanceDetail::plain, "plain"},
                                                                               {ProvenanceDetail::full, "full"}});

/// --reproducible and --provenance, in every tool that writes provenance.
void declare_provenance(boost::program_options::options_description& options);
ProvenanceDetail read_provenance(boost::program_options::variables_map const& values);

/// Describes this run, as `describe_run`, whenever it is called; holds copies of what it needs.
std::function<Provenance()> make_run_description(ToolRun const& run, std::string_view tool, ProvenanceDetail detail);

/// Tool, version, revision, time and command line of this process, as far as `detail` says; also its host if `full`.
Provenance describe_run(ToolRun const& run, std::string_view tool, ProvenanceDetail detail);

} // namespace volpt
