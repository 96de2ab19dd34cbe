#include "libvolpt/sys/text/number_range.h"

#include <fmt/format.h>

namespace volpt {

std::string describe_range(NumberRange range)
{
    return fmt::format("{} to {}{}", range.lowest, range.highest,
                       range.ends == NumberRange::Ends::excluded ? ", ends excluded" : "");
}

} // namespace volpt
