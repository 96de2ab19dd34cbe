// Letters as pixels: DejaVu Sans, built into the programs where the package of fonts is installed, else plain strokes.
#pragma once

#include <functional>
#include <string_view>

namespace volpt {

/// Width in pixels of a UTF-8 text whose capitals are `capital_px` high.
double measure_letters(std::string_view text, double capital_px);

/// Covers part 0..1 of the pixel (x, y); y points down. Pixels may lie anywhere.
using PixelCover = std::function<void(int x, int y, float part)>;

/// Draws a UTF-8 text from `left` on, its baseline at `baseline`. What the font does not have, and bytes that are no
/// UTF-8, become '?'.
void cover_letters(std::string_view text, double left, double baseline, double capital_px, PixelCover const& cover);

} // namespace volpt
