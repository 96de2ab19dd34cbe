#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace volpt {

/// A pointer file has fewer bytes than this.
inline constexpr std::size_t kMostLfsPointerBytes = 1024;
inline constexpr std::size_t kLfsHeadBytes = 23;

/// Error (input) if a file begins as what a repository with Git LFS has in place of a file until its content is
/// fetched (Git LFS Specification, "The Pointer"). No format that is read here begins so. `head` needs kLfsHeadBytes.
void refuse_lfs_pointer(std::span<std::byte const> head, std::string const& where);

/// The same of an open file; nothing is read of one that is longer than pointers are.
void refuse_lfs_pointer(int descriptor, std::size_t size_bytes, std::string const& where);

} // namespace volpt
