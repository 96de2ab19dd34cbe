// What the parts of a drawn sheet share: sizes in pixels, colours, lines of text, scale bars.
#pragma once

#include "libvolpt/image/drawing/drawing.h"

#include <string>
#include <vector>

namespace volpt {

inline constexpr int kMargin = 24, kPictureWidth = 400, kPictureHeight = 480, kLine = 28;
inline constexpr int kSheetWidth = 4 * kMargin + 3 * kPictureWidth;
inline constexpr PaintColour kInk{0.13f, 0.13f, 0.13f}, kGrid{0.8f, 0.8f, 0.8f}, kGrey{0.4f, 0.4f, 0.4f},
    kBlack{0, 0, 0}, kWhite{1, 1, 1};

/// Clamped to what a drawing may have.
int limit_height(double height);

/// The factor by which the picture fits into width x height, the largest; above 1 a whole number.
double choose_scale(Image const& picture, double width, double height);

/// The largest of 1, 2, 5 times a power of ten that is at most a third of the width.
double choose_bar_mm(double width_mm);

/// A bar for a picture of `width_mm` that is `width_px` wide, from `corner` to the right, with its length beside it.
void draw_bar(Drawing& drawing, double width_mm, double width_px, DrawnPoint corner);

/// The same as HTML, for a picture that is `width_px` wide.
std::string format_bar(double width_mm, double width_px);

/// Sentences as lines that fit into the sheet; further lines of a sentence are indented.
std::vector<std::string> wrap_lines(std::vector<std::string> const& sentences);

/// The beginning of a text that fits into `width` pixels is cut off, and "..." put there.
std::string shorten(std::string const& text, double width);

} // namespace volpt
