// What an input of volprep is, by its content and its name. One list, inputs.def, has all kinds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace volpt {

enum class InputFormat : std::uint8_t {
#define VOLPT_INPUT(kind, question, headerless, extensions) kind,
#include "formats/inputs.def"
#undef VOLPT_INPUT
    volume_file, ///< of readers.def, or without a header
};

/// Whether options describe the numbers of the file, which then need not be one that says them itself.
enum class FileHeader { own, in_options };

/// Error (input) if the input cannot be read. A file of no known format is a volume_file: who opens it gets the error.
InputFormat find_input_format(std::string const& input, FileHeader header = FileHeader::own);

/// True if the file starts like a packed volume, or its name ends in .vpk. Error (input) if it cannot be read.
bool is_packed_volume(std::filesystem::path const& path);

} // namespace volpt
