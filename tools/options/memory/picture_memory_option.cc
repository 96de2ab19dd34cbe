#include "tools/options/memory/picture_memory_option.h"

#include "tools/options/units.h"

namespace volpt {
namespace po = boost::program_options;

void declare_picture_memory(po::options_description& options)
{
    options.add_options()("picture-memory", text_value("SIZE"),
                          "memory that a picture may take, for example 8GiB; larger ones are refused (default: 2GiB, "
                          "or 8 times the size of its file if that is more, but at most a third of the machine's)");
}

std::optional<std::uint64_t> read_picture_memory(po::variables_map const& values)
{
    auto const text = given_text(values, "picture-memory");
    if (!text) return std::nullopt;
    return parse_size_bytes("--picture-memory", *text);
}

} // namespace volpt
