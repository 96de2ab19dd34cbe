// A gzip file that appears whole or not at all; the same content gives the same bytes.
#pragma once

#include "libvolpt/sys/atomic_file.h"

#include <memory>

namespace volpt {

class GzipFile {
public:
    explicit GzipFile(std::filesystem::path path);
    ~GzipFile();
    GzipFile(GzipFile const&) = delete;
    GzipFile& operator=(GzipFile const&) = delete;

    /// Errors are those of AtomicFile.
    void write(std::span<std::byte const> bytes);
    void commit();

private:
    struct Stream;
    void deflate_all(std::span<std::byte const> bytes, int flush);

    AtomicFile file_;
    std::unique_ptr<Stream> stream_;
};

} // namespace volpt
