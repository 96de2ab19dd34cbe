#include "formats/common/part_choice.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

constexpr std::size_t kMostPartNames = 12;

/// `0 "DAPI", 1 "GFP"`; the numbers alone where there are no names.
std::string list_parts(std::vector<std::string> const& names)
{
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(names.size(), kMostPartNames); ++i)
        shown.push_back(names[i].empty() || names[i] == std::to_string(i)
                            ? std::to_string(i)
                            : fmt::format("{} \"{}\"", i, names[i].substr(0, 60)));
    if (names.size() > kMostPartNames) shown.push_back(fmt::format(".. {}", names.size() - 1));
    return fmt::format("{}", fmt::join(shown, ", "));
}

std::optional<std::size_t> find_channel(std::string const& wanted, std::vector<std::string> const& names)
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == wanted) return i;
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (to_lower(names[i]) == to_lower(wanted)) alike.push_back(i);
    if (alike.size() == 1) return alike.front();
    std::size_t number = 0;
    auto const [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (error == std::errc{} && end == wanted.data() + wanted.size() && number < names.size()) return number;
    return std::nullopt;
}

[[noreturn]] void refuse_channel(std::string const& wanted, std::string const& where, std::string why)
{
    fail_input(fmt::format("has no channel \"{}\"", wanted.substr(0, 60)), where, std::move(why),
               "give --channel N or --channel NAME of one that it has");
}

/// One number of each voxel.
class SampleSource final : public VolumeSource {
public:
    SampleSource(std::unique_ptr<VolumeSource> source, SourceMeta meta, std::size_t sample)
        : VolumeSource(std::move(meta)), source_(std::move(source)), sample_(sample)
    {
    }

    void use_threads(int threads) override { source_->use_threads(threads); }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        auto const stride = static_cast<std::size_t>(source_->meta().channels);
        auto const layer = values.size() / static_cast<std::size_t>(z_count);
        // Layer by layer: all channels of a slab may take more memory than was planned for.
        samples_.resize(layer * stride);
        for (int z = 0; z < z_count; ++z) {
            source_->read_slab(z_first + z, 1, samples_);
            float* const to = values.data() + static_cast<std::size_t>(z) * layer;
            for (std::size_t i = 0; i < layer; ++i) to[i] = samples_[i * stride + sample_];
        }
    }

    std::string describe_voxel(int x, int y, int z) const override { return source_->describe_voxel(x, y, z); }
    std::vector<std::string> list_notices() const override { return source_->list_notices(); }

private:
    std::unique_ptr<VolumeSource> source_;
    std::size_t sample_;
    std::vector<float> samples_;
};

std::unique_ptr<VolumeSource> choose_sample(std::unique_ptr<VolumeSource> source, PartChoice const& choice)
{
    SourceMeta meta = source->meta();
    std::size_t const sample = choose_channel(choice, name_samples(meta.channels), meta);
    meta.channels = 1;
    meta.natural_window.reset();
    meta.job.reset(); // its colours are those of all channels
    return std::make_unique<SampleSource>(std::move(source), std::move(meta), sample);
}

} // namespace

std::uint64_t choose_volume(PartChoice const& choice, std::uint64_t count, std::vector<std::string> const& names,
                            SourceMeta& meta)
{
    std::string const listed = names.empty() ? fmt::format("numbered from 0 to {}", count - 1) : list_parts(names);
    if (choice.volume && *choice.volume >= count)
        fail_input(fmt::format("has no volume {}", *choice.volume), meta.path,
                   count == 1 ? "it holds one volume, number 0" : fmt::format("it holds {} volumes: {}", count, listed),
                   fmt::format("give --volume {}", count == 1 ? "0" : fmt::format("0 to {}", count - 1)));
    if (!choice.volume && count > 1) {
        if (choice.missing == MissingChoice::refused)
            fail_input(fmt::format("holds {} volumes: {}", count, listed), meta.path, "one volume is packed",
                       fmt::format("choose one by --volume 0 to --volume {}", count - 1));
        meta.notices.push_back(fmt::format("{}: holds {} volumes: {}: the first one is read; --volume 0 to {} chooses",
                                           meta.path, count, listed, count - 1));
    }
    meta.volume_count = count;
    meta.volume = choice.volume.value_or(0);
    return meta.volume;
}

std::size_t choose_channel(PartChoice const& choice, std::vector<std::string> names, SourceMeta& meta)
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].empty()) names[i] = std::to_string(i);
    std::string const listed = list_parts(names);
    std::optional<std::size_t> found;
    if (!choice.channel.empty()) {
        found = find_channel(choice.channel, names);
        if (!found) refuse_channel(choice.channel, meta.path, "its channels are " + listed);
    } else if (choice.missing == MissingChoice::refused) {
        fail_input(fmt::format("holds {} channels: {}", names.size(), listed), meta.path, "one channel is packed",
                   "choose one by --channel N or --channel NAME");
    } else {
        meta.notices.push_back(fmt::format("{}: holds {} channels: {}: the first one is read; --channel chooses",
                                           meta.path, names.size(), listed));
    }
    meta.channel = found.value_or(0);
    meta.channel_names = std::move(names);
    return *meta.channel;
}

std::vector<std::string> name_samples(int count)
{
    std::vector<std::string> names{"R", "G", "B", "A"};
    auto const samples = static_cast<std::size_t>(count);
    names.resize(samples);
    if (count != 3 && count != 4)
        for (std::size_t i = 0; i < samples; ++i) names[i] = std::to_string(i);
    return names;
}

std::unique_ptr<VolumeSource> choose_channels(std::unique_ptr<VolumeSource> source, PartChoice const& choice)
{
    int const channels = source->meta().channels;
    return channels == 1 || channels == 3 ? std::move(source) : choose_sample(std::move(source), choice);
}

std::unique_ptr<VolumeSource> choose_interleaved_volume(std::unique_ptr<VolumeSource> source, PartChoice const& choice)
{
    SourceMeta meta = source->meta();
    auto const volume = choose_volume(choice, static_cast<std::uint64_t>(meta.channels), {}, meta);
    if (meta.channels == 1) return source;
    meta.channels = 1;
    return std::make_unique<SampleSource>(std::move(source), std::move(meta), static_cast<std::size_t>(volume));
}

std::unique_ptr<VolumeSource> apply_part_choice(std::unique_ptr<VolumeSource> source, PartChoice const& choice)
{
    SourceMeta const& meta = source->meta();
    if (choice.volume && *choice.volume != meta.volume) {
        SourceMeta one = meta;
        choose_volume(choice, meta.volume_count, {}, one);
    }
    if (choice.channel.empty() || meta.channel) return source;
    if (meta.channels > 1) return choose_sample(std::move(source), choice);
    auto const names = meta.channel_names.empty() ? std::vector<std::string>{"0"} : meta.channel_names;
    if (!find_channel(choice.channel, names))
        refuse_channel(choice.channel, meta.path, "it holds one channel, number 0");
    return source;
}

} // namespace volpt
