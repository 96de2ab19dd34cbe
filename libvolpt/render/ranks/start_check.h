// Before the first render: do all ranks have the same program, files and options?
#pragma once

#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/sys/error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

/// What must be equal: names and values, the same names in the same order on every rank ("scene", "a1b2..").
using StartFacts = std::vector<std::pair<std::string, std::string>>;

enum class StartVerdict { go_on, leave };

/// Called by all ranks, with what kept this one from getting ready, if anything did. If the ranks cannot start, rank 0
/// has an Error naming ranks and hosts: what a rank said of its trouble, with its status, or (input) whose facts differ
/// from rank 0's; the others are to leave quietly.
StartVerdict agree_to_start(Communicator& ranks, StartFacts const& facts, std::optional<Error> const& trouble);

} // namespace volpt
