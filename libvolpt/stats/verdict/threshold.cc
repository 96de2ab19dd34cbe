// A recursive descent parser, and the evaluation of its nodes.
#include "libvolpt/stats/verdict/threshold.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace volpt {

class ThresholdParser {
public:
    explicit ThresholdParser(std::string_view text) : text_(text) { threshold_.text_ = text; }

    Threshold parse()
    {
        threshold_.root_ = parse_either();
        skip_space();
        if (at_ != text_.size()) fail("'and', 'or' or the end");
        return std::move(threshold_);
    }

private:
    using Kind = Threshold::Kind;
    using Order = Threshold::Order;
    static constexpr int kDeepestNesting = 100;

    [[noreturn]] void fail(std::string_view expected) const
    {
        fail_usage(fmt::format("--threshold '{}': {} is expected at letter {}", text_, expected, at_ + 1),
                   "write it like 'rmse<0.02 and max<=0.1'");
    }

    static bool is_name_letter(char c)
    {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    }

    void skip_space()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }

    bool accept(std::string_view symbol)
    {
        skip_space();
        if (!text_.substr(at_).starts_with(symbol)) return false;
        at_ += symbol.size();
        return true;
    }

    bool accept_word(std::string_view word)
    {
        skip_space();
        std::size_t const end = at_ + word.size();
        if (!text_.substr(at_).starts_with(word) || (end < text_.size() && is_name_letter(text_[end]))) return false;
        at_ = end;
        return true;
    }

    std::size_t add(Threshold::Node node)
    {
        threshold_.nodes_.push_back(std::move(node));
        return threshold_.nodes_.size() - 1;
    }

    std::size_t join(Kind kind, std::size_t left, std::size_t right)
    {
        Threshold::Node node;
        node.kind = kind;
        node.left = left;
        node.right = right;
        return add(std::move(node));
    }

    std::size_t parse_either()
    {
        std::size_t node = parse_both();
        while (accept_word("or")) node = join(Kind::either, node, parse_both());
        return node;
    }

    std::size_t parse_both()
    {
        std::size_t node = parse_factor();
        while (accept_word("and")) node = join(Kind::both, node, parse_factor());
        return node;
    }

    std::size_t parse_factor()
    {
        if (!accept("(")) return parse_comparison();
        if (++nesting_ > kDeepestNesting) fail("less nesting");
        std::size_t const node = parse_either();
        --nesting_;
        if (!accept(")")) fail("')'");
        return node;
    }

    std::size_t parse_comparison()
    {
        Threshold::Node node;
        skip_space();
        while (at_ < text_.size() && is_name_letter(text_[at_])) node.name += text_[at_++];
        if (node.name.empty() || std::isalpha(static_cast<unsigned char>(node.name[0])) == 0) fail("a metric's name");
        if (node.name == "and" || node.name == "or") fail("a metric's name before it");
        skip_space();
        std::size_t const begin = at_;
        if (accept("<="))
            node.order = Order::less_equal;
        else if (accept(">="))
            node.order = Order::greater_equal;
        else if (accept("<"))
            node.order = Order::less;
        else if (accept(">"))
            node.order = Order::greater;
        else
            fail("< <= > or >=");
        std::string const order(text_.substr(begin, at_ - begin));
        node.bound = parse_number();
        node.text = fmt::format("{} {}", order, node.bound);
        return add(std::move(node));
    }

    double parse_number()
    {
        skip_space();
        double value = 0;
        auto const [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{} || value != value) fail("a number");
        at_ = static_cast<std::size_t>(end - text_.data());
        if (at_ < text_.size() && is_name_letter(text_[at_])) fail("a space after the number");
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int nesting_ = 0;
    Threshold threshold_;
};

Threshold parse_threshold(std::string_view expression)
{
    return ThresholdParser(expression).parse();
}

std::vector<std::string> Threshold::names() const
{
    std::vector<std::string> names;
    for (Node const& node : nodes_)
        if (node.kind == Kind::compare && std::ranges::find(names, node.name) == names.end())
            names.push_back(node.name);
    return names;
}

Threshold::Outcome Threshold::evaluate(std::span<MetricValue const> values) const
{
    Outcome outcome;
    outcome.holds = evaluate_node(root_, values, outcome);
    return outcome;
}

/// Always evaluates both operands, so that every failure is listed and every unknown name found.
bool Threshold::evaluate_node(std::size_t index, std::span<MetricValue const> values, Outcome& outcome) const
{
    Node const& node = nodes_[index];
    if (node.kind != Kind::compare) {
        bool const left = evaluate_node(node.left, values, outcome);
        bool const right = evaluate_node(node.right, values, outcome);
        return node.kind == Kind::both ? left && right : left || right;
    }
    auto const found = std::ranges::find(values, node.name, &MetricValue::name);
    if (found == values.end()) {
        std::string known;
        for (MetricValue const& value : values) known += " " + value.name;
        fail_usage(fmt::format("--threshold '{}': no value is called '{}'", text_, node.name), "known are" + known);
    }
    bool holds = false;
    switch (node.order) {
    case Order::less:
        holds = found->value < node.bound;
        break;
    case Order::less_equal:
        holds = found->value <= node.bound;
        break;
    case Order::greater:
        holds = found->value > node.bound;
        break;
    case Order::greater_equal:
        holds = found->value >= node.bound;
        break;
    }
    if (!holds) outcome.failures.push_back(fmt::format("{} = {} is not {}", node.name, found->value, node.text));
    return holds;
}

} // namespace volpt
