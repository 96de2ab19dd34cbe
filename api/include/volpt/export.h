// Which symbols the shared library shows, and the version that is part of their names.
#pragma once

// VOLPT_API_STATIC: for a library that holds this one's code, as the module of the Python package does, and shows
// nothing of it.
#if defined(VOLPT_API_STATIC)
#define VOLPT_API
#else
#define VOLPT_API __attribute__((visibility("default")))
#endif

// Names are volpt::Film, ..; symbols are volpt::v0::Film, .., so that a program compiled for another version of the API
// does not link, and one that is already linked does not start. The library's SONAME has the same number. Within the
// library the namespace is not inline: its own types have the same names.
#if defined(VOLPT_BUILDS_API)
#define VOLPT_API_NAMESPACE namespace
#else
#define VOLPT_API_NAMESPACE inline namespace
#endif
