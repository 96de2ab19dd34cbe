#include "api/src/run_program.h"

#include "api/src/file_descriptor.h"
#include "libvolpt/sys/error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace volpt::v0 {
namespace {

/// The program's path, or its name alone, which posix_spawnp looks for on PATH.
std::string find_program(std::string const& name)
{
    Dl_info library{};
    if (::dladdr(reinterpret_cast<void const*>(&find_program), &library) == 0 || library.dli_fname == nullptr)
        return name;
    std::error_code ignored;
    auto const folder = std::filesystem::absolute(library.dli_fname, ignored).parent_path();
    std::filesystem::path const program = folder / VOLPT_PROGRAMS_FROM_LIBRARY / name;
    return ::access(program.c_str(), X_OK) == 0 ? program.string() : name;
}

std::string read_all(int number)
{
    std::string text;
    std::array<char, 4096> part;
    for (;;) {
        ssize_t const size = ::read(number, part.data(), part.size());
        if (size > 0)
            text.append(part.data(), static_cast<std::size_t>(size));
        else if (size == 0 || errno != EINTR)
            return text;
    }
}

/// Exit status, and what the program wrote to stderr.
struct ProgramEnd {
    int status = 0;
    std::string messages;
};

ProgramEnd wait_for_program(std::vector<std::string>& words, InheritedFile const* file)
{
    std::string const program = find_program(words[0]);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_system(std::strerror(errno), "pipe");
    FileDescriptor const out(ends[0]);
    FileDescriptor in(ends[1]);
    if (out.number() < 0 || in.number() < 0) fail_system(std::strerror(errno), "pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, in.number(), STDERR_FILENO);
    if (file != nullptr) posix_spawn_file_actions_adddup2(&actions, file->number, file->number); // stays open there
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    int const failure = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        fail_system(words[0] + " cannot be started: " + std::strerror(failure), program,
                    "install the programs beside the library, or add their folder to PATH");
    in.close();
    ProgramEnd end{0, read_all(out.number())};
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

void run_program(std::vector<std::string> words, InheritedFile const* file, volpt::NoticeSink const& notice)
{
    ProgramEnd const end = wait_for_program(words, file);
    std::string errors;
    std::istringstream lines(end.messages);
    for (std::string line; std::getline(lines, line);) {
        if (file != nullptr) rename_file(line, *file);
        std::string const note = words[0] + ": note: ", error = words[0] + ": error: ";
        if (line.starts_with(error))
            errors += (errors.empty() ? "" : "\n") + line.substr(error.size());
        else if (line.starts_with(note) && end.status == 0 && notice)
            notice(line.substr(note.size()));
    }
    if (end.status == 0) return;
    if (errors.empty()) errors = words[0] + " ended with status " + std::to_string(end.status) + ": " + end.messages;
    auto const status = end.status >= 1 && end.status <= 3 ? static_cast<ExitStatus>(end.status) : ExitStatus::system;
    throw volpt::Error(status, {errors, {}, {}, {}});
}

} // namespace volpt::v0
