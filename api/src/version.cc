#include "volpt/version.h"

#include "libvolpt/sys/provenance.h"

namespace volpt::v0 {

std::string version()
{
    return std::string(suite_version());
}

std::string revision()
{
    return std::string(suite_revision());
}

} // namespace volpt::v0
