#include "volpt/error.h"

namespace volpt::v0 {

Error::~Error() = default;
OutOfMemory::~OutOfMemory() = default;

} // namespace volpt::v0
