// Chooses the encoding of densities.
#include "libvolpt/medium/density_code.h"

#include <cmath>

namespace volpt {
namespace {

double largest_code(Encoding encoding)
{
    return encoding == Encoding::u8 ? 255 : 65535;
}

bool is_fixed_point(Encoding encoding)
{
    return encoding == Encoding::u8 || encoding == Encoding::u16;
}

/// Steps between low and high if every integer between them is a code of its own.
std::optional<double> count_window_steps(ElementType element, Window const& window)
{
    bool const whole = window.low == std::floor(window.low) && window.high == std::floor(window.high);
    double const steps = window.high - window.low;
    if (!is_integer(element) || !whole || steps > 65535 || std::abs(window.low) > 1e7) return std::nullopt;
    return steps;
}

} // namespace

DensityCode choose_density_code(ElementType element, std::optional<Window> const& window,
                                std::optional<Encoding> wanted)
{
    DensityCode code;
    if (window) {
        auto const steps = count_window_steps(element, *window);
        Encoding const smallest = !steps ? Encoding::f32 : *steps <= 255 ? Encoding::u8 : Encoding::u16;
        code.encoding = wanted.value_or(smallest);
        code.counts_steps = steps && is_fixed_point(code.encoding) && *steps <= largest_code(code.encoding);
        if (is_fixed_point(code.encoding))
            code.value_scale = static_cast<float>(1 / (code.counts_steps ? *steps : largest_code(code.encoding)));
        return code;
    }
    std::size_t const size = element_size_bytes(element);
    Encoding const own = !is_integer(element) ? (element == ElementType::f16 ? Encoding::f16 : Encoding::f32)
                         : size == 1          ? Encoding::u8
                         : size == 2          ? Encoding::u16
                                              : Encoding::f32;
    code.encoding = wanted.value_or(own);
    bool const holds_integers = is_integer(element) && (size == 1 || (size == 2 && code.encoding == Encoding::u16));
    code.needs_maximum = is_fixed_point(code.encoding) && !holds_integers;
    return code;
}

} // namespace volpt
