#include "libvolpt/sys/atomic_file.h"

#include "libvolpt/sys/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace volpt {
namespace fs = std::filesystem;
namespace {

std::string reason(int error)
{
    return std::strerror(error);
}

fs::path resolve_target(fs::path path)
{
    std::error_code ignored;
    if (fs::is_symlink(path, ignored)) path = fs::weakly_canonical(path, ignored);
    fs::file_status const status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        fail_system("the output exists and is not a regular file", path.string(), "name a file to write");
    }
    return path;
}

// Exclusive creation prevents collisions with other processes and, on shared file systems, other machines.
int create_exclusively(fs::path const& path, fs::path& temporary)
{
    static std::atomic<unsigned> counter{0};
    for (int attempt = 0;; ++attempt) {
        temporary = path;
        temporary += fmt::format(".tmp-{}-{}", ::getpid(), counter.fetch_add(1));
        int const descriptor = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) return descriptor;
        if (errno != EEXIST || attempt == 1000) {
            fail_system("cannot create the output: " + reason(errno), path.string(),
                        "check that the folder exists, is writable and has space");
        }
    }
}

void write_all(int descriptor, std::uint64_t offset, std::span<std::byte const> bytes, bool at_offset,
               fs::path const& path)
{
    while (!bytes.empty()) {
        ssize_t const written = at_offset ? ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset))
                                          : ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            fail_system("cannot write: " + reason(errno), path.string(), "free some space or write to another disk");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
}

// A rename survives power loss only if the folder is flushed too; folders that cannot be opened are skipped.
void flush_folder(fs::path const& file)
{
    fs::path const folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    int const descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

AtomicFile::AtomicFile(fs::path path) : path_(resolve_target(std::move(path)))
{
    descriptor_ = create_exclusively(path_, temporary_path_);
    struct stat existing {};
    if (::stat(path_.c_str(), &existing) == 0) {
        // Keeps the permissions of the file that will be replaced; some file systems have none.
        if (::fchmod(descriptor_, existing.st_mode & 07777) != 0) errno = 0;
    }
}

AtomicFile::~AtomicFile()
{
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_path_.c_str());
}

void AtomicFile::write(std::span<std::byte const> bytes)
{
    write_all(descriptor_, 0, bytes, false, path_);
}

void AtomicFile::write_at(std::uint64_t offset_bytes, std::span<std::byte const> bytes)
{
    write_all(descriptor_, offset_bytes, bytes, true, path_);
}

void AtomicFile::reopen()
{
    int const descriptor = ::open(temporary_path_.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        fail_system("cannot open the finished output: " + reason(errno), path_.string(),
                    "check that no other program cleans this folder");
    ::close(descriptor_);
    descriptor_ = descriptor;
}

void AtomicFile::commit()
{
    if (::fsync(descriptor_) != 0) {
        fail_system("cannot flush to disk: " + reason(errno), path_.string(),
                    "free some space or write to another disk");
    }
    if (::rename(temporary_path_.c_str(), path_.c_str()) != 0) {
        fail_system("cannot rename the finished output into place: " + reason(errno), path_.string(),
                    "check that the folder exists and is writable");
    }
    ::close(descriptor_);
    descriptor_ = -1;
    flush_folder(path_);
}

void write_file_atomically(fs::path const& path, std::span<std::byte const> bytes)
{
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

} // namespace volpt
