// The nearest triangles of rays by Embree; without it, nothing.
#pragma once

#include "bench/ray_work.hd.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <span>
#include <string>

#if VOLPT_HAVE_EMBREE
#include <embree3/rtcore.h>
#include <stdexcept>
#endif

namespace volpt::bench {

enum class EmbreeQuality { fast, robust };

struct EmbreeHit {
    float t;
    std::uint32_t triangle; ///< kNoTriangle if none is met
};

#if VOLPT_HAVE_EMBREE

inline constexpr bool kHaveEmbree = true;

inline std::string get_embree_version()
{
    return RTC_VERSION_STRING;
}

class EmbreeMesh {
public:
    EmbreeMesh(TriangleMesh const& mesh, EmbreeQuality quality)
        : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_))
    {
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        rtcSetSceneFlags(scene_, quality == EmbreeQuality::robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
        RTCGeometry const geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* const vertices = static_cast<float*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.positions_mm.size()));
        auto* const triangles = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), mesh.triangles.size()));
        if (vertices == nullptr || triangles == nullptr) throw std::runtime_error("Embree gave no buffers");
        for (std::size_t i = 0; i < mesh.positions_mm.size(); ++i) {
            vertices[3 * i] = mesh.positions_mm[i].x;
            vertices[3 * i + 1] = mesh.positions_mm[i].y;
            vertices[3 * i + 2] = mesh.positions_mm[i].z;
        }
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
            for (std::size_t corner = 0; corner < 3; ++corner) triangles[3 * i + corner] = mesh.triangles[i][corner];
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
        if (rtcGetDeviceError(device_) != RTC_ERROR_NONE) throw std::runtime_error("Embree failed to build its tree");
    }
    ~EmbreeMesh()
    {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }
    EmbreeMesh(EmbreeMesh const&) = delete;
    EmbreeMesh& operator=(EmbreeMesh const&) = delete;

    void find_hits(std::span<WorldRay const> rays, float t_min_mm, EmbreeHit* hits) const
    {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        for (WorldRay const& ray : rays) {
            RTCRayHit query{};
            query.ray = {ray.origin.x,
                         ray.origin.y,
                         ray.origin.z,
                         t_min_mm,
                         ray.direction.x,
                         ray.direction.y,
                         ray.direction.z,
                         0,
                         kRayEnd_mm,
                         0xffffffffu,
                         0,
                         0};
            query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene_, &context, &query);
            bool const is_met = query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
            *hits++ = {query.ray.tfar, is_met ? query.hit.primID : kNoTriangle};
        }
    }

private:
    RTCDevice device_;
    RTCScene scene_;
};

#else

inline constexpr bool kHaveEmbree = false;

inline std::string get_embree_version()
{
    return "not found when this was built";
}

class EmbreeMesh {
public:
    EmbreeMesh(TriangleMesh const&, EmbreeQuality) {}
    void find_hits(std::span<WorldRay const>, float, EmbreeHit*) const {}
};

#endif

} // namespace volpt::bench
