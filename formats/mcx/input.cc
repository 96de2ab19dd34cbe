#include "formats/mcx/input.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

constexpr double kMostCoefficient = 1e6; // per mm
constexpr std::size_t kMostMedia = 256;
constexpr std::uint32_t kMostGates = 65535; // of a tally

McxMedium read_medium(McxNode const& node)
{
    McxMedium medium;
    auto const set = [&](McxNode const& mua, McxNode const& mus, McxNode const& g, McxNode const& n) {
        medium.mua_per_mm = mua.number(0, kMostCoefficient);
        medium.mus_per_mm = mus.number(0, kMostCoefficient);
        medium.g = g.number(-0.9999, 1);
        medium.index = n.number(0.1, 10);
    };
    if (node.is_array() && node.size() == 4)
        set(node.element(0), node.element(1), node.element(2), node.element(3));
    else
        set(node.child("mua"), node.child("mus"), node.child("g"), node.child("n"));
    return medium;
}

void read_domain(McxNode const& domain, McxInput& input)
{
    for (char const* const key : {"InverseCDF", "MieScatter", "VoxelSize"})
        if (domain.has(key))
            domain.child(key).refuse("is not read", "the medium would be another one without it",
                                     "use media with mua, mus, g and n, and cubic voxels");
    McxNode const media = domain.child("Media");
    if (!media.is_array() || media.size() == 0 || media.size() > kMostMedia)
        media.refuse("is no list of 1 to 256 media", "a label names one of them", "correct it");
    for (std::size_t i = 0; i < media.size(); ++i) input.media.push_back(read_medium(media.element(i)));
    input.unit_mm = domain.number_or("LengthUnit", 1, 1e-6, 1e6);
    if (domain.has("Step")) {
        McxNode const step = domain.child("Step");
        auto const sizes = step.triple(1e-6, 1e6);
        if (sizes[0] != sizes[1] || sizes[1] != sizes[2])
            step.refuse("the three sizes differ", "MCX has cubic voxels", "correct it");
        if (input.unit_mm == 1) input.unit_mm = sizes[0];
    }
    bool const is_from_0 = domain.flag_or("OriginType", false);
    input.origin = is_from_0 ? 0 : 1;
}

void read_gates(McxNode const& forward, McxInput& input)
{
    constexpr double kNs = 1e9;
    double const first = forward.number_or("T0", 0, 0, 1) * kNs, last = forward.child("T1").number(0, 1) * kNs;
    McxGates gates;
    gates.width_ns = forward.child("Dt").number(0, 1) * kNs;
    if (!(last > first && gates.width_ns > 0))
        forward.refuse(fmt::format("T0, T1 and Dt are {:g}, {:g} and {:g} ns", first, last, gates.width_ns),
                       "gates have a width, and end after they begin", "correct them");
    double const before = std::round(first / gates.width_ns);
    double const count = before + std::max(1.0, std::floor((last - first) / gates.width_ns + 0.5));
    if (count > kMostGates)
        forward.refuse(fmt::format("asks for {:g} gates", count), fmt::format("a tally has at most {}", kMostGates),
                       "choose a larger Dt");
    gates.count = static_cast<std::uint32_t>(count);
    if (first > 0)
        input.notices.push_back(fmt::format("{}.T0 is {:g} ns: gates begin at 0, those of MCX are the last {:g} of {}",
                                            forward.path(), first, count - before, gates.count));
    input.gates = gates;
}

void read_detectors(McxNode const& optode, McxInput& input)
{
    if (!optode.has("Detector")) return;
    McxNode const list = optode.child("Detector");
    auto const read = [&](McxNode const& node) {
        McxDetector detector;
        detector.position = node.child("Pos").triple(-1e9, 1e9);
        for (double& at : detector.position) at -= input.origin;
        detector.radius = node.child("R").number(0, 1e9);
        input.detectors.push_back(detector);
    };
    if (list.is_object()) return read(list);
    for (std::size_t i = 0; i < list.size(); ++i) read(list.element(i));
}

