#include "formats/mcx/source.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace volpt {
namespace {

using Place3 = std::array<double, 3>;

constexpr double kSourceReach = 1e9;

Place3 move_by(Place3 const& from, double distance, Place3 const& along)
{
    return {from[0] + distance * along[0], from[1] + distance * along[1], from[2] + distance * along[2]};
}

Place3 find_cross(Place3 const& a, Place3 const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double find_length(Place3 const& v)
{
    return std::hypot(v[0], v[1], v[2]);
}

/// In voxels, from the corner of the volume.
struct AimedSource {
    EmitterKind kind = EmitterKind::beam;
    BeamProfile profile = BeamProfile::pencil;
    Place3 position{};
    Place3 direction{};
    Place3 u{}, v{}; ///< half edges of a rectangle, half length of a slit
    double radius = 0;
    double angle_deg = 0;
    double power_w = 1;
};

class SourceReader {
public:
    SourceReader(McxNode const& node, McxPlace const& place, std::vector<std::string>& notices)
        : node_(node), place_(place), notices_(notices)
    {
    }

    Emitter read()
    {
        if (!node_.is_object())
            node_.refuse("is no object", "several sources are not read", "give one source, and others with --light");
        read_place();
        read_type();
        if (node_.has("Frequency") && node_.child("Frequency").number(-1e18, 1e18) != 0)
            notices_.push_back(node_.path() + ".Frequency is left out: the source is not modulated");
        if (source_.kind == EmitterKind::beam) check_aim();
        enter();
        return make_emitter();
    }

private:
    void read_place()
    {
        source_.position = node_.child("Pos").triple(-kSourceReach, kSourceReach);
        for (double& at : source_.position) at -= place_.origin;
        McxNode const direction = node_.child("Dir");
        if (!direction.is_array() || direction.size() < 3 || direction.size() > 4)
            direction.refuse("is no direction", "it has three numbers, and may have a focal length", "correct it");
        for (std::size_t i = 0; i < 3; ++i)
            source_.direction[i] = direction.element(i).number(-kSourceReach, kSourceReach);
        double const length = find_length(source_.direction);
        if (!(length > 1e-6)) direction.refuse("is no direction", "its length is 0", "correct it");
        for (double& x : source_.direction) x /= length;
        has_focus_ = direction.size() == 4 &&
                     (direction.element(3).is_text() || direction.element(3).number(-kSourceReach, kSourceReach) != 0);
        source_.power_w = node_.number_or("Weight", 1, 1e-12, 1e12);
        for (auto& [key, parameters] : {std::pair{"Param1", &first_}, std::pair{"Param2", &second_}}) {
            if (!node_.has(key)) continue;
            auto const list = node_.child(key).numbers(0, 4, -kSourceReach, kSourceReach);
            std::copy(list.begin(), list.end(), parameters->begin());
        }
    }

    void read_type()
    {
        std::string const type = node_.has("Type") ? node_.child("Type").text() : "pencil";
        if (type == "pencil") return;
        if (type == "isotropic") {
            source_.kind = EmitterKind::point;
            return;
        }
        if (type == "cone") return read_cone();
        if (has_focus_) node_.child("Dir").element(3).refuse("a focus is not read", "beams are parallel", "give 0");
        if (type == "disk")
            read_disk();
        else if (type == "gaussian")
            read_gaussian();
        else if (type == "slit")
            read_slit();
        else if (type == "planar")
            read_planar();
        else
            node_.child("Type").refuse(fmt::format("'{}' is no source that is read", type),
                                       "pencil, isotropic, cone, disk, gaussian, slit and planar are",
                                       "choose one of them");
    }

    [[noreturn]] void refuse_parameter(char const* key, std::string const& what, std::string const& why) const
    {
        (node_.has(key) ? node_.child(key) : node_).refuse(what, why, "correct it");
    }

    void read_cone()
    {
        source_.kind = EmitterKind::spot;
        source_.angle_deg = first_[0] * 180 / std::numbers::pi;
        if (!(source_.angle_deg >= 0.001 && source_.angle_deg <= 180))
            refuse_parameter("Param1", fmt::format("{:g} is no angle of a cone", first_[0]),
                             "it is half the opening angle in radians, 1.8e-5 to pi");
        if (first_[1] > 0)
            refuse_parameter("Param1", "a cone that is even in the polar angle is not read",
                             "a spot is even in solid angle, as Param1[1] = 0 says");
    }

    void read_disk()
    {
        source_.profile = BeamProfile::disc;
        read_radius("the radius of the disk");
        if (first_[1] != 0) refuse_parameter("Param1", "a ring is not read", "the second number is its inner radius");
    }

    void read_gaussian()
    {
        source_.profile = BeamProfile::gaussian;
        read_radius("the waist, where the beam has fallen to 1/e^2,");
    }

    void read_radius(std::string const& name)
    {
        source_.radius = first_[0];
        if (!(source_.radius > 0))
            refuse_parameter("Param1", fmt::format("{:g} is no radius", first_[0]), name + " is its first number");
    }

    void read_slit()
    {
        source_.profile = BeamProfile::slit;
        source_.u = {first_[0] / 2, first_[1] / 2, first_[2] / 2};
        source_.position = move_by(source_.position, 1, source_.u);
        if (!(find_length(find_cross(source_.u, source_.direction)) > 1e-6))
            refuse_parameter("Param1", "the slit has no length across its light", "Param1 leads along it");
        if (second_[0] > 0 || second_[1] > 0)
            refuse_parameter("Param2", "a slit that widens is not read", "its light is parallel");
    }

    void read_planar()
    {
        source_.profile = BeamProfile::rectangle;
        source_.u = {first_[0] / 2, first_[1] / 2, first_[2] / 2};
        source_.v = {second_[0] / 2, second_[1] / 2, second_[2] / 2};
        source_.position = move_by(move_by(source_.position, 1, source_.u), 1, source_.v);
        if (!(find_length(find_cross(source_.u, source_.v)) > 1e-6))
            refuse_parameter("Param2", "the source has no area", "Param1 and Param2 are the edges of a parallelogram");
    }

    /// Where a ray meets the volume, as a distance; nothing if it misses.
    std::optional<double> find_entry(Place3 const& from) const
    {
        double first = 0, last = kSourceReach * 4;
        for (std::size_t i = 0; i < 3; ++i) {
            double const size = place_.dims[i], speed = source_.direction[i];
            if (speed == 0) {
                if (from[i] < 0 || from[i] > size) return std::nullopt;
                continue;
            }
            double const a = (0 - from[i]) / speed, b = (size - from[i]) / speed;
            first = std::max(first, std::min(a, b));
            last = std::min(last, std::max(a, b));
        }
        return first <= last ? std::optional(first) : std::nullopt;
    }

    /// Points of the outline of a beam; of a Gaussian, where it has fallen to 1/e^8.
    std::vector<Place3> list_outline() const
    {
        std::vector<Place3> points{source_.position};
        Place3 u = source_.u, v = source_.v;
        if (source_.radius > 0) {
            Place3 const helper = std::abs(source_.direction[0]) < 0.9 ? Place3{1, 0, 0} : Place3{0, 1, 0};
            u = find_cross(source_.direction, helper);
            double const reach = source_.radius * (source_.profile == BeamProfile::gaussian ? 2 : 1) / find_length(u);
            for (double& x : u) x *= reach;
            v = find_cross(source_.direction, u);
        }
        constexpr double kDiagonal = std::numbers::sqrt2 / 2;
        for (auto [a, b] : {std::pair{1.0, 0.0},
                            {-1.0, 0.0},
                            {0.0, 1.0},
                            {0.0, -1.0},
                            {kDiagonal, kDiagonal},
                            {-kDiagonal, kDiagonal},
                            {kDiagonal, -kDiagonal},
                            {-kDiagonal, -kDiagonal}})
            points.push_back(move_by(move_by(source_.position, a, u), b, v));
        if (source_.profile == BeamProfile::rectangle)
            for (auto [a, b] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}, {-1.0, -1.0}})
                points.push_back(move_by(move_by(source_.position, a, u), b, v));
        return points;
    }

