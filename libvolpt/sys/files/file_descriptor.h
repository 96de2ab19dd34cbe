// File descriptors that close themselves, and that no child inherits by accident.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace volpt {

/// Owns a descriptor above those of stdin, stdout and stderr, closed by exec; negative if there is none, with errno.
class FileDescriptor {
public:
    /// Takes `number`, or a copy of it if it is one of the three: a program may run with these closed.
    explicit FileDescriptor(int number) : number_(number)
    {
        if (number < 0 || number > STDERR_FILENO) return;
        number_ = ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        ::close(number);
    }
    ~FileDescriptor() { close(); }
    FileDescriptor(FileDescriptor const&) = delete;
    FileDescriptor& operator=(FileDescriptor const&) = delete;

    int number() const { return number_; }
    void close()
    {
        if (int const number = std::exchange(number_, -1); number >= 0) ::close(number);
    }

private:
    int number_;
};

} // namespace volpt
