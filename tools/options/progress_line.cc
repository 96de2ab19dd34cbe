#include "tools/options/progress_line.h"

#include "libvolpt/sys/stopwatch.h"
#include "tools/options/json_lines.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>
#include <utility>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPaintInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);

volatile std::sig_atomic_t interrupted = 0;

extern "C" void set_interrupted(int)
{
    interrupted = 1;
}

std::string format_rate(double per_second, std::string_view unit)
{
    char const* const prefixes[] = {"", "k", "M", "G", "T"};
    std::size_t prefix = 0;
    while (per_second >= 1000 && prefix + 1 < std::size(prefixes)) {
        per_second /= 1000;
        ++prefix;
    }
    return fmt::format("{:.3g} {}{}/s", per_second, prefixes[prefix], unit);
}

std::string format_duration(double seconds)
{
    auto const whole = static_cast<std::uint64_t>(std::min(seconds, 1e9) + 0.5);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

} // namespace

void watch_interrupts()
{
    struct sigaction action = {};
    action.sa_handler = set_interrupted;
    sigemptyset(&action.sa_mask);
    // SA_RESETHAND: a second signal ends the process. SA_RESTART: system calls in progress are not cut short.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction hangup = {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool is_interrupted() noexcept
{
    return interrupted != 0;
}

std::string format_progress(std::string_view label, Progress const& progress, double elapsed_s)
{
    auto const done = static_cast<double>(progress.done);
    auto const total = static_cast<double>(progress.total);
    std::string line(label);
    if (total > 0) line += fmt::format(" {:3.0f}%", 100 * std::min(1.0, done / total));
    if (elapsed_s <= 0 || done <= 0) return line;
    line += "  " + format_rate(done / elapsed_s, progress.unit);
    if (done < total) line += "  " + format_duration((total - done) * elapsed_s / done) + " left";
    return line;
}

struct ProgressLine::State {
    std::string label;
    bool visible = false;
    bool on_terminal = false;
    bool painted = false;
    Clock::time_point start = Clock::now();
    Clock::time_point last_paint = start;

    void write_line(Progress const& progress) const
    {
        write_json_line({{"progress",
                          {{"label", label},
                           {"done", progress.done},
                           {"total", progress.total},
                           {"unit", std::string(progress.unit)}}}});
    }

    void paint(Progress const& progress)
    {
        auto const now = Clock::now();
        bool const is_short = on_terminal || writes_json_lines();
        if (!visible || now - last_paint < (is_short ? Clock::duration(kPaintInterval) : kLineInterval)) return;
        last_paint = now;
        if (writes_json_lines()) return write_line(progress);
        std::string text = format_progress(label, progress, seconds_since(start));
        text = on_terminal ? "\r\033[K" + text : text + "\n";
        painted = on_terminal;
        std::fputs(text.c_str(), stderr);
        std::fflush(stderr);
    }
};

ProgressLine::ProgressLine(std::string label, Verbosity verbosity) : state_(std::make_unique<State>())
{
    state_->label = std::move(label);
    state_->visible = verbosity != Verbosity::quiet;
    state_->on_terminal = isatty(STDERR_FILENO) != 0;
}

ProgressLine::~ProgressLine()
{
    if (state_->painted) std::fputs("\r\033[K", stderr);
}

ProgressSink ProgressLine::sink()
{
    return [state = state_.get()](Progress const& progress) {
        state->paint(progress);
        return !is_interrupted();
    };
}

ProgressSink show_progress_when_asked(std::string label, Verbosity verbosity)
{
    return [line = std::make_shared<std::optional<ProgressLine>>(), label = std::move(label),
            verbosity](Progress const& progress) {
        if (!*line) {
            watch_interrupts();
            line->emplace(label, verbosity);
        }
        return (*line)->sink()(progress);
    };
}

} // namespace volpt
