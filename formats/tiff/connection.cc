#include "formats/tiff/connection.h"

#include "formats/common/sandboxed_source.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/element_type.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

bool are_same_layer(TiffRequest const& a, TiffRequest const& b)
{
    return a.page == b.page && a.layer == b.layer;
}

} // namespace

TiffConnection::TiffConnection(std::string where, std::vector<std::string> paths, std::optional<SandboxLimits> limits)
    : where_(std::move(where)), paths_(std::move(paths)),
      sandbox_(where_, limits ? *limits : find_sandbox_limits(paths_),
               [this](SandboxPort& port) { serve_tiff(paths_, port); })
{
    auto const& notes = receive(kTiffNotes);
    auto const json = parse_json({reinterpret_cast<char const*>(notes.bytes.data()), notes.bytes.size()});
    if (!json.is_object()) fail();
    for (auto& notice : json.value("notices", std::vector<std::string>())) notices_.push_back(std::move(notice));
    receive_texts(json.value("texts", std::size_t{0}));
    receive_pages();
}

std::string const& TiffConnection::find_text(std::uint32_t file) const
{
    static std::string const kNone;
    auto const found = texts_.lower_bound({file, 0});
    return found != texts_.end() && found->first.first == file ? found->second : kNone;
}

void TiffConnection::fail() const
{
    fail_input("its description is unreadable", where_, {}, "the file is damaged");
}

SandboxMessage const& TiffConnection::receive(std::uint32_t kind)
{
    SandboxMessage const& message = sandbox_.receive();
    if (message.kind != kind) fail();
    return message;
}

void TiffConnection::receive_texts(std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        SandboxMessage const& message = receive(kTiffText);
        TiffTextPlace place{};
        if (message.bytes.size() < sizeof place) fail();
        std::memcpy(&place, message.bytes.data(), sizeof place);
        auto const text = std::span(message.bytes).subspan(sizeof place);
        texts_[{place.file, place.page}].assign(reinterpret_cast<char const*>(text.data()), text.size());
    }
}

void TiffConnection::receive_pages()
{
    for (;;) {
        SandboxMessage const& message = receive(kTiffPages);
        std::size_t const count = message.bytes.size() / sizeof(TiffPage);
        if (count == 0) break;
        std::size_t const before = pages_.size();
        pages_.resize(before + count);
        std::memcpy(pages_.data() + before, message.bytes.data(), count * sizeof(TiffPage));
        for (std::size_t i = before; i < pages_.size(); ++i) check_page(pages_[i]);
    }
    if (pages_.empty()) fail();
}

/// The process that read the file may be under the control of a malicious one.
void TiffConnection::check_page(TiffPage const& page) const
{
    bool const is_sound = page.file < paths_.size() && page.width >= 1 && page.width <= 65535 && page.height >= 1 &&
                          page.height <= 65535 && page.channels >= 1 && page.channels <= 65535 &&
                          page.element <= static_cast<std::uint32_t>(ElementType::f64) && page.layers >= 1 &&
                          page.room >= 1 && page.kind <= TiffSamplesKind::channels &&
                          (page.channels <= 4 || page.kind == TiffSamplesKind::channels);
    if (!is_sound) fail();
}

std::span<std::byte const> TiffConnection::read(TiffRequest const& request, std::optional<TiffRequest> const& next)
{
    if (asked_ && !are_same_layer(*asked_, request)) take();
    if (!asked_) ask(request);
    take();
    if (next) ask(*next);
    return pixels_;
}

void TiffConnection::ask(TiffRequest const& request)
{
    sandbox_.send(std::as_bytes(std::span(&request, 1)));
    asked_ = request;
}

/// The layer asked for, into pixels_.
void TiffConnection::take()
{
    TiffPage const& page = pages_[asked_->page];
    asked_.reset();
    pixels_.resize(std::size_t{page.width} * page.height * page.channels *
                   element_size_bytes(static_cast<ElementType>(page.element)));
    for (std::size_t at = 0; at < pixels_.size();) {
        SandboxMessage const& piece = sandbox_.receive();
        if (piece.kind != kTiffPixels || piece.bytes.empty() || piece.bytes.size() > pixels_.size() - at) fail();
        std::ranges::copy(piece.bytes, pixels_.begin() + static_cast<std::ptrdiff_t>(at));
        at += piece.bytes.size();
    }
}

} // namespace volpt
