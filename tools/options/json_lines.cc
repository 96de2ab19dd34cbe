#include "tools/options/json_lines.h"

#include "libvolpt/sys/json.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

std::atomic<bool> is_writing_lines{false};
std::mutex line_mutex;

} // namespace

void begin_json_lines()
{
    is_writing_lines = true;
    std::signal(SIGPIPE, SIG_IGN); // so that what has been begun is removed first
}

bool writes_json_lines()
{
    return is_writing_lines;
}

void write_json_line(nlohmann::ordered_json const& line)
{
    std::string const text = format_json(line) + "\n";
    std::scoped_lock const lock(line_mutex);
    // Flushed before any reader is forked, which would write it once more.
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) std::raise(SIGTERM);
}

} // namespace volpt
