// FLIP: the difference that an observer sees when flipping between two displayed pictures.
//
// Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström & Fairchild 2020.
#pragma once

#include "libvolpt/colour/colour.h"
#include "libvolpt/image/image.h"

#include <functional>
#include <span>

namespace volpt {

/// Loads linear R, G, B as displayed, 0..1 or NaN, of pixels [x_first, x_end) of row y. Called by several threads.
using DisplayedRow = std::function<void(int y, int x_first, int x_end, ColourRow to)>;

struct DisplayedPair {
    int width;
    int height;
    DisplayedRow test;
    DisplayedRow reference;
};

/// The FLIP error of each pixel, 0..1, into `map` of width * height; NaN where the filters cover a NaN.
void measure_flip(DisplayedPair const& pair, double pixels_per_degree, int threads, std::span<float> map);

/// Linear values, clamped to 0..1.
void load_clamped(Image const& image, int y, int x_first, int x_end, ColourRow to);

} // namespace volpt
