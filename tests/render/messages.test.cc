// Every kind of message arrives as it was sent; what is cut, too long or of another kind is refused by the sender's
// rank.
#include "libvolpt/render/ranks/messages.h"
#include "libvolpt/render/ranks/mpi_job.h"
#include "tests/support/expect_error.h"
#include "tests/support/fake_ranks.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

template <class M>
TailOf<M> make_tail()
{
    return {};
}
template <>
TailOf<messages::StartReport> make_tail<messages::StartReport>()
{
    return {"no such file", {"1.0", "", "7"}};
}
template <>
TailOf<messages::FilmTotals> make_tail<messages::FilmTotals>()
{
    return {BankSums{{0, {1, 2}}, {5, {Wide{3}, Wide{4}}}}, {{{0, 4}}, {{0, 4}}, {}, {{0, 1}, {3, 9}}}};
}
template <>
TailOf<messages::BeginRound> make_tail<messages::BeginRound>()
{
    return {{{{0, 8}}, {}, {}, {{0, 8}}}};
}

/// A body whose bytes are all 1: true as a bool.
template <class M>
M make_body()
{
    M body;
    std::memset(static_cast<void*>(&body), 1, sizeof(M));
    return body;
}

template <class M>
void expect_refusal(Message const& message, std::string const& text)
{
    expect_error(ExitStatus::system, {text}, [&] { unpack<M>(message); });
}

template <class M>
class Messages : public testing::Test {
};

template <class Tuple>
struct ToTypes;
template <class... Ms>
struct ToTypes<std::tuple<Ms...>> {
    using Type = testing::Types<Ms...>;
};
struct MessageName {
    template <class M>
    static std::string GetName(int)
    {
        std::string name(M::kName);
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    }
};
TYPED_TEST_SUITE(Messages, ToTypes<AllMessages>::Type, MessageName);

TYPED_TEST(Messages, ArriveAsSent)
{
    FakeJob job(4);
    FakeRanks sender(job, 3), receiver(job, 0);
    auto const body = make_body<TypeParam>();
    auto const tail = make_tail<TypeParam>();
    send(sender, 0, body, tail);
    std::optional<Message> const message = receiver.try_receive();
    ASSERT_TRUE(message);
    EXPECT_FALSE(receiver.try_receive());
    EXPECT_EQ(message->tag, kTag<TypeParam>);
    auto const received = unpack<TypeParam>(*message);
    EXPECT_EQ(received.rank, 3);
    // Copies of an empty class need not keep the byte that gives it a size.
    if constexpr (!std::is_empty_v<TypeParam>) {
        EXPECT_EQ(std::memcmp(&received.body, &body, sizeof(body)), 0);
    }
    EXPECT_EQ(received.tail, tail);
}

TYPED_TEST(Messages, TruncatedLongAndOtherKindsAreRefused)
{
    Message message = pack(0, make_body<TypeParam>(), make_tail<TypeParam>());
    message.rank = 3; // as received
    std::string const whole = message.bytes;
    std::string const name = std::string("'") + std::string(TypeParam::kName) + "' from rank 3 ";
    for (std::size_t size = 0; size<whole.size(); size += whole.size()> 500 ? 7 : 1) {
        message.bytes = whole.substr(0, size);
        expect_refusal<TypeParam>(message, name + "ends early");
    }
    message.bytes = whole + "abc";
    expect_refusal<TypeParam>(message, name + "has 3 bytes too many");
    message.bytes = whole;
    ++message.tag;
    expect_refusal<TypeParam>(message, name + "was expected");
}

TEST(MessageTails, WrongCountsAreRefused)
{
    Message message = pack(0, messages::BeginRound{}, make_tail<messages::BeginRound>());
    for (char const count : {'\0', '\x7f'}) { // of equal tiles, after the body and the number of tiles
        message.bytes[sizeof(messages::BeginRound) + sizeof(std::size_t)] = count;
        expect_refusal<messages::BeginRound>(message, "wrong numbers of tiles");
    }
}

TEST(MessageHandlers, OneIsCalledAndOtherKindsAreIgnored)
{
    int notices = 0, stops = 0;
    for (Message const& message : {pack(0, messages::Notice{"hello"}), pack(0, messages::EndRound{})})
        handle_message(
            message,
            [&](Received<messages::Notice> const& received) {
                ++notices;
                EXPECT_EQ(received.body.text.str(), "hello");
            },
            [&](Received<messages::StopRequest> const&) { ++stops; });
    EXPECT_EQ(notices, 1);
    EXPECT_EQ(stops, 0);
}

TEST(MessageTexts, LongOnesAreCut)
{
    Text<4> const text(std::string("abcdefg"));
    EXPECT_EQ(text.str(), "abcd");
    EXPECT_EQ(Text<4>("").str(), "");
}

TEST(Pieces, AMessageOfAnySizeArrivesWhole)
{
    FakeJob job(3);
    FakeRanks first(job, 1), second(job, 2), receiver(job, 0);
    for (std::size_t const size : {std::size_t{0}, std::size_t{1}, FakeRanks::kPieceBytes - 1, FakeRanks::kPieceBytes,
                                   FakeRanks::kPieceBytes + 1, 3 * FakeRanks::kPieceBytes}) {
        first.send({0, 5, std::string(size, 'a')});
        second.send({0, 5, std::string(size, 'b')});
        first.send({0, 6, "next"});
        EXPECT_EQ(receiver.receive().bytes, std::string(size, 'a'));
        EXPECT_EQ(receiver.receive().bytes, std::string(size, 'b'));
        EXPECT_EQ(receiver.receive().tag, 6);
        EXPECT_FALSE(receiver.try_receive());
    }
}

TEST(StartAgreement, DifferentFactsAndTroubleNameTheRank)
{
    auto const agree = [](StartFacts const& theirs, std::optional<Error> const& trouble) {
        FakeJob job(2);
        StartVerdict verdict = StartVerdict::go_on;
        std::jthread const other([&] {
            FakeRanks ranks(job, 1);
            verdict = agree_to_start(ranks, theirs, trouble);
        });
        FakeRanks ranks(job, 0);
        return agree_to_start(ranks, {{"version", "1"}, {"seed", "7"}}, std::nullopt);
    };
    EXPECT_EQ(agree({{"version", "1"}, {"seed", "7"}}, std::nullopt), StartVerdict::go_on);
    expect_error(ExitStatus::input, {"rank 1 on here has another seed than rank 0 (8 and 7)"}, [&] {
        agree({{"version", "1"}, {"seed", "8"}}, std::nullopt);
    });
    expect_error(ExitStatus::usage, {"rank 1 on here could not start: ", "--x"}, [&] {
        agree({}, Error(ExitStatus::usage, {"no such option", "--x", {}, {}}));
    });
}

} // namespace
} // namespace volpt::test
