// Unknown keys are refused, so that a misspelt key cannot turn a test off.
#include "libvolpt/stats/verdict/suite.h"

#include "libvolpt/stats/verdict/suite_pattern.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace volpt {
namespace {

using SuiteJson = nlohmann::json;

/// The members of one object. `finish` refuses those that were not asked for.
class Members {
public:
    Members(SuiteJson const& object, std::string where) : object_(object), where_(std::move(where))
    {
        if (!object.is_object()) fail("is no JSON object");
    }

    [[noreturn]] void fail(std::string what) const
    {
        fail_input(std::move(what), where_, "docs/formats/volcompare-suite.md");
    }

    template <class Value>
    std::optional<Value> find(char const* key)
    {
        asked_.insert(key);
        auto const member = object_.find(key);
        if (member == object_.end() || member->is_null()) return {};
        try {
            if constexpr (std::is_same_v<Value, std::uint64_t>)
                if (!member->is_number_unsigned()) fail(fmt::format("'{}' is no whole number from 0", key));
            return member->get<Value>();
        } catch (SuiteJson::exception const&) {
            fail(fmt::format("'{}' has a wrong type", key));
        }
    }

    SuiteJson const* find_any(char const* key)
    {
        asked_.insert(key);
        auto const member = object_.find(key);
        return member == object_.end() || member->is_null() ? nullptr : &*member;
    }

    void finish() const
    {
        for (auto const& [key, value] : object_.items())
            if (!asked_.contains(key)) fail(fmt::format("'{}' is no known key", key));
    }

private:
    SuiteJson const& object_;
    std::string where_;
    std::set<std::string> asked_;
};

std::optional<ExpectationSettings> read_expectation(Members& pair, std::string const& where)
{
    SuiteJson const* const json = pair.find_any("statistical");
    if (json == nullptr || *json == false) return {};
    ExpectationSettings settings;
    if (*json == true) return settings;
    Members members(*json, where + ", statistical");
    settings.alpha = members.find<double>("alpha").value_or(settings.alpha);
    if (!(settings.alpha >= 1e-12 && settings.alpha <= 0.5)) members.fail("'alpha' is not in 1e-12 .. 0.5");
    if (auto const text = members.find<std::string>("correction")) {
        auto const correction = find_word<Correction>(*text);
        if (!correction) members.fail("'correction' is neither sidak nor holm");
        settings.correction = *correction;
    }
    members.finish();
    return settings;
}

Criteria read_criteria(Members& pair, std::string const& where)
{
    Criteria criteria;
    criteria.metrics = pair.find<std::vector<std::string>>("metrics").value_or(std::vector<std::string>{});
    criteria.expectation = read_expectation(pair, where);
    try {
        if (auto const text = pair.find<std::string>("threshold")) criteria.threshold = parse_threshold(*text);
        select_metrics(criteria);
    } catch (Error const& error) {
        pair.fail(error.what());
    }
    return criteria;
}

LayerChoice read_layers(Members& pair)
{
    LayerChoice layers;
    layers.prefix = pair.find<std::string>("layer").value_or("");
    try {
        if (auto const text = pair.find<std::string>("noise_layer")) layers.noise = parse_noise_layer(*text);
    } catch (Error const& error) {
        pair.fail(error.what());
    }
    return layers;
}

/// Members of pairs that do not have their own: how to judge, not what.
SuiteJson read_defaults(Members& suite, std::string const& where)
{
    SuiteJson const* const json = suite.find_any("defaults");
    if (json == nullptr) return SuiteJson::object();
    std::string const place = where + ", defaults";
    Members members(*json, place);
    members.find<std::vector<std::string>>("channels");
    read_layers(members);
    read_criteria(members, place);
    members.finish();
    return *json;
}

/// Test, reference and volume are the texts of the suite, which may be patterns.
SuitePair read_pair(SuiteJson const& own, SuiteJson const& defaults, std::filesystem::path const& folder,
                    std::string const& where)
{
    SuiteJson json = own;
    if (own.is_object())
        for (auto const& [key, value] : defaults.items())
            if (!own.contains(key)) json[key] = value;
    Members members(json, where);
    auto const path = [&](char const* key) -> std::optional<std::filesystem::path> {
        auto const text = members.find<std::string>(key);
        if (!text) return {};
        return std::filesystem::path(*text);
    };
    SuitePair pair;
    auto const test = path("test");
    if (!test) members.fail("lacks 'test'");
    pair.test = *test;
    pair.name = members.find<std::string>("name").value_or(pair.test.filename().string());
    pair.reference = path("reference");
    pair.volume = path("volume");
    pair.environment = path("environment");
    if (pair.environment) pair.environment = folder / *pair.environment;
    pair.seed = members.find<std::uint64_t>("seed");
    pair.spp = members.find<std::uint64_t>("spp");
    pair.channels = members.find<std::vector<std::string>>("channels").value_or(std::vector<std::string>{});
    pair.layers = read_layers(members);
    pair.criteria = read_criteria(members, where);
    if (pair.reference.has_value() == pair.volume.has_value()) members.fail("needs one of 'reference' and 'volume'");
    if (pair.reference && (pair.environment || pair.seed || pair.spp))
        members.fail("'environment', 'seed' and 'spp' belong to a rendered reference, which needs 'volume'");
    members.finish();
    return pair;
}

} // namespace

Suite read_suite(std::filesystem::path const& path)
{
    MappedFile const file(path);
    std::string const where = path.string();
    std::string_view const text(reinterpret_cast<char const*>(file.bytes().data()), file.bytes().size());
    SuiteJson const json = parse_json(text);
    if (json.is_discarded()) fail_input("is no JSON", where, "docs/formats/volcompare-suite.md");
    Members members(json, where);
    if (members.find<std::uint64_t>("schema_version") != 1u) members.fail("'schema_version' is not 1");
    std::filesystem::path const folder = path.parent_path();
    Suite suite;
    suite.cache = folder / members.find<std::string>("cache").value_or("volcompare-cache");
    SuiteJson const defaults = read_defaults(members, where);
    SuiteJson const* const pairs = members.find_any("pairs");
    if (pairs == nullptr || !pairs->is_array() || pairs->empty()) members.fail("'pairs' is no list of at least one");
    std::set<std::string> names;
    for (std::size_t i = 0; i < pairs->size(); ++i) {
        std::string const place = fmt::format("{}, pair {}", where, i + 1);
        for (SuitePair& pair : expand_pattern(read_pair((*pairs)[i], defaults, folder, place), folder, place)) {
            if (!names.insert(pair.name).second) members.fail(fmt::format("two pairs are called '{}'", pair.name));
            suite.pairs.push_back(std::move(pair));
        }
    }
    members.finish();
    return suite;
}

} // namespace volpt
