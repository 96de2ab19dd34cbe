#include "api/src/run_program.h"

#include "api/src/access.h"
#include "api/src/file_descriptor.h"
#include "volpt/program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace volpt::v0 {

std::filesystem::path find_program(std::string const& name)
{
    return translate_errors([&] {
        Dl_info library{};
        if (::dladdr(reinterpret_cast<void const*>(&find_program), &library) == 0 || library.dli_fname == nullptr)
            fail_system("the folder of the library is not known", name);
        auto const folder = std::filesystem::absolute(library.dli_fname).parent_path();
        std::filesystem::path const programs = (folder / kProgramsFromLibrary).lexically_normal();
        std::filesystem::path program = programs / name;
        if (name.empty() || name.find('/') != std::string::npos || ::access(program.c_str(), X_OK) != 0)
            fail_system("there is no program " + name, programs.string(),
                        "install the programs with the library: this folder beside " + folder.string() +
                            " is the only one where it looks for them, and PATH is not searched");
        return program;
    });
}

namespace {

/// Both ends of a pipe.
struct Pipe {
    Pipe()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_system(std::strerror(errno), "pipe");
        out.emplace(ends[0]);
        in.emplace(ends[1]);
        if (out->number() < 0 || in->number() < 0) fail_system(std::strerror(errno), "pipe");
    }
    std::optional<FileDescriptor> out, in;
};

/// Exit status, what the program wrote, and whether it was stopped.
struct ProgramEnd {
    int status = 0;
    std::string answer;
    std::string messages;
    bool was_stopped = false;
};

/// Adds what there is to read. False at the end of the file.
bool read_some(int number, std::string& text)
{
    std::array<char, 4096> part;
    ssize_t const size = ::read(number, part.data(), part.size());
    if (size < 0) return errno == EINTR || errno == EAGAIN;
    text.append(part.data(), static_cast<std::size_t>(size));
    return size > 0;
}

/// Reads both to their ends.
void read_all(pid_t child, int answer, int messages, volpt::ProgressSink const& progress, ProgramEnd& end)
{
    constexpr int kInterval_ms = 100;
    std::array<pollfd, 2> files{{{answer, POLLIN, 0}, {messages, POLLIN, 0}}};
    while (files[0].fd >= 0 || files[1].fd >= 0) { // poll leaves out those below 0
        int const ready = ::poll(files.data(), files.size(), progress && !end.was_stopped ? kInterval_ms : -1);
        if (ready > 0 && files[0].revents != 0 && !read_some(answer, end.answer)) files[0].fd = -1;
        if (ready > 0 && files[1].revents != 0 && !read_some(messages, end.messages)) files[1].fd = -1;
        if (ready < 0 && errno != EINTR) return;
        if (progress && !end.was_stopped && !progress({})) {
            end.was_stopped = true;
            ::kill(child, SIGTERM);
        }
    }
}

/// Signals in the program are as in one that a shell starts, whatever this process ignores or blocks.
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
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(SpawnAttributes const&) = delete;
    SpawnAttributes& operator=(SpawnAttributes const&) = delete;
    posix_spawnattr_t const* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_;
};

pid_t start_program(std::string const& program, std::vector<std::string>& words, int answer, int messages,
                    InheritedFile const* file)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, answer, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    if (file != nullptr) posix_spawn_file_actions_adddup2(&actions, file->number, file->number); // stays open there
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    int const failure =
        ::posix_spawn(&child, program.c_str(), &actions, SpawnAttributes().get(), arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) fail_system(words[0] + " cannot be started: " + std::strerror(failure), program);
    return child;
}

ProgramEnd wait_for_program(std::vector<std::string>& words, InheritedFile const* file,
                            volpt::ProgressSink const& progress)
{
    std::string const program = find_program(words[0]);
    Pipe answer, messages;
    pid_t const child = start_program(program, words, answer.in->number(), messages.in->number(), file);
    answer.in->close();
    messages.in->close();
    ProgramEnd end;
    read_all(child, answer.out->number(), messages.out->number(), progress, end);
    int state = 0;
    while (::waitpid(child, &state, 0) < 0) {
        if (errno == EINTR) continue;
        fail_system("how " + words[0] + " ended is not known: " + std::strerror(errno), program,
                    "do not ignore SIGCHLD, and wait for no child that is not yours");
    }
    end.status = WIFEXITED(state) ? WEXITSTATUS(state) : static_cast<int>(ExitStatus::system);
    return end;
}

void rename_file(std::string& line, InheritedFile const& file)
{
    for (std::size_t at = 0; (at = line.find(file.path, at)) != std::string::npos; at += file.name.size())
        line.replace(at, file.path.size(), file.name);
}

} // namespace

std::string run_program(std::vector<std::string> words, InheritedFile const* file, volpt::NoticeSink const& notice,
                        volpt::ProgressSink const& progress)
{
    for (std::string const& word : words)
        if (word.find('\0') != std::string::npos) fail_usage("a name has a zero byte, which no file has");
    ProgramEnd const end = wait_for_program(words, file, progress);
    if (end.was_stopped) fail_system("was stopped, as it was asked", words[0]);
    // Its hint is for those who typed a command line.
    std::string const see_help = "; see " + words[0] + " --help";
    std::string errors;
    std::istringstream lines(end.messages);
    for (std::string line; std::getline(lines, line);) {
        if (file != nullptr) rename_file(line, *file);
        std::string const note = words[0] + ": note: ", error = words[0] + ": error: ";
        if (line.ends_with(see_help)) line.resize(line.size() - see_help.size());
        if (line.starts_with(error))
            errors += (errors.empty() ? "" : "\n") + line.substr(error.size());
        else if (line.starts_with(note) && end.status == 0 && notice)
            notice(line.substr(note.size()));
    }
    if (end.status == 0) return end.answer;
    if (errors.empty()) errors = words[0] + " ended with status " + std::to_string(end.status) + ": " + end.messages;
    auto const status = end.status >= 1 && end.status <= 3 ? static_cast<ExitStatus>(end.status) : ExitStatus::system;
    throw volpt::Error(status, {errors, {}, {}, {}});
}

} // namespace volpt::v0
