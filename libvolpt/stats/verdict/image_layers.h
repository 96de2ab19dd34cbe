// Pictures of other renderers: which of their layers is compared, and which holds its noise.
#pragma once

#include "libvolpt/stats/verdict/subject.h"

#include <span>

namespace volpt {

/// What the numbers of a noise layer are.
enum class NoiseKind { standard_deviation, variance };

/// A layer with the noise of each pixel: channels NAME.R, .G, .B, or one for all.
struct NoiseLayer {
    std::string name;
    NoiseKind kind = NoiseKind::standard_deviation;
    double samples = 1; ///< per pixel, where the noise is that of single samples; 1: it is the pixel's
};

struct LayerChoice {
    std::string prefix; ///< "ViewLayer.Combined": its channels are compared; empty: those of the image itself
    std::optional<NoiseLayer> noise;
};

/// The noise layer as volcompare takes it: "NAME[,variance|deviation][,samples=N]". Without a kind, a name that
/// contains "variance", in any case, is one of variances. Error (usage) for another form.
NoiseLayer parse_noise_layer(std::string const& text);

/// Turns PREFIX.R, .. of each side that has them into R, .., or the single channel PREFIX into Y, and drops its other
/// picture. Makes standard_error.R, .. of the noise layer, with notices; they replace those that the side has. Films
/// are left alone. Error (input), with the layers there are, if no side has the layer; if the noise is of no channel
/// that is compared; and for negative variances.
void choose_layers(Subject& test, Subject& reference, LayerChoice const& choice);
/// The same of any number of sides.
void choose_layers(std::span<Subject* const> sides, LayerChoice const& choice);

} // namespace volpt