    void check_aim()
    {
        auto const points = list_outline();
        auto const hits = std::ranges::count_if(points, [&](Place3 const& p) { return find_entry(p).has_value(); });
        if (hits == 0)
            node_.refuse("the source misses the volume",
                         fmt::format("the volume reaches from 0 to {}, {}, {}, the source starts at {:g}, {:g}, {:g}",
                                     place_.dims[0], place_.dims[1], place_.dims[2], source_.position[0],
                                     source_.position[1], source_.position[2]),
                         "correct Pos or Dir; Domain.OriginType 1 says that positions count from 0");
        if (hits < static_cast<std::ptrdiff_t>(points.size()))
            notices_.push_back(fmt::format(
                "a part of {} misses the volume: it counts as launched, MCX launches it again", node_.path()));
    }

    /// The axis that a beam is parallel to; -1 if there is none.
    int find_axis() const
    {
        for (int axis = 0; axis < 3; ++axis)
            if (std::abs(source_.direction[static_cast<std::size_t>(axis)]) > 1 - 1e-12) return axis;
        return -1;
    }

    bool is_within() const
    {
        for (std::size_t i = 0; i < 3; ++i)
            if (source_.position[i] < 0 || source_.position[i] >= place_.dims[i]) return false;
        return true;
    }

    /// Moves the start behind the face that the light comes through.
    void enter()
    {
        if (!place_.starts_behind_faces) return;
        bool const is_line = source_.kind == EmitterKind::beam && source_.profile == BeamProfile::pencil;
        int const axis = source_.kind == EmitterKind::beam ? find_axis() : -1;
        if (!is_line && axis < 0 && !is_within()) {
            notices_.push_back(fmt::format("{} is reflected and refracted where it enters the volume: MCX does neither "
                                           "unless Session.DoSpecular says so",
                                           node_.path()));
            return;
        }
        double const way = is_within() || source_.kind != EmitterKind::beam ? 0 : find_entry_of_centre(axis);
        source_.position = move_by(source_.position, way, source_.direction);
        for (std::size_t i = 0; i < 3; ++i) {
            if (!is_line && axis >= 0 && static_cast<int>(i) != axis) continue;
            double const size = place_.dims[i], margin = 0x1p-20 * size;
            source_.position[i] = std::clamp(source_.position[i], margin, size - margin);
            if (axis >= 0) source_.u[i] = source_.v[i] = 0; // the start of each ray moves along it
        }
        if (way > 0)
            notices_.push_back(fmt::format("{} starts where it enters the volume: MCX's time counts the {:g} mm on the "
                                           "way too",
                                           node_.path(), way * place_.unit_mm));
    }

