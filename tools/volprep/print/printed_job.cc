#include "tools/volprep/print/printed_job.h"

#include "libvolpt/medium/printer.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr char kVolumeName[] = "labels.vpk";

std::filesystem::path make_scratch_folder(std::filesystem::path const& job_path)
{
    std::filesystem::path const parent = job_path.has_parent_path() ? job_path.parent_path() : ".";
    std::string name = (parent / "volpt-scratch-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        fail_system(fmt::format("cannot write to the folder: {}", std::strerror(errno)), parent.string(),
                    "make it, or export to another one");
    return name;
}

} // namespace

/// Hands layers on, and each of them once to the packer.
class PrintedJob::Collected final : public VoxelStream {
public:
    Collected(std::unique_ptr<VoxelStream> stream, VolumePacker& packer) : stream_(std::move(stream)), packer_(packer)
    {
        copy_description(*stream_);
    }

    void use_threads(int threads) override { stream_->use_threads(threads); }
    int layers_at_a_time() const override { return stream_->layers_at_a_time(); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab const slab = stream_->read_slab(z_first, z_count);
        if (z_first == next_z_) {
            packer_.add_slab(slab);
            next_z_ += z_count;
        }
        return slab;
    }

    std::vector<std::string> list_notices() const override { return stream_->list_notices(); }
    std::string report_json() const override { return stream_->report_json(); }

private:
    std::unique_ptr<VoxelStream> stream_;
    VolumePacker& packer_;
    int next_z_ = 0;
};

PrintedJob::PrintedJob(std::filesystem::path job_path, std::optional<std::string> const& printer, int threads)
    : job_path_(std::move(job_path)), printer_(printer), threads_(threads)
{
    if (printer_) open_printer(*printer_);
    folder_ = make_scratch_folder(job_path_);
}

PrintedJob::~PrintedJob()
{
    packer_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::unique_ptr<VoxelStream> PrintedJob::collect(std::unique_ptr<VoxelStream> stream, std::string const& where)
{
    if (packer_ != nullptr) return stream;
    VolumeMeta const& meta = stream->meta();
    check_job_export({meta, stream->materials(), stream->source_metadata_json()}, job_path_);
    auto const materials =
        std::ranges::count_if(stream->materials(), [](Material const& material) { return !is_air(material); });
    if (printer_) check_printer_limits(*printer_, meta, static_cast<int>(materials), where);
    packer_ = std::make_unique<VolumePacker>(folder_ / kVolumeName, meta, stream->materials(), threads_);
    packer_->set_source_metadata(stream->source_metadata_json());
    return std::make_unique<Collected>(std::move(stream), *packer_);
}

ExportedVolume PrintedJob::write(ProgressSink const& progress)
{
    packer_->finish({});
    packer_.reset();
    std::filesystem::path const path = folder_ / kVolumeName;
    PackedVolume const volume = PackedVolume::open(path);
    std::error_code ignored;
    std::filesystem::remove(path, ignored); // the mapping keeps it; no crash leaves it behind
    return export_volume(volume, job_path_, progress);
}

void check_printer_limits(std::string const& printer, VolumeMeta const& meta, int materials, std::string const& where)
{
    PrintJobSize job{{}, meta.dims, materials};
    std::ranges::transform(meta.pitch_mm, job.pitch_mm.begin(), [](float mm) { return static_cast<double>(mm); });
    check_printable(open_printer(printer), job, where);
}

} // namespace volpt
