#include "formats/input_format.h"

#include "formats/mcx/reader.h"
#include "formats/mesh/reader.h"
#include "formats/mitsuba/reader.h"
#include "formats/open_source.h"
#include "formats/slices/dicom_files.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/volume/volume.h"

#include <array>

namespace volpt {
namespace {

enum class Headerless { asked, passed_over };

struct InputQuestion {
    InputFormat format;
    bool (*is_format)(std::string const& input);
    Headerless headerless;
};

constexpr std::array kQuestions{
#define VOLPT_INPUT(kind, question, headerless, extensions)                                                            \
    InputQuestion{InputFormat::kind, [](std::string const& input) { return question(input); }, Headerless::headerless},
#include "formats/inputs.def"
#undef VOLPT_INPUT
};

} // namespace

InputFormat find_input_format(std::string const& input, FileHeader header)
{
    for (InputQuestion const& question : kQuestions) {
        bool const is_asked = header == FileHeader::own || question.headerless == Headerless::asked;
        if (is_asked && question.is_format(input)) return question.format;
    }
    return InputFormat::volume_file;
}

bool is_packed_volume(std::filesystem::path const& path)
{
    constexpr auto kMagic = kVolumeFile.magic;
    FileBytes const file(path);
    std::array<char, kMagic.size()> head{};
    if (file.size_bytes() >= head.size()) file.read_at(0, std::as_writable_bytes(std::span(head)));
    return head == kMagic || path.extension() == ".vpk";
}

} // namespace volpt
