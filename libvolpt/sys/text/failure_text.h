// What a message says of an exception that no library function of ours throws.
#pragma once

#include <exception>
#include <string>

namespace volpt {

/// A sentence without the names that libraries give to their exceptions: of an Error its own text, "out of memory" of
/// std::bad_alloc, and of others what they say, as the words of a library.
std::string describe_failure(std::exception const& failure);

} // namespace volpt
