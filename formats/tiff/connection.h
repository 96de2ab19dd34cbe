// The parent's end of the connection to the sandboxed process that reads TIFF files.
#pragma once

#include "formats/tiff/messages.h"

#include <map>
#include <optional>

namespace volpt {

class TiffConnection {
public:
    /// Receives texts and pages of all files. `limits` are those of the process; absent: by the files' sizes. Error
    /// (input) starts with `where` or names a file.
    TiffConnection(std::string where, std::vector<std::string> paths, std::optional<SandboxLimits> limits);

    std::string const& where() const noexcept { return where_; }
    std::vector<std::string> const& paths() const noexcept { return paths_; }
    std::vector<std::string> const& notices() const noexcept { return notices_; }
    /// In the order of files, and of pages in a file.
    std::vector<TiffPage> const& pages() const noexcept { return pages_; }

    /// What a file's first page says; empty if nothing.
    std::string const& find_text(std::uint32_t file) const;
    /// Where texts are, by file and page number.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> const& texts() const noexcept { return texts_; }

    /// The samples of a layer, channels fastest, in this machine's byte order; valid until the next call. `next` is
    /// asked for ahead.
    std::span<std::byte const> read(TiffRequest const& request, std::optional<TiffRequest> const& next);

private:
    [[noreturn]] void fail() const;
    SandboxMessage const& receive(std::uint32_t kind);
    void receive_texts(std::size_t count);
    void receive_pages();
    void check_page(TiffPage const& page) const;
    void ask(TiffRequest const& request);
    void take();

    std::string where_;
    std::vector<std::string> paths_;
    std::vector<std::string> notices_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> texts_;
    std::vector<TiffPage> pages_;
    Sandbox sandbox_;
    std::optional<TiffRequest> asked_;
    std::vector<std::byte> pixels_;
};

} // namespace volpt
