#include "formats/tiff/layout.h"

#include "formats/common/companion_file.h"
#include "formats/common/part_choice.h"
#include "formats/tiff/ome.h"
#include "formats/tiff/pixel_size.h"
#include "formats/tiff/stack_text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace volpt {
namespace {

constexpr std::size_t kMostSlices = 65535;

/// Channels of a volume: planes at a place, and samples of a pixel in a plane.
struct ChannelGrid {
    std::uint64_t planes = 1;
    std::uint64_t samples = 1;
    std::vector<std::string> names; ///< of all, or empty
};

/// A channel's plane and sample.
struct ChosenChannel {
    std::uint64_t plane = 0;
    std::optional<std::uint32_t> sample;
};

class LayoutFinder {
public:
    LayoutFinder(std::unique_ptr<TiffConnection>& connection, PartChoice const& choice,
                 std::optional<SandboxLimits> const& limits)
        : connection_(connection), choice_(choice), limits_(limits)
    {
        layout_.meta.path = connection->where();
    }

    TiffLayout find()
    {
        layout_.is_series = connection_->paths().size() > 1;
        std::string const text = connection_->find_text(0);
        if (is_ome_text(text) && place_by_ome(text)) return std::move(layout_);
        if (layout_.is_series)
            place_series();
        else if (auto const imagej = parse_imagej(text); imagej && imagej->count_planes() > 1)
            place_by_imagej(*imagej);
        else if (!place_by_shapes())
            place_by_pages();
        if (auto const imagej = parse_imagej(text))
            set_pitch_of_imagej(*imagej, first_page(), meta());
        else
            set_pitch_of_tags(first_page(), meta());
        return std::move(layout_);
    }

private:
    std::vector<TiffPage> const& pages() const { return connection_->pages(); }
    SourceMeta& meta() { return layout_.meta; }
    std::string const& where() const { return connection_->where(); }
    TiffPage const& first_page() const { return pages()[layout_.planes.front().page]; }

    ChosenChannel choose(ChannelGrid const& grid)
    {
        std::uint64_t const count = grid.planes * grid.samples;
        if (count < 2) return {};
        auto names = grid.names;
        names.resize(count);
        std::uint64_t const channel = choose_channel(choice_, std::move(names), meta());
        ChosenChannel chosen{channel / grid.samples, {}};
        if (grid.samples > 1) chosen.sample = static_cast<std::uint32_t>(channel % grid.samples);
        return chosen;
    }

    static std::uint64_t count_samples(TiffPage const& page)
    {
        return page.kind == TiffSamplesKind::channels ? page.channels : 1;
    }

    void add(std::uint32_t page, std::uint32_t layer, std::optional<std::uint32_t> sample)
    {
        if (layout_.planes.size() == kMostSlices)
            fail_input(fmt::format("more than {} slices", kMostSlices), where(), {}, "split the stack");
        layout_.planes.push_back({page, layer, sample});
    }

    // Without a description

    /// Each file has one slice.
    void place_series()
    {
        auto const& paths = connection_->paths();
        std::vector<std::uint64_t> found(paths.size()), told_by(paths.size(), 1);
        for (TiffPage const& page : pages()) {
            found[page.file] += page.layers;
            std::string const& text = connection_->find_text(page.file);
            if (auto const imagej = parse_imagej(text)) told_by[page.file] = imagej->count_planes();
            if (auto const shape = parse_shape(text, {page.width, page.height, page.channels}, paths[page.file]))
                told_by[page.file] = shape->count_planes();
        }
        for (std::uint32_t file = 0; file < paths.size(); ++file) {
            std::uint64_t const told = told_by[file];
            if (found[file] == 1 && told == 1) continue;
            fail_input(found[file] > 1 ? fmt::format("has {} pages, one of a series of slices has one", found[file])
                                       : fmt::format("says that it holds {} slices, one of a series has one", told),
                       paths[file], {}, "give the file by itself, or split it");
        }
        place_each(0, pages().size());
    }

    void place_by_pages()
    {
        std::uint32_t const layers = pages().front().layers;
        if (layers > 1) return place_layers(layers);
        for (TiffPage const& page : pages())
            if (page.layers > 1)
                fail_input(fmt::format("page {} holds {} slices, page 0 one", page.number, page.layers), where(),
                           "pages of a stack are alike", "give a file with one volume");
        place_each(0, pages().size());
    }

