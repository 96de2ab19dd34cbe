// What every registered mesh reader owes: damaged files give an Error (input) or a sound mesh, never a crash, hang or
// huge allocation.
#include "tests/formats/mesh_checks.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <map>
#include <sys/stat.h>

namespace volpt {
namespace {

using test::catch_error;
using test::expect_contains;
using test::expect_error;
using test::TempFolder;

struct MeshSample {
    std::string name;
    std::string content;
    bool may_be_cut = false; ///< a part of the file can be a whole mesh
};

/// Small files of every storage form of a reader; a registered reader without samples fails the test.
std::vector<MeshSample> make_mesh_samples(std::string_view reader)
{
    std::map<std::string_view, std::vector<MeshSample>> samples;
    samples["stl"] = {{"text.stl", make_ascii_stl()}, {"binary.stl", make_binary_stl()}};
    samples["ply"] = {{"text.ply", make_ascii_ply()},
                      {"little.ply", make_binary_ply(MeshBytes::little)},
                      {"big.ply", make_binary_ply(MeshBytes::big)}};
    samples["obj"] = {{"mesh.obj", make_obj(), true}};
    samples["gltf"] = {{"embedded.gltf", make_embedded_gltf()}, {"binary.glb", make_glb()}};
    samples["three_mf"] = {{"mesh.3mf", make_plain_3mf()}};
    return samples[reader];
}

class MeshContract : public testing::Test {
protected:
    template <typename Check>
    void for_every_sample(Check check)
    {
        for (auto const& entry : list_mesh_readers()) {
            if (entry.reader == nullptr) continue;
            auto const samples = make_mesh_samples(entry.name);
            ASSERT_FALSE(samples.empty()) << "no sample for mesh reader " << entry.name;
            for (auto const& sample : samples) check(sample, entry);
        }
    }

