// Fuzz target of what clients of volview send: headers and commands. The first byte says what the rest is.
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"
#include "tools/volview/access/access.h"
#include "tools/volview/access/request_head.h"
#include "tools/volview/commands.h"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

void require_that(bool holds)
{
    if (!holds) std::abort();
}

void try_host(std::string_view text)
{
    auto const host = parse_host(text);
    std::string const example = "example.org";
    require_that(!is_allowed_host(text, {&example, 1}) || host);
    if (!host) return;
    require_that(text.size() >= host->size() && parse_host(*host) == host);
    require_that(is_same_origin("http://" + std::string(text), text));
}

void try_cookie(std::string_view text)
{
    if (auto const value = find_cookie(text, "volview-0"))
        require_that(value->data() >= text.data() && value->data() + value->size() <= text.data() + text.size());
    if (auto const bearer = find_bearer(text)) require_that(bearer->size() <= text.size());
    is_json_type(text);
    require_that(!equals_in_constant_time(text, "0123456789abcdef") || text == "0123456789abcdef");
}

void try_origin(std::string_view text)
{
    require_that(!is_same_origin(text, "localhost:8080") ||
                 text.size() == std::string_view("http://localhost:8080").size());
}

/// What is accepted has one length and no range, and is accepted again.
void try_head(std::string_view text)
{
    auto const checked = check_head(text);
    if (auto const* const fault = std::get_if<HeadFault>(&checked)) {
        require_that(fault->status >= 400 && fault->status < 500 && !fault->sentence.empty());
        return;
    }
    RequestHead const& head = std::get<RequestHead>(checked);
    require_that(head.text.size() <= text.size() && head.text.ends_with("\r\n\r\n"));
    auto const again = check_head(head.text);
    require_that(std::holds_alternative<RequestHead>(again) && std::get<RequestHead>(again).text == head.text &&
                 std::get<RequestHead>(again).range.empty());
}

void try_range(std::string_view text)
{
    for (std::uint64_t const size : {std::uint64_t(1), std::uint64_t(1000), ~std::uint64_t(0)})
        if (ContentPart const part = find_part(text, size); part.kind != ContentPart::Kind::nothing)
            require_that(part.length > 0 && part.offset < size && part.length <= size - part.offset);
}

/// What was accepted is within the ranges of volrender's options.
void try_command(std::uint8_t kind, std::string_view text)
{
    nlohmann::ordered_json const command = parse_command(text);
    if (kind == 0) {
        OptionsCommand const camera = parse_camera_command(command);
        for (char const* const name : {"origin", "target"})
            parse_length_triple_mm(name, *camera.texts.at(name), SingleValue::refused);
        parse_triple("up", *camera.texts.at("up"), SingleValue::refused);
    } else if (kind == 1) {
        parse_options_command(command);
    } else if (kind == 2) {
        int const band = parse_display_command(command, {}, 3).band;
        require_that(band >= -1 && band < 3);
    } else if (kind == 3) {
        PicturePoint const point = parse_pick_command(command);
        require_that(point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1);
    } else if (kind == 4) {
        PictureRectangle const patch = parse_patch_command(command);
        require_that(0 <= patch.x0 && patch.x0 <= patch.x1 && patch.x1 <= 1);
        require_that(0 <= patch.y0 && patch.y0 <= patch.y1 && patch.y1 <= 1);
    } else {
        parse_save_command(command);
    }
}

} // namespace
} // namespace volpt

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    if (size == 0) return 0;
    std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    std::uint8_t const kind = data[0] % 11;
    try {
        if (kind == 0) volpt::try_host(text);
        if (kind == 1) volpt::try_cookie(text);
        if (kind == 2) volpt::try_origin(text);
        if (kind == 9) volpt::try_head(text);
        if (kind == 10) volpt::try_range(text);
        if (kind > 2 && kind < 9) volpt::try_command(static_cast<std::uint8_t>(kind - 3), text);
    } catch (volpt::Error const& error) {
        if (error.status() != volpt::ExitStatus::usage) std::abort();
    }
    return 0;
}
