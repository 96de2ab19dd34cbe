// What the first bytes of a file tell about its format. These checks are in every build: a build without a format's
// library can still say which library a file needs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace volpt {

/// At most `size_bytes` from the start of the file. Error (input) if it cannot be read.
std::string read_file_head(std::filesystem::path const& path, std::size_t size_bytes);

/// Whether the file's extension, in any case, is among `extensions`: ".mha .mhd".
bool has_extension(std::filesystem::path const& path, std::string_view extensions);

/// TIFF or BigTIFF, in either byte order.
bool is_tiff_head(std::string_view head);
bool is_openvdb_head(std::string_view head);
/// DICM after the 128 bytes of a DICOM file's preamble, whatever these hold; or, without preamble, the first elements
/// of a data set, as far as the UID of its class (512 bytes suffice).
bool is_dicom_head(std::string_view head);
/// An XML declaration or a <scene> element, after a byte order mark and blanks.
bool is_xml_head(std::string_view head);

/// Error (input) for what downloads leave in place of a file: a Git LFS pointer or a web page. `wanted` is what the
/// file should be: "volume".
void refuse_failed_download(std::string_view head, std::string const& where, std::string_view wanted);

/// Error (input), with what to do instead, for files that users give by mistake where a volume is expected: a film, a
/// single picture, a Git LFS pointer or a web page. `head` holds the first bytes, `where` names the file.
void refuse_known_mistakes(std::string_view head, std::string const& where);

} // namespace volpt