    /// False if an Error (input) that names the file refuses it. An accepted mesh is sound.
    bool is_accepted(std::string const& name, std::string const& content)
    {
        auto const path = folder_.write(name, content);
        std::string const message = catch_error(ExitStatus::input, [&] {
            MeshFile const file = read_mesh(path);
            TriangleMesh const& mesh = file.mesh;
            EXPECT_FALSE(mesh.triangles.empty());
            for (auto const& triangle : mesh.triangles)
                for (auto const index : triangle) EXPECT_LT(index, mesh.positions_mm.size());
            for (std::size_t const count : {mesh.normals.size(), mesh.texture_coordinates.size(), mesh.colours.size()})
                EXPECT_TRUE(count == 0 || count == mesh.triangles.size());
            expect_finite_coordinates(mesh);
        });
        if (!message.empty()) expect_contains(message, {name});
        return message.empty();
    }
    TempFolder folder_;
};

TEST_F(MeshContract, EveryReaderHasAFuzzTargetAndSeeds)
{
    std::filesystem::path const folder = test::tests_folder() / "fuzz";
    for (auto const& entry : list_mesh_readers()) {
        std::string const name(entry.name);
        EXPECT_TRUE(std::filesystem::exists(folder / (name + "_fuzz.cc"))) << name;
        EXPECT_TRUE(std::filesystem::is_directory(folder / "seeds" / name)) << name;
    }
}

TEST_F(MeshContract, WholeFilesAreAcceptedAndFoundByContent)
{
    for_every_sample([&](MeshSample const& sample, MeshReaderEntry const& entry) {
        EXPECT_TRUE(is_accepted(sample.name, sample.content)) << sample.name;
        bool const has_mark = entry.name != "obj";
        if (!has_mark) return;
        EXPECT_TRUE(is_accepted(sample.name + ".bin", sample.content)) << sample.name;
        EXPECT_EQ(read_mesh(folder_.write("wrong.obj", sample.content)).format, entry.name);
    });
}

TEST_F(MeshContract, TruncatedFilesAreRefused)
{
    for_every_sample([&](MeshSample const& sample, MeshReaderEntry const&) {
        for (std::size_t size = 0; size + 20 < sample.content.size(); size += 7) {
            bool const accepted = is_accepted(sample.name, sample.content.substr(0, size));
            EXPECT_TRUE(sample.may_be_cut || !accepted) << sample.name << " " << size;
        }
    });
}

TEST_F(MeshContract, FlippedBitsNeverCrash)
{
    for_every_sample([&](MeshSample const& sample, MeshReaderEntry const&) {
    // A step coprime to 8 visits all bits of a byte in turn, over the whole file.
#ifdef NDEBUG
        constexpr std::size_t kStep = 11;
#else
        constexpr std::size_t kStep = 101;
#endif
        for (std::size_t bit = 0; bit < sample.content.size() * 8; bit += kStep) {
            std::string flipped = sample.content;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            is_accepted(sample.name, flipped);
        }
    });
}

TEST_F(MeshContract, NumbersMadeHugeNeverCrash)
{
    for_every_sample([&](MeshSample const& sample, MeshReaderEntry const&) {
        for (std::size_t at = 0; at + 4 < sample.content.size(); at += 9) {
            is_accepted(sample.name, sample.content.substr(0, at) + "999999999999" + sample.content.substr(at + 1));
            is_accepted(sample.name, sample.content.substr(0, at) + "\xff\xff\xff\x7f" + sample.content.substr(at + 4));
        }
    });
}

TEST_F(MeshContract, ForeignBytesAreRefusedWithTheKnownFormats)
{
    for (auto const& [name, content] :
         {std::pair<std::string, std::string>{"empty.stl", ""},
          {"zeros.ply", std::string(5000, '\0')},
          {"noise.stl", std::string(300, '\xa5')},
          {"pointer.ply", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"},
          {"page.obj", "<!DOCTYPE html><html></html>"},
          {"unknown.xyz", "hello"}})
        EXPECT_FALSE(is_accepted(name, content)) << name;
    expect_error(ExitStatus::input, {".stl", ".ply"}, [&] { read_mesh(folder_ / "unknown.xyz"); });
    expect_error(ExitStatus::input, {"git lfs pull", "pointer.ply: is the pointer"},
                 [&] { read_mesh(folder_ / "pointer.ply"); });
    expect_error(ExitStatus::input, {"web page", "download"}, [&] { read_mesh(folder_ / "page.obj"); });
}

TEST_F(MeshContract, FoldersMissingFilesAndPipesAreRefused)
{
    for (std::string const name : {"missing.stl", "folder.ply", "pipe.obj"}) {
        if (name.starts_with("folder")) std::filesystem::create_directory(folder_ / name);
        if (name.starts_with("pipe")) {
            ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
        }
        expect_error(ExitStatus::input, {name}, [&] { read_mesh(folder_ / name); });
    }
}

TEST_F(MeshContract, FilesAreToldFromVolumesByExtensionThenContent)
{
    std::string const ply = "ply\nformat ascii 1.0\n";
    EXPECT_TRUE(is_mesh_file(folder_.write("a.ply", "nothing")));
    EXPECT_TRUE(is_mesh_file(folder_.write("a.OBJ", "nothing")));
    EXPECT_TRUE(is_mesh_file(folder_.write("scan", ply)));
    EXPECT_FALSE(is_mesh_file(folder_.write("a.mha", ply)));
    EXPECT_FALSE(is_mesh_file(folder_.write("a.raw", "nothing")));
    expect_error(ExitStatus::input, {"missing.stl"}, [&] { is_mesh_file(folder_ / "missing.stl"); });
}

TEST_F(MeshContract, ReadersThatAreNotInThisBuildNameTheirLibrary)
{
    for (auto const& entry : list_mesh_readers()) {
        std::string const extension(entry.extensions.substr(0, entry.extensions.find(' ')));
        auto const path = folder_.write("nothing" + extension, "nothing");
        if (entry.reader == nullptr) expect_error(ExitStatus::input, {entry.dependency}, [&] { read_mesh(path); });
        EXPECT_EQ(list_mesh_extensions().find(entry.extensions) != std::string::npos, entry.reader != nullptr);
    }
}

} // namespace
} // namespace volpt