    void place_each(std::size_t first, std::size_t end)
    {
        ChosenChannel const chosen = choose({1, count_samples(pages()[first]), {}});
        for (std::size_t page = first; page < end; ++page) {
            if (count_samples(pages()[page]) != count_samples(pages()[first]))
                fail_input(fmt::format("page {} has {} samples per pixel, page {} has {}", pages()[page].number,
                                       pages()[page].channels, pages()[first].number, pages()[first].channels),
                           where(), "the slices of a stack are alike", "save all slices alike");
            add(static_cast<std::uint32_t>(page), 0, chosen.sample);
        }
    }

    /// Each page is a volume of its own (SGI), or the only page is (MetaMorph).
    void place_layers(std::uint32_t layers)
    {
        std::uint64_t const page = choose_volume(choice_, pages().size(), {}, meta());
        if (pages()[page].layers != layers)
            fail_input(fmt::format("page {} holds {} slices, page 0 {}", page, pages()[page].layers, layers), where(),
                       "volumes of a file are alike", "give a file with one volume");
        ChosenChannel const chosen = choose({1, count_samples(pages()[page]), {}});
        for (std::uint32_t layer = 0; layer < layers; ++layer)
            add(static_cast<std::uint32_t>(page), layer, chosen.sample);
    }

    // Planes in turn: of ImageJ and tifffile

    /// `planes` of them are pages from `first` on, or lie behind the only page as plain numbers. Error (input) if they
    /// are neither.
    void check_planes(std::uint64_t planes, std::size_t first, std::size_t end, std::string const& who) const
    {
        std::uint64_t const found = end - first;
        if (found == planes || (found == 1 && std::max(pages()[first].room, pages()[first].layers) >= planes)) return;
        fail_input(fmt::format("has {} pages, {} says {} images", found, who, planes), where(),
                   found < planes ? "the others lie outside of TIFF's pages, where they are not found"
                                  : "which pages are its slices is not known",
                   "save it again, or as .nrrd");
    }

    TiffPlane find_plane(std::uint64_t plane, std::size_t first, std::size_t end) const
    {
        bool const is_layer = end - first == 1;
        return {static_cast<std::uint32_t>(is_layer ? first : first + plane),
                static_cast<std::uint32_t>(is_layer ? plane : 0),
                {}};
    }

    void place_by_imagej(ImagejText const& text)
    {
        std::uint64_t const planes = text.count_planes();
        check_planes(planes, 0, pages().size(), "ImageJ's description");
        if (text.channels * text.slices * text.frames != planes)
            fail_input(fmt::format("ImageJ's description says {} images, but {} channels of {} slices at {} times",
                                   planes, text.channels, text.slices, text.frames),
                       where(), "they contradict each other", "save it again from ImageJ");
        std::uint64_t const time = choose_volume(choice_, text.frames, {}, meta());
        ChosenChannel const chosen = choose({text.channels, count_samples(pages()[0]), {}});
        for (std::uint64_t z = 0; z < text.slices; ++z) {
            TiffPlane const plane =
                find_plane(chosen.plane + text.channels * (z + text.slices * time), 0, pages().size());
            add(plane.page, plane.layer, chosen.sample);
        }
    }

    /// False if tifffile says nothing of the file.
    bool place_by_shapes()
    {
        std::vector<ShapedVolumes> series;
        for (auto const& [place, text] : connection_->texts()) {
            auto const found = std::ranges::find_if(pages(), [&, at = place](TiffPage const& page) {
                return page.file == at.first && page.number == at.second;
            });
            if (found == pages().end()) continue;
            auto shape = parse_shape(text, {found->width, found->height, found->channels}, where());
            if (!shape) continue;
            series.push_back({*shape, static_cast<std::size_t>(found - pages().begin()), pages().size()});
            if (series.size() > 1) series[series.size() - 2].end = series.back().first;
        }
        if (series.empty() || series.front().first != 0) return false;
        place_shaped(series);
        return true;
    }

    struct ShapedVolumes {
        TiffShape shape;
        std::size_t first = 0;
        std::size_t end = 0;
    };