    /// Of a beam whose middle misses the volume, that of its plane.
    double find_entry_of_centre(int axis) const
    {
        if (auto const entry = find_entry(source_.position)) return *entry;
        if (axis < 0) return 0;
        auto const i = static_cast<std::size_t>(axis);
        double const face = source_.direction[i] > 0 ? 0 : place_.dims[i];
        return std::max(0.0, (face - source_.position[i]) / source_.direction[i]);
    }

    Emitter make_emitter() const
    {
        Emitter emitter;
        emitter.kind = source_.kind;
        emitter.profile = source_.profile;
        emitter.amount = {static_cast<float>(source_.power_w)};
        for (std::size_t i = 0; i < 3; ++i) {
            emitter.origin_world[i] = source_.position[i] * place_.unit_mm;
            emitter.u_axis_mm[i] = source_.u[i] * place_.unit_mm;
            emitter.v_axis_mm[i] = source_.v[i] * place_.unit_mm;
        }
        emitter.direction_world = source_.direction;
        emitter.radius_mm = source_.radius * place_.unit_mm;
        emitter.angle_deg = emitter.inner_angle_deg = source_.angle_deg;
        return emitter;
    }

    McxNode const& node_;
    McxPlace const& place_;
    std::vector<std::string>& notices_;
    AimedSource source_;
    std::array<double, 4> first_{}, second_{}; ///< Param1, Param2
    bool has_focus_ = false;
};

} // namespace

Emitter read_mcx_source(McxNode const& source, McxPlace const& place, std::vector<std::string>& notices)
{
    return SourceReader(source, place, notices).read();
}

} // namespace volpt
