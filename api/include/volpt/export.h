// Which symbols the shared library shows, and the version that is part of their names.
#pragma once

#define VOLPT_API __attribute__((visibility("default")))

// Names are volpt::Film, ..; symbols are volpt::v0::Film, .., so that a program linked with another version of the API
// fails to link, not to run. Within the library the namespace is not inline: its own types have the same names.
#if defined(VOLPT_BUILDS_API)
#define VOLPT_API_NAMESPACE namespace
#else
#define VOLPT_API_NAMESPACE inline namespace
#endif
