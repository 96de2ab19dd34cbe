#include "libvolpt/sys/provenance.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

// Quoted where a shell would split or expand, so that the line can be pasted into a shell.
std::string quote_for_shell(std::string const& word)
{
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,/:@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string quoted = "'";
    for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string utc_now()
{
    std::time_t const now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return std::string(text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
}

/// Reads a flat object of strings in linear time: ordered_json and Provenance::set search all keys for each new one.
class ProvenanceReader final : public nlohmann::json_sax<Json> {
public:
    Provenance provenance;
    std::optional<std::string> odd_entry; ///< key of a value that is not a string

    bool null() override { return refuse(); }
    bool boolean(bool) override { return refuse(); }
    bool number_integer(number_integer_t) override { return refuse(); }
    bool number_unsigned(number_unsigned_t) override { return refuse(); }
    bool number_float(number_float_t, string_t const&) override { return refuse(); }
    bool binary(binary_t&) override { return refuse(); }
    bool start_array(std::size_t) override { return refuse(); }
    bool end_array() override { return refuse(); }
    bool end_object() override { return true; }
    bool parse_error(std::size_t, std::string const&, nlohmann::detail::exception const&) override { return false; }
    bool start_object(std::size_t) override { return std::exchange(inside_, true) ? refuse() : true; }
    bool key(string_t& name) override
    {
        key_ = std::move(name);
        return true;
    }
    bool string(string_t& value) override
    {
        if (!inside_) return false;
        auto const [found, is_new] = index_.emplace(key_, provenance.entries.size());
        if (is_new)
            provenance.entries.emplace_back(key_, std::move(value));
        else
            provenance.entries[found->second].second = std::move(value);
        return true;
    }

private:
    bool refuse()
    {
        if (inside_) odd_entry = key_;
        return false;
    }

    bool inside_ = false;
    std::string key_;
    std::unordered_map<std::string, std::size_t> index_;
};

Provenance describe_program(std::string_view tool)
{
    Provenance provenance;
    provenance.set("tool", std::string(tool));
    provenance.set("version", std::string(suite_version()));
    provenance.set("revision", std::string(suite_revision()));
    return provenance;
}

std::string host_name()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

} // namespace

std::string format_command(std::vector<std::string> const& words)
{
    std::string line;
    for (std::string const& word : words) {
        if (!line.empty()) line += ' ';
        line += quote_for_shell(word);
    }
    return line;
}

std::string_view suite_version()
{
    return VOLPT_VERSION;
}

std::string_view suite_revision()
{
    return VOLPT_REVISION;
}

void Provenance::set(std::string key, std::string value)
{
    auto const found =
        std::find_if(entries.begin(), entries.end(), [&](auto const& entry) { return entry.first == key; });
    if (found == entries.end()) {
        entries.emplace_back(std::move(key), std::move(value));
    } else {
        found->second = std::move(value);
    }
}

std::string const* Provenance::find(std::string_view key) const
{
    auto const found =
        std::find_if(entries.begin(), entries.end(), [&](auto const& entry) { return entry.first == key; });
    return found == entries.end() ? nullptr : &found->second;
}

Provenance make_provenance(std::string_view tool, std::vector<std::string> const& command_line)
{
    Provenance provenance = describe_program(tool);
    provenance.set("command_line", format_command(command_line));
    provenance.set("host", host_name());
    provenance.set("time", utc_now());
    return provenance;
}

Provenance make_plain_provenance(std::string_view tool, std::vector<std::string> const& command_outline)
{
    Provenance provenance = describe_program(tool);
    provenance.set("command", format_command(command_outline));
    provenance.set("time", utc_now());
    return provenance;
}

std::string to_json(Provenance const& provenance)
{
    // Command lines may contain invalid UTF-8: it is replaced, not refused.
    auto const quote = [](std::string const& word) {
        return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    // Entry by entry, in linear time: ordered_json searches all keys for each new one, and a film merged from ten
    // thousand has as many.
    std::string text = "{";
    for (auto const& [key, value] : provenance.entries)
        text += fmt::format("{}{}:{}", text.size() > 1 ? "," : "", quote(key), quote(value));
    return text + "}";
}

Provenance parse_provenance(std::string_view json, std::string_view where)
{
    ProvenanceReader reader;
    bool const parsed = Json::sax_parse(json, &reader);
    if (reader.odd_entry)
        fail_input(fmt::format("the provenance entry '{}' is not a string", *reader.odd_entry), std::string(where), {},
                   "make the file again");
    if (!parsed) fail_input("the provenance is not a JSON object", std::string(where), {}, "make the file again");
    return std::move(reader.provenance);
}

} // namespace volpt