/// Six letters, of the faces -x -y -z +x +y +z.
void read_faces(McxNode const& field, McxInput& input)
{
    std::string flags = field.text().substr(0, 6);
    char const own = input.indices == McxIndices::mismatched ? 'r' : 'a';
    for (char& flag : flags) {
        if (flag == '_' || flag == ' ') flag = own;
        if (flag >= 'A' && flag <= 'Z') flag = static_cast<char>(flag - 'A' + 'a');
    }
    flags.resize(6, own);
    if (flags == std::string(6, own)) return;
    if (flags == "aaaaaa") {
        input.indices = McxIndices::matched;
        return;
    }
    field.refuse(fmt::format("'{}' is not read", field.text()),
                 "all six faces reflect by their index, or none does: mirrors, cyclic faces and others are missing",
                 "leave it out, or give the same letter, r or a, to all");
}

void read_session(McxNode const& session, McxInput& input)
{
    input.indices = session.flag_or("DoMismatch", true) ? McxIndices::mismatched : McxIndices::matched;
    input.entry = session.flag_or("DoSpecular", false) ? McxEntry::refracted : McxEntry::straight;
    if (session.has("BCFlags")) read_faces(session.child("BCFlags"), input);
    if (!session.has("Photons")) return;
    constexpr double kMost = 4294967294.0;
    double const photons = session.child("Photons").number(0, 1e18);
    if (photons >= 1) input.photons = static_cast<std::uint32_t>(std::min(photons, kMost));
    if (photons > kMost) input.notices.push_back(fmt::format("{}.Photons: {:.0f} are rendered", session.path(), kMost));
}

/// What MCX would do for a member that has no effect here.
std::string describe_unread(McxNode const& root, std::string const& name)
{
    if (name == "Session.OutputType") {
        McxNode const type = root.child("Session").child("OutputType");
        std::string const letter = type.is_text() ? type.text().substr(0, 1) : "";
        bool const is_tally = !letter.empty() && std::string_view("xfeXFE").find(letter[0]) != std::string_view::npos;
        return is_tally
                   ? fmt::format("{} '{}' has no effect: give --tally fluence or energy to volrender", name, letter)
                   : fmt::format("{} {} is not computed: --tally of volrender gives fluence or energy, no Jacobians "
                                 "and nothing else of a replay",
                                 name, type.is_text() ? "'" + type.text().substr(0, 20) + "'" : "of this kind");
    }
    if (name == "Session.SaveDataMask")
        return name + " has no effect: detected photons are counted (volrender -o leaves.csv), not listed one by one";
    if (name == "Session.DebugFlag") return name + " has no effect: the ways of photons are not saved";
    return {};
}

} // namespace

McxInput read_mcx_input(McxNode const& root)
{
    if (!root.has("Domain") || !root.child("Domain").is_object())
        root.refuse("is no input of MCX", "it has no object 'Domain' with media",
                    "give MCX's JSON, as mcx -f reads it; other volumes have other extensions");
    McxInput input;
    read_domain(root.child("Domain"), input);
    if (root.has("Session")) read_session(root.child("Session"), input);
    if (root.has("Forward")) read_gates(root.child("Forward"), input);
    if (root.has("Optode")) read_detectors(root.child("Optode"), input);
    return input;
}

void tell_unread(McxNode const& root, std::vector<std::string>& notices)
{
    constexpr std::size_t kMost = 40;
    std::vector<std::string> names = root.list_unread();
    std::erase_if(names, [&](std::string const& name) {
        std::string notice = describe_unread(root, name);
        if (notice.empty()) return false;
        notices.push_back(std::move(notice));
        return true;
    });
    if (names.empty()) return;
    std::size_t const more = names.size() - std::min(names.size(), kMost);
    names.resize(names.size() - more);
    notices.push_back(fmt::format("without effect here: {}{}", fmt::join(names, ", "),
                                  more > 0 ? fmt::format(" and {} others", more) : ""));
}

} // namespace volpt
