#include "volpt/error.h"

namespace volpt::v0 {

Error::~Error() = default;

} // namespace volpt::v0
