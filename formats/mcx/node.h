// A value of an MCX input file and its place in it.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace volpt {

/// Errors (input) name the file and the field: "cube60.json: Domain.Media[1].mua". A node knows, with those that it was
/// taken from, which members were asked for.
class McxNode {
public:
    McxNode(nlohmann::json const& value, std::string file, std::string path = "");

    std::string const& path() const { return path_; }
    std::string where() const;

    bool is_object() const { return value_->is_object(); }
    bool is_array() const { return value_->is_array(); }
    bool is_text() const { return value_->is_string(); }
    bool has(char const* key) const { return value_->is_object() && value_->contains(key); }
    std::size_t size() const { return value_->size(); }
    nlohmann::json const& value() const { return *value_; }

    /// Error if there is none.
    McxNode child(std::string const& key) const;
    McxNode element(std::size_t index) const;

    /// The value itself; the bounds are included.
    double number(double low, double high) const;
    /// Digits behind the point are dropped, as MCX does.
    int integer(int low, int high) const;
    /// true and false, or a number other than 0.
    bool flag() const;
    std::string text() const;
    /// `least` to `most` numbers.
    std::vector<double> numbers(std::size_t least, std::size_t most, double low, double high) const;
    std::array<double, 3> triple(double low, double high) const;
    std::array<int, 3> integers(int low, int high) const;

    /// Of a member that may be absent.
    double number_or(char const* key, double fallback, double low, double high) const;
    bool flag_or(char const* key, bool fallback) const;

    /// Members of this and of all below that nobody has asked for as a child, as paths. Comments are none: "Help", and
    /// names that begin with "_".
    std::vector<std::string> list_unread() const;

    [[noreturn]] void refuse(std::string const& what, std::string const& why, std::string const& what_to_do) const;

private:
    [[noreturn]] void refuse_type(std::string const& wanted) const;

    McxNode(nlohmann::json const& value, McxNode const& parent, std::string path);

    void append_unread(nlohmann::json const& value, std::string const& path, std::vector<std::string>& names) const;

    nlohmann::json const* value_; ///< of the file, which outlives this object
    std::string file_;
    std::string path_;
    std::shared_ptr<std::set<nlohmann::json const*>> read_; ///< of the file
};

} // namespace volpt
