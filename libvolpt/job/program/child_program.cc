#include "libvolpt/job/program/child_program.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/file_descriptor.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace volpt {
namespace {

/// Both ends of a pipe.
struct ChildPipe {
    ChildPipe()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_system(std::strerror(errno), "pipe");
        out.emplace(ends[0]);
        in.emplace(ends[1]);
        if (out->number() < 0 || in->number() < 0) fail_system(std::strerror(errno), "pipe");
    }
    std::optional<FileDescriptor> out, in;
};

/// Signals in the program are as in one that a shell starts, whatever this process ignores or blocks. Its process group
/// is its own: Ctrl-C is for the caller, who stops the program.
class SpawnAttributes {
public:
    SpawnAttributes()
    {
        posix_spawnattr_init(&attributes_);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes_, &signals);
        sigaddset(&signals, SIGPIPE);
        sigaddset(&signals, SIGTERM);
        posix_spawnattr_setsigdefault(&attributes_, &signals);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(SpawnAttributes const&) = delete;
    SpawnAttributes& operator=(SpawnAttributes const&) = delete;
    posix_spawnattr_t const* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_;
};

pid_t start_child(ChildCall const& call, int answer, int messages)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, answer, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    if (call.inherited >= 0) posix_spawn_file_actions_adddup2(&actions, call.inherited, call.inherited); // stays open
    std::string name = call.program.filename().string();
    std::vector<std::string> words = call.words;
    std::vector<char*> arguments{name.data()};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    int const failure =
        ::posix_spawn(&child, call.program.c_str(), &actions, SpawnAttributes().get(), arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) fail_system(name + " cannot be started: " + std::strerror(failure), call.program.string());
    return child;
}

/// What a child writes, and the first exception of a sink.
class ChildReader {
public:
    ChildReader(pid_t child, ChildSinks const& sinks, ChildEnd& end) : child_(child), sinks_(sinks), end_(end) {}

    /// Reads both to their ends.
    void read_all(int answer, int messages)
    {
        constexpr int kInterval_ms = 100;
        std::array<pollfd, 2> files{{{answer, POLLIN, 0}, {messages, POLLIN, 0}}};
        while (files[0].fd >= 0 || files[1].fd >= 0) { // poll leaves out those below 0
            int const ready = ::poll(files.data(), files.size(), sinks_.goes_on && !is_stopped() ? kInterval_ms : -1);
            if (ready < 0 && errno != EINTR) return;
            if (ready > 0 && files[0].revents != 0) {
                if (!read_some(answer, answer_)) files[0].fd = -1;
                take_lines();
            }
            if (ready > 0 && files[1].revents != 0 && !read_some(messages, end_.messages)) files[1].fd = -1;
            if (sinks_.goes_on && !is_stopped()) guard([&] { return sinks_.goes_on(); });
        }
        if (!answer_.empty()) take_line(answer_);
    }

    void rethrow_failure() const
    {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    bool is_stopped() const { return end_.was_stopped; }

    /// Adds what there is to read. False at the end of the file.
    static bool read_some(int number, std::string& text)
    {
        std::array<char, 4096> part;
        ssize_t const size = ::read(number, part.data(), part.size());
        if (size < 0) return errno == EINTR || errno == EAGAIN;
        text.append(part.data(), static_cast<std::size_t>(size));
        return size > 0;
    }

    void take_lines()
    {
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = answer_.find('\n', begin)) != std::string::npos; begin = end + 1)
            take_line(std::string_view(answer_).substr(begin, end - begin));
        answer_.erase(0, begin);
    }

    void take_line(std::string_view line)
    {
        if (failure_ || !sinks_.line) return;
        guard([&] {
            sinks_.line(line);
            return true;
        });
    }

    template <class Call>
    void guard(Call&& call)
    {
        bool goes_on = false;
        try {
            goes_on = call();
        } catch (...) {
            failure_ = std::current_exception();
        }
        if (goes_on || is_stopped()) return;
        end_.was_stopped = true;
        ::kill(child_, SIGTERM);
    }

    pid_t child_;
    ChildSinks const& sinks_;
    ChildEnd& end_;
    std::string answer_; ///< what has no line end yet
    std::exception_ptr failure_;
};

} // namespace

std::filesystem::path find_program_in(std::filesystem::path const& folder, std::string const& name,
                                      std::string const& advice)
{
    std::filesystem::path program = folder / name;
    if (name.empty() || name.find('/') != std::string::npos || ::access(program.c_str(), X_OK) != 0)
        fail_system("there is no program " + name, folder.string(), advice);
    return program;
}

std::filesystem::path find_program_beside(std::string const& name)
{
    std::error_code unknown;
    std::filesystem::path const self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    if (unknown) fail_system("the folder of this program is not known", name, "mount /proc");
    return find_program_in(self.parent_path(), name,
                           "install the suite in one folder: it is the only one where " + self.filename().string() +
                               " looks for other programs, and PATH is not searched");
}

ChildEnd run_child(ChildCall const& call, ChildSinks const& sinks)
{
    for (std::string const& word : call.words)
        if (word.find('\0') != std::string::npos) fail_usage("a name has a zero byte, which no file has");
    ChildPipe answer, messages;
    pid_t const child = start_child(call, answer.in->number(), messages.in->number());
    answer.in->close();
    messages.in->close();
    ChildEnd end;
    ChildReader reader(child, sinks, end);
    reader.read_all(answer.out->number(), messages.out->number());
    int state = 0;
    while (::waitpid(child, &state, 0) < 0) {
        if (errno == EINTR) continue;
        fail_system("how " + call.program.filename().string() + " ended is not known: " + std::strerror(errno),
                    call.program.string(), "do not ignore SIGCHLD, and wait for no child that is not yours");
    }
    reader.rethrow_failure();
    end.status = WIFEXITED(state) ? WEXITSTATUS(state) : static_cast<int>(ExitStatus::system);
    return end;
}

} // namespace volpt
