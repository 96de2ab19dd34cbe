// The GPUs' backend as the tools see it. Plain C++: a build without CUDA has the same kernels as data, and no backend.
#pragma once

#include "libvolpt/backend/backend.h"

namespace volpt {

/// Renders on the GPUs of this machine; null in a build without CUDA.
Backend const* gpu_backend();

/// The GPUs that this program can use, in CUDA's order; empty if none, `why` then says why in a few words.
std::vector<DeviceInfo> list_gpus(std::string* why = nullptr);

/// All kernels of kernels.def and their knobs, in every build. Which of them a build without VOLPT_BUILD_STUDY has, and
/// for which scenes, the following functions say.
std::span<KernelInfo const> list_gpu_kernels();

/// Whether the kernel of that name is built for any scene.
bool is_built(std::string_view kernel);

/// Whether the kernel of that name is built for volumes that nothing but their box bounds, without emitters.
bool takes_voxels(std::string_view kernel);

/// Whether the kernel of that name is built for scenes with LongSteps::layers, and for long steps in meshes if it
/// takes meshes.
bool takes_layers(std::string_view kernel);

/// Whether the kernel of that name is built for volumes that a mesh bounds, and for surfaces around them.
bool takes_meshes(std::string_view kernel);

/// Whether the kernel of that name is built for scenes with emitters, and for solids that lie in others.
bool takes_emitters(std::string_view kernel);

/// Whether the kernel of that name is built for bidirectional paths.
bool takes_bidirectional_paths(std::string_view kernel);

/// Whether the kernel of that name is built for paths that Markov chains propose.
bool takes_chains(std::string_view kernel);

/// What the automatic tuning tries, see Backend::list_tuning_candidates.
std::vector<RendererOptions> list_gpu_candidates(SceneView const& scene);

} // namespace volpt
