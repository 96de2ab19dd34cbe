// A child that fails or dies, however it does, is an Error (input) with a sentence on how.
#include "libvolpt/sys/sandbox.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;

constexpr SandboxLimits kAmple{std::uint64_t{1} << 40, 60};

#if defined(__has_feature) // clang's way to say it
constexpr bool kReservesTerabytes = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kReservesTerabytes = true;
#else
constexpr bool kReservesTerabytes = false;
#endif

/// The message of the Error that the parent throws when the child does this work and ends.
std::string death(SandboxLimits limits, std::function<void(SandboxPort&)> const& work)
{
    return expect_error(ExitStatus::input, {"some.vdb"}, [&] {
        Sandbox sandbox("some.vdb", limits, work);
        for (;;) sandbox.receive();
    });
}

TEST(Sandbox, DeathBySignalIsToldWithItsNumber)
{
    for (int const number : {SIGSEGV, SIGABRT, SIGKILL}) {
        auto const sentence = death(kAmple, [number](SandboxPort&) {
            std::signal(number, SIG_DFL);
            std::raise(number);
        });
        expect_contains(sentence, {"died of signal " + std::to_string(number)});
    }
}

TEST(Sandbox, DeathInTheMiddleOfAMessageIsDeath)
{
    auto const sentence = death(kAmple, [](SandboxPort& port) {
        std::vector<std::byte> const bytes(1000);
        port.send(7, bytes);
        ::_exit(0);
    });
    expect_contains(sentence, {"ended early"});
}

TEST(Sandbox, MemoryLimitIsToldAsSuch)
{
    if (kReservesTerabytes) GTEST_SKIP() << "sanitizers reserve more address space than any limit";
    auto const sentence = death({std::uint64_t{256} << 20, 60}, [](SandboxPort& port) {
        std::vector<std::byte> const bytes(std::size_t{512} << 20);
        port.send(7, std::span(bytes).first(1));
    });
    expect_contains(sentence, {"more than 256 MiB of memory"});
}

TEST(Sandbox, ProcessorTimeLimitIsToldAsSuch)
{
    auto const sentence = death({kAmple.memory_bytes, 1}, [](SandboxPort&) {
        for (volatile unsigned spin = 0;;) spin = spin + 1;
    });
    expect_contains(sentence, {"ran out of its processor time"});
}

TEST(Sandbox, ErrorsAndExceptionsOfTheChildAreItsSentences)
{
    auto const own = death(
        kAmple, [](SandboxPort&) { fail_input("the leaf is bent", "some.vdb", "it has to be straight", "bend it"); });
    expect_contains(own, {"the leaf is bent", "bend it"});
    auto const foreign = death(kAmple, [](SandboxPort&) { throw std::runtime_error("not a VDB file"); });
    expect_contains(foreign, {"not a VDB file"});
}

TEST(Sandbox, ChildCanNeitherWriteFilesNorPrint)
{
    test::TempFolder const folder;
    std::filesystem::path const path = folder / "written";
    auto const sentence = death(kAmple, [&](SandboxPort&) {
        std::FILE* const file = std::fopen(path.c_str(), "w");
        std::signal(SIGXFSZ, SIG_IGN);
        bool const wrote = file != nullptr && std::fputs("x", file) >= 0 && std::fflush(file) == 0;
        std::puts("noise");
        fail_input(wrote ? "it wrote" : "it wrote nothing", "some.vdb");
    });
    expect_contains(sentence, {"it wrote nothing"});
}

TEST(Sandbox, AChildThatNeverAnswersDiesWithItsParent)
{
    pid_t child = 0;
    {
        Sandbox sandbox("some.vdb", kAmple, [](SandboxPort& port) {
            pid_t const own = ::getpid();
            port.send(7, std::as_bytes(std::span(&own, 1)));
            for (;;) ::pause();
        });
        std::memcpy(&child, sandbox.receive().bytes.data(), sizeof(child));
        EXPECT_EQ(::kill(child, 0), 0);
    }
    EXPECT_EQ(::kill(child, 0), -1);
}

} // namespace
} // namespace volpt