    void place_shaped(std::vector<ShapedVolumes> const& series)
    {
        std::uint64_t volumes = 0;
        for (ShapedVolumes const& each : series) {
            check_planes(each.shape.count_planes(), each.first, each.end, "tifffile's shape");
            volumes += each.shape.volumes;
        }
        std::uint64_t volume = choose_volume(choice_, volumes, {}, meta());
        std::size_t i = 0;
        while (volume >= series[i].shape.volumes) volume -= series[i++].shape.volumes;
        ShapedVolumes const& chosen_series = series[i];
        TiffShape const& shape = chosen_series.shape;
        ChosenChannel const chosen = choose({shape.channels, count_samples(pages()[chosen_series.first]), {}});
        for (std::uint64_t z = 0; z < shape.slices; ++z) {
            TiffPlane const plane =
                find_plane(shape.find_plane(volume, z, chosen.plane), chosen_series.first, chosen_series.end);
            add(plane.page, plane.layer, chosen.sample);
        }
    }

    // OME

    /// False if OME says nothing of a series of files but of each by itself.
    bool place_by_ome(std::string const& text)
    {
        OmeDocument document = parse_ome(text, connection_->paths()[0]);
        std::string const own_uuid = document.uuid;
        if (document.images.empty() && !document.metadata_file.empty())
            document = read_companion(document.metadata_file);
        if (document.images.empty())
            fail_input("its OME-XML describes no Image", connection_->paths()[0], "it says which pages are slices",
                       "save it again");
        Files const files = find_files(document, own_uuid);
        if (layout_.is_series && files.paths.size() == 1) return false;
        layout_.is_series = false;
        open_files(files.paths);
        std::vector<std::string> names;
        std::vector<std::pair<std::size_t, std::uint64_t>> volumes; // image, time
        for (std::size_t image = 0; image < document.images.size(); ++image)
            for (std::uint64_t time = 0; time < document.images[image].planes[2]; ++time) {
                std::string const& name = document.images[image].name;
                volumes.emplace_back(image, time);
                names.push_back(document.images[image].planes[2] > 1 ? fmt::format("{} time {}", name, time) : name);
                if (names.size() > kMostSlices)
                    fail_input(fmt::format("more than {} volumes", kMostSlices), where(), {}, "split the file");
            }
        auto const [image, time] = volumes[choose_volume(choice_, volumes.size(), names, meta())];
        place_image(document.images[image], time, files);
        set_pitch_of_ome(document.images[image], first_page(), meta());
        return true;
    }

    struct Files {
        std::vector<std::string> paths;
        std::map<std::pair<std::string, std::string>, std::uint32_t> index; ///< by FileName and UUID
    };

    std::filesystem::path own_path() const { return connection_->paths()[0]; }

    /// Files that the document names, the one that was opened first.
    Files find_files(OmeDocument const& document, std::string const& own_uuid) const
    {
        Files files{{own_path().string()}, {}};
        std::map<std::string, std::uint32_t> by_path{{own_path().string(), 0}};
        for (OmeImage const& image : document.images)
            for (OmeTiffData const& data : image.data) {
                bool const is_own = data.file.empty() || data.file == own_path().filename().string() ||
                                    (!own_uuid.empty() && data.uuid == own_uuid);
                std::string const path =
                    is_own
                        ? own_path().string()
                        : find_companion(own_path(), data.file, "FileName of OME-XML", OutsideFiles::refused).string();
                auto const [place, is_new] = by_path.try_emplace(path, static_cast<std::uint32_t>(files.paths.size()));
                if (is_new) files.paths.push_back(path);
                files.index[{data.file, data.uuid}] = place->second;
            }
        files.index.try_emplace({"", ""}, 0);
        return files;
    }

    void open_files(std::vector<std::string> const& paths)
    {
        if (paths == connection_->paths()) return;
        for (std::string const& path : paths) {
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(path, ignored))
                fail_input(fmt::format("its OME-XML has slices in {}, which is not there", path), where(),
                           "the volume is in several files", "put them into one folder");
        }
        std::string const name = where();
        connection_.reset(); // one process at a time
        connection_ = std::make_unique<TiffConnection>(name, paths, limits_);
    }

