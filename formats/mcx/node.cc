#include "formats/mcx/node.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// As messages quote it; objects and long lists are cut.
std::string quote_value(nlohmann::json const& value)
{
    constexpr std::size_t kMost = 60;
    std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() > kMost) text = text.substr(0, kMost) + "..";
    return text;
}

} // namespace

McxNode::McxNode(nlohmann::json const& value, std::string file, std::string path)
    : value_(&value), file_(std::move(file)), path_(std::move(path)),
      read_(std::make_shared<std::set<nlohmann::json const*>>())
{
}

McxNode::McxNode(nlohmann::json const& value, McxNode const& parent, std::string path)
    : value_(&value), file_(parent.file_), path_(std::move(path)), read_(parent.read_)
{
}

std::string McxNode::where() const
{
    return path_.empty() ? file_ : file_ + ": " + path_;
}

void McxNode::refuse(std::string const& what, std::string const& why, std::string const& what_to_do) const
{
    fail_input(what, where(), why, what_to_do);
}

void McxNode::refuse_type(std::string const& wanted) const
{
    refuse(fmt::format("{} is not {}", quote_value(*value_), wanted), "MCX's input has such a value here",
           "correct the file");
}

McxNode McxNode::child(std::string const& key) const
{
    if (!value_->is_object()) refuse_type("an object");
    if (!value_->contains(key)) refuse(fmt::format("has no '{}'", key), "MCX needs it too", "add it");
    read_->insert(&value_->at(key));
    return {value_->at(key), *this, path_.empty() ? key : path_ + "." + key};
}

McxNode McxNode::element(std::size_t index) const
{
    return {value_->at(index), *this, fmt::format("{}[{}]", path_, index)};
}

double McxNode::number(double low, double high) const
{
    double const number = value_->is_number() ? value_->get<double>() : std::nan("");
    if (!(number >= low && number <= high)) refuse_type(fmt::format("a number from {:g} to {:g}", low, high));
    return number;
}

int McxNode::integer(int low, int high) const
{
    double const number = value_->is_number() ? std::trunc(value_->get<double>()) : std::nan("");
    if (!(number >= low && number <= high)) refuse_type(fmt::format("a whole number from {} to {}", low, high));
    return static_cast<int>(number);
}

bool McxNode::flag() const
{
    if (value_->is_boolean()) return value_->get<bool>();
    if (!value_->is_number()) refuse_type("true, false, 0 or 1");
    return value_->get<double>() != 0;
}

std::string McxNode::text() const
{
    if (!value_->is_string()) refuse_type("a text");
    return value_->get<std::string>();
}

std::vector<double> McxNode::numbers(std::size_t least, std::size_t most, double low, double high) const
{
    if (!value_->is_array() || value_->size() < least || value_->size() > most)
        refuse_type(least == most ? fmt::format("{} numbers", least) : fmt::format("{} to {} numbers", least, most));
    std::vector<double> list;
    for (std::size_t i = 0; i < value_->size(); ++i) list.push_back(element(i).number(low, high));
    return list;
}

std::array<double, 3> McxNode::triple(double low, double high) const
{
    auto const list = numbers(3, 3, low, high);
    return {list[0], list[1], list[2]};
}

std::array<int, 3> McxNode::integers(int low, int high) const
{
    if (!value_->is_array() || value_->size() != 3) refuse_type("three whole numbers");
    return {element(0).integer(low, high), element(1).integer(low, high), element(2).integer(low, high)};
}

double McxNode::number_or(char const* key, double fallback, double low, double high) const
{
    return has(key) ? child(key).number(low, high) : fallback;
}

bool McxNode::flag_or(char const* key, bool fallback) const
{
    return has(key) ? child(key).flag() : fallback;
}

std::vector<std::string> McxNode::list_unread() const
{
    std::vector<std::string> names;
    append_unread(*value_, path_, names);
    return names;
}

void McxNode::append_unread(nlohmann::json const& value, std::string const& path, std::vector<std::string>& names) const
{
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i)
            if (value[i].is_structured()) append_unread(value[i], fmt::format("{}[{}]", path, i), names);
    if (!value.is_object()) return;
    for (auto const& [key, member] : value.items()) {
        std::string const name = path.empty() ? key : path + "." + key;
        if (key == "Help" || key.starts_with("_")) continue;
        if (read_->contains(&member))
            append_unread(member, name, names);
        else
            names.push_back(name);
    }
}

} // namespace volpt
