// From C++ to numpy.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <vector>

namespace volpt::python {

/// An array that owns the values, C order.
template <typename Number>
nanobind::ndarray<nanobind::numpy, Number> make_array(std::vector<Number> values,
                                                      std::initializer_list<std::size_t> shape)
{
    auto owned = std::make_unique<std::vector<Number>>(std::move(values));
    Number* const data = owned->data();
    nanobind::capsule const owner(owned.release(),
                                  [](void* pointer) noexcept { delete static_cast<std::vector<Number>*>(pointer); });
    return nanobind::ndarray<nanobind::numpy, Number>(data, shape, owner);
}

/// The answer of `work`, which Python's other threads do not wait for.
template <class Work>
auto run_released(Work&& work)
{
    nanobind::gil_scoped_release const released;
    return work();
}

} // namespace volpt::python
