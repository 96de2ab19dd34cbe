#include "libvolpt/sys/text/value_range.h"

#include <fmt/format.h>

namespace volpt {

std::string describe_range(ValueRange range)
{
    return fmt::format("{} to {}{}", range.lowest, range.highest,
                       range.ends == ValueRange::Ends::excluded ? ", ends excluded" : "");
}

} // namespace volpt