    OmeDocument read_companion(std::string const& name) const
    {
        auto const path = find_companion(own_path(), name, "MetadataFile of OME-XML", OutsideFiles::refused);
        FileBytes const file(path);
        constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
        if (file.size_bytes() > kMostBytes)
            fail_input(fmt::format("has {} bytes", file.size_bytes()), path.string(),
                       fmt::format("OME-XML is read up to {}", kMostBytes), "split the volume");
        std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
        file.read_at(0, std::as_writable_bytes(std::span(text)));
        return parse_ome(text, path.string());
    }

    /// By index in Files and page number.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> list_pages() const
    {
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> found;
        for (std::uint32_t i = 0; i < pages().size(); ++i) found[{pages()[i].file, pages()[i].number}] = i;
        return found;
    }

    ChannelGrid find_channels(OmeImage const& image, TiffPage const& page) const
    {
        ChannelGrid grid;
        std::uint64_t told = 0;
        for (OmeChannel const& channel : image.channels) told += channel.samples;
        std::uint64_t const colours = page.kind == TiffSamplesKind::colour && page.channels > 2 ? page.channels : 1;
        grid.samples = count_samples(page);
        std::uint64_t const in_plane = std::max(grid.samples, colours);
        if (told == image.planes[1] && image.channels.size() < told)
            grid.planes = image.channels.size();
        else
            grid.planes = image.planes[1] % in_plane == 0 ? image.planes[1] / in_plane : image.planes[1];
        if (image.channels.size() == grid.planes * grid.samples)
            for (OmeChannel const& channel : image.channels) grid.names.push_back(channel.name);
        return grid;
    }

    void place_image(OmeImage const& image, std::uint64_t time, Files const& files)
    {
        auto const all_pages = list_pages();
        auto const file_of = [&](std::string const& file, std::string const& uuid) {
            return files.index.at({file, uuid});
        };
        auto const count_pages = [&](std::string const& file, std::string const& uuid) {
            std::uint32_t const wanted = file_of(file, uuid);
            std::uint64_t last = 0;
            for (TiffPage const& page : pages())
                if (page.file == wanted) last = std::max<std::uint64_t>(last, page.number + std::uint64_t{1});
            return last;
        };
        auto const grid = find_channels(image, find_first_page(image, files));
        ChosenChannel const chosen = choose(grid);
        auto const places = place_ome_planes(image, grid.planes, where(), count_pages);
        for (std::uint64_t z = 0; z < image.planes[0]; ++z) {
            auto const& place = places[z + image.planes[0] * (chosen.plane + grid.planes * time)];
            if (!place)
                fail_input(fmt::format("its OME-XML says SizeZ {}, but slice {} is in no page", image.planes[0], z),
                           where(), "the volume is not complete", "get a complete copy");
            std::uint32_t const file = file_of(place->file, place->uuid);
            auto const found = all_pages.find({file, place->page});
            if (found == all_pages.end())
                fail_input(fmt::format("its OME-XML has slice {} in page {} of {}, which is not there", z, place->page,
                                       connection_->paths()[file]),
                           where(), "the volume is not complete", "get a complete copy");
            check_ome_page(image, pages()[found->second]);
            add(found->second, 0, chosen.sample);
        }
    }

    TiffPage const& find_first_page(OmeImage const& image, Files const& files) const
    {
        std::uint32_t const file =
            image.data.empty() ? 0 : files.index.at({image.data.front().file, image.data.front().uuid});
        std::uint64_t const number = image.data.empty() ? 0 : image.data.front().page.value_or(0);
        for (TiffPage const& page : pages())
            if (page.file == file && page.number == number) return page;
        return pages().front();
    }

    void check_ome_page(OmeImage const& image, TiffPage const& page) const
    {
        if (page.width == image.size[0] && page.height == image.size[1] && page.layers == 1) return;
        fail_input(fmt::format("is {} x {} pixels in {} layers, its OME-XML says {} x {}", page.width, page.height,
                               page.layers, image.size[0], image.size[1]),
                   describe_tiff_page(connection_->paths(), page), "they contradict each other", "save it again");
    }

    std::unique_ptr<TiffConnection>& connection_;
    PartChoice const& choice_;
    std::optional<SandboxLimits> const& limits_;
    TiffLayout layout_;
};

} // namespace

TiffLayout find_tiff_layout(std::unique_ptr<TiffConnection>& connection, PartChoice const& choice,
                            std::optional<SandboxLimits> const& limits)
{
    return LayoutFinder(connection, choice, limits).find();
}

} // namespace volpt
