// The exception of the library.
#pragma once

#include "volpt/export.h"

#include <stdexcept>
#include <string>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// As the exit status of the programs (docs/exit-status.md).
    enum class Status : int {
        negative = 1, ///< a judgement went against what was asked, for example chains that found no light
        usage = 2,    ///< an invalid argument or option
        input = 3,    ///< a file or array that is damaged or not acceptable
        system = 4    ///< the device, the disk, the operating system, memory
    };

    /// What went wrong, where, and what to do about it, in the words of the caller: options are named as in Options.
    class VOLPT_API Error : public std::runtime_error {
    public:
        Error(Status status, std::string const& what) : std::runtime_error(what), status_(status) {}
        Error(Error const&) = default;
        Error& operator=(Error const&) = default;
        ~Error() override;

        Status status() const noexcept { return status_; }

    private:
        Status status_;
    };

    /// Error (system): there is not enough memory.
    class VOLPT_API OutOfMemory : public Error {
    public:
        explicit OutOfMemory(std::string const& what) : Error(Status::system, what) {}
        OutOfMemory(OutOfMemory const&) = default;
        OutOfMemory& operator=(OutOfMemory const&) = default;
        ~OutOfMemory() override;
    };

} // namespace v0
} // namespace volpt
