#include "tools/options/listing/part_option.h"

#include "tools/options/option_group.h"
#include "tools/options/units.h"

namespace volpt {

PartChoice read_part_choice(boost::program_options::variables_map const& values)
{
    constexpr std::int64_t kLargestNumber = std::int64_t{1} << 53;
    PartChoice choice;
    choice.channel = given_text(values, "channel").value_or("");
    if (auto const text = given_text(values, "volume"))
        choice.volume = static_cast<std::uint64_t>(parse_integer("--volume", *text, 0, kLargestNumber));
    return choice;
}

} // namespace volpt
