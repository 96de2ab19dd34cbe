// Puts the names of numbered slices in order and says which are missing.
#pragma once

#include <string>
#include <vector>

namespace volpt {

struct SliceOrder {
    std::vector<std::string> names;   ///< by the last number in each name, which goes up by one from slice to slice
    std::vector<std::string> notices; ///< names that are left out
};

/// A name's number is its last run of digits before the extension; what stands around it is equal in all slices. Single
/// names that fit nowhere (a thumbnail) are left out with a notice. Error (input) names the slices around a gap, two
/// slices of one number, or two series.
SliceOrder order_slices(std::vector<std::string> const& names, std::string const& where);

} // namespace volpt
