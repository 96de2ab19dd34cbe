// --origin --target --up --fov --ortho --resolution.
#include "tools/options/scene_options.h"
#include "tools/options/units.h"

#include "libvolpt/sys/error.h"

namespace volpt {
namespace po = boost::program_options;

void CameraOptions::declare(po::options_description& options)
{
    options.add_options()("resolution", po::value<std::string>()->value_name("WxH"),
                          "size of the picture in pixels (default 512x512)")(
        "origin", po::value<std::string>()->value_name("X,Y,Z"),
        "where the camera stands, mm (default: the volume is framed)")(
        "target", po::value<std::string>()->value_name("X,Y,Z"),
        "what it looks at, mm")("up", po::value<std::string>()->value_name("X,Y,Z"),
                                "what points up in the picture (default 0,0,1; 0,1,0 for a camera that looks along z)")(
        "fov", po::value<std::string>()->value_name("DEG"), "perspective: full horizontal angle (default 30)")(
        "ortho", po::value<std::string>()->value_name("WIDTH"), "orthographic: width of the picture, a length");
}

void CameraOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "resolution")) resolution = parse_size("--resolution", *text);
    if (auto const text = given_text(values, "origin"))
        origin_world_ = parse_length_triple_mm("--origin", *text, SingleValue::refused);
    if (auto const text = given_text(values, "target"))
        target_world_ = parse_length_triple_mm("--target", *text, SingleValue::refused);
    if (auto const text = given_text(values, "up")) up_world_ = parse_triple("--up", *text, SingleValue::refused);
    if (auto const text = given_text(values, "fov")) fov_x_deg_ = parse_number("--fov", *text, 1e-6, 179.9);
    if (auto const text = given_text(values, "ortho")) ortho_width_mm_ = parse_length_mm("--ortho", *text);
    if (fov_x_deg_ && ortho_width_mm_)
        fail_usage("--fov and --ortho contradict each other",
                   "give --fov for perspective or --ortho for a parallel view");
}

void CameraOptions::apply(Scene& scene) const
{
    CameraSpec& camera = scene.camera;
    if (origin_world_) camera.origin_world = *origin_world_;
    if (target_world_) camera.target_world = *target_world_;
    if (up_world_) {
        camera.up_world = *up_world_;
    } else if (origin_world_ || target_world_) {
        bool const along_z =
            camera.origin_world[0] == camera.target_world[0] && camera.origin_world[1] == camera.target_world[1];
        camera.up_world = along_z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    }
    if (fov_x_deg_) {
        camera.kind = CameraKind::perspective;
        camera.fov_x_deg = *fov_x_deg_;
    }
    if (ortho_width_mm_) {
        camera.kind = CameraKind::orthographic;
        camera.ortho_width_mm = *ortho_width_mm_;
    }
    if (resolution) {
        scene.width = static_cast<std::uint32_t>((*resolution)[0]);
        scene.height = static_cast<std::uint32_t>((*resolution)[1]);
    }
}

} // namespace volpt
