#include "python/src/option_names.h"

#include "tools/options/tool.h"

#include <boost/program_options/options_description.hpp>

namespace volpt::python {

std::vector<std::pair<std::string, bool>> list_option_names(std::vector<OptionGroup*> const& groups)
{
    boost::program_options::options_description table;
    for (OptionGroup* const group : groups) group->declare(table);
    CommonOptions common;
    common.declare(table);
    std::vector<std::pair<std::string, bool>> list;
    for (auto const& option : table.options())
        list.emplace_back(option->long_name(), option->semantic()->max_tokens() > 0);
    return list;
}

} // namespace volpt::python
