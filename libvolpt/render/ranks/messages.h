// The messages between the ranks of an MPI job: one struct per kind, and how they are sent and received.
//
// All ranks run the same program on machines of one kind (checked by agree_to_start), so values travel as they lie in
// memory: the struct, which is trivially copyable, then, where it declares a `Tail`, lists that are preceded by their
// number of elements. The kind is the MPI tag.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/pool/work_source.h"
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace volpt {

/// A text of at most `N` bytes; a longer one is cut.
template <std::size_t N>
class Text {
public:
    Text() = default;
    template <class T>
    requires std::convertible_to<T, std::string_view> Text(T const& text)
        : size_(std::min(std::string_view(text).size(), N))
    {
        std::memcpy(chars_.data(), std::string_view(text).data(), size_);
    }
    std::string str() const { return {chars_.data(), std::min(size_, N)}; }

private:
    std::size_t size_ = 0;
    std::array<char, N> chars_{};
};

namespace messages {

// To rank 0.

/// Whether this rank is ready for its first render. The tail says what went wrong, and has the values of its
/// StartFacts.
struct StartReport {
    static constexpr std::string_view kName = "start report";
    Text<256> host;
    ExitStatus status = ExitStatus::done;
    using Tail = std::tuple<std::string, std::vector<std::string>>;
};

/// Answer to PrepareRender.
struct RenderResources {
    static constexpr std::string_view kName = "render resources";
    Text<256> host;
    std::uint32_t most_tile_size = 0;
    int workers = 0;
};

/// Answered by WorkReply.
struct WorkRequest {
    static constexpr std::string_view kName = "work request";
    std::uint32_t source = 0; ///< number of the WorkSource on its rank
    volpt::WorkRequest request;
    std::int64_t done_paths = 0; ///< of this rank since its last message
};

struct SourceClosed {
    static constexpr std::string_view kName = "source closed";
    std::uint32_t source = 0;
    std::int64_t done_paths = 0; ///< as in WorkRequest
};

/// For the user.
struct Notice {
    static constexpr std::string_view kName = "notice";
    Text<1500> text;
};

/// This rank was asked to stop the render.
struct StopRequest {
    static constexpr std::string_view kName = "stop request";
};

/// What ends the render on all ranks.
struct RenderFailure {
    static constexpr std::string_view kName = "render failure";
    ExitStatus status = ExitStatus::system;
    Text<1500> text;
};

/// What volpt::WorkerReport has; of its GPU, nothing that only its own process uses.
struct WorkerReport {
    static constexpr std::string_view kName = "worker report";
    Text<400> device, kernel, failure;
    PathCounts counts;
    double seconds_banks = 0;
    double end_s = 0;
};

/// All WorkSources of this rank are closed, and its WorkerReports were sent.
struct RoundDone {
    static constexpr std::string_view kName = "round done";
    int active_workers = 0; ///< that have not failed
};

/// Follows the planes that ReduceFilm asked for: the rest of a FilmDelta.
struct FilmTotals {
    static constexpr std::string_view kName = "film totals";
    PathCounts counts;
    using Tail = std::tuple<BankSums, std::vector<SampleRanges>>;
};

// From rank 0.

/// Answer to StartReport.
struct StartReply {
    static constexpr std::string_view kName = "start reply";
    bool can_start = false;
};

struct PrepareRender {
    static constexpr std::string_view kName = "prepare render";
};

struct BeginRender {
    static constexpr std::string_view kName = "begin render";
    std::uint32_t tile_size = 0;
    int total_workers = 0; ///< of all ranks
    std::uint64_t total_paths = 0;
    bool keeps_half = false; ///< as Film has it
};

/// The tail has the samples to render, by file tile.
struct BeginRound {
    static constexpr std::string_view kName = "begin round";
    using Tail = std::tuple<std::vector<SampleRanges>>;
};

struct WorkReply {
    static constexpr std::string_view kName = "work reply";
    std::uint32_t source = 0; ///< as in WorkRequest
    bool has_item = false;
    TileGroupId group_id; ///< this and what follows: of the item
    SampleRange samples;
    std::uint64_t paths = 0;
};

struct StopWorkers {
    static constexpr std::string_view kName = "stop workers";
};

/// All ranks now add up the planes of their films with Communicator::reduce_sum: those of kFilmPlanes, one after
/// the other, each in pieces of kReduceValues.
struct ReduceFilm {
    static constexpr std::string_view kName = "reduce film";
};

struct EndRound {
    static constexpr std::string_view kName = "end round";
};

/// No render follows.
struct EndJob {
    static constexpr std::string_view kName = "end job";
};

} // namespace messages

/// Values that ranks add at once: rank 0 needs memory for so many beside its film.
inline constexpr std::size_t kReduceValues = std::size_t{1} << 20;

/// The place of a message in this list is its tag.
using AllMessages =
    std::tuple<messages::StartReport, messages::RenderResources, messages::WorkRequest, messages::SourceClosed,
               messages::Notice, messages::StopRequest, messages::RenderFailure, messages::WorkerReport,
               messages::RoundDone, messages::FilmTotals, messages::StartReply, messages::PrepareRender,
               messages::BeginRender, messages::BeginRound, messages::WorkReply, messages::StopWorkers,
               messages::ReduceFilm, messages::EndRound, messages::EndJob>;

namespace detail {

template <class M, class... Ms>
constexpr int find_tag(std::tuple<Ms...> const*)
{
    int tag = 0;
    static_cast<void>(((std::is_same_v<M, Ms> || (++tag, false)) || ...));
    return tag;
}

template <class M>
struct TailOf {
    using Type = std::tuple<>;
};
template <class M>
requires requires
{
    typename M::Tail;
}
struct TailOf<M> {
    using Type = typename M::Tail;
};

/// The message that a handler, a lambda with the parameter `Received<M> const&`, is for.
template <class Handler>
struct HandledMessage : HandledMessage<decltype(&Handler::operator())> {
};

} // namespace detail

template <class M>
inline constexpr int kTag = detail::find_tag<M>(static_cast<AllMessages const*>(nullptr));
template <class M>
using TailOf = typename detail::TailOf<M>::Type;

template <class M>
struct Received {
    int rank = 0; ///< of the sender
    M body;
    TailOf<M> tail;
};

template <class Lambda, class M>
struct detail::HandledMessage<void (Lambda::*)(Received<M> const&) const> {
    using Type = M;
};

class MessageWriter {
public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void write(T const& value) { bytes_.append(reinterpret_cast<char const*>(&value), sizeof(T)); }
    void write(std::string const& text);
    void write(std::vector<SampleRanges> const& ranges); ///< equal neighbours once
    template <class T>
    void write(std::vector<T> const& values)
    {
        write(values.size());
        for (T const& value : values) write(value);
    }
    template <class K, class V>
    void write(std::map<K, V> const& entries)
    {
        write(entries.size());
        for (auto const& [key, value] : entries) {
            write(key);
            write(value);
        }
    }
    std::string take(); // not inline: g++ 12 warns falsely under -fsanitize=thread

private:
    std::string bytes_;
};

/// Reads what a MessageWriter wrote. Error (system), with the sender's rank, if the message is shorter or longer.
class MessageReader {
public:
    /// Error (system) if the message has another tag.
    MessageReader(Message const& message, int tag, std::string_view name);

    template <class T>
    requires std::is_trivially_copyable_v<T>
    void read(T& value) { std::memcpy(static_cast<void*>(&value), take(sizeof(T)).data(), sizeof(T)); }
    void read(std::string& text);
    void read(std::vector<SampleRanges>& ranges);
    template <class T>
    void read(std::vector<T>& values)
    {
        values.resize(read_count());
        for (T& value : values) read(value);
    }
    template <class K, class V>
    void read(std::map<K, V>& entries)
    {
        for (std::size_t left = read_count(); left > 0; --left) {
            K key;
            read(key);
            read(entries[key]);
        }
    }
    void expect_end() const;

private:
    /// At most the number of bytes that follow.
    std::size_t read_count();
    std::string_view take(std::size_t size);
    [[noreturn]] void fail(std::string const& what) const;

    int rank_;
    std::string_view name_;
    std::string_view bytes_;
};

template <class M>
Message pack(int to, M const& body, TailOf<M> const& tail = {})
{
    static_assert(std::is_trivially_copyable_v<M> && sizeof(M) <= 2048, "sent without waiting for the receiver");
    static_assert(kTag<M> < static_cast<int>(std::tuple_size_v<AllMessages>));
    MessageWriter writer;
    writer.write(body);
    std::apply([&](auto const&... lists) { (writer.write(lists), ...); }, tail);
    return {to, kTag<M>, writer.take()};
}

/// Error (system) if the message is no M.
template <class M>
Received<M> unpack(Message const& message)
{
    MessageReader reader(message, kTag<M>, M::kName);
    Received<M> received{message.rank, {}, {}};
    reader.read(received.body);
    std::apply([&](auto&... lists) { (reader.read(lists), ...); }, received.tail);
    reader.expect_end();
    return received;
}

template <class M>
void send(Communicator& communicator, int to, M const& body, TailOf<M> const& tail = {})
{
    communicator.send(pack(to, body, tail));
}

/// To all ranks but 0.
template <class M>
void send_to_all(Communicator& communicator, M const& body, TailOf<M> const& tail = {})
{
    for (int rank = 1; rank < communicator.size(); ++rank) send(communicator, rank, body, tail);
}

/// Calls the handler for the message's kind: each is a lambda with one parameter, Received<M> const&. Messages that
/// have no handler are ignored. Error (system) if the message is damaged.
template <class... Handlers>
void handle_message(Message const& message, Handlers const&... handlers)
{
    auto const try_handler = [&]<class Handler>(Handler const& handler) {
        using M = typename detail::HandledMessage<Handler>::Type;
        if (message.tag == kTag<M>) handler(unpack<M>(message));
    };
    (try_handler(handlers), ...);
}

messages::WorkerReport to_message(WorkerReport const& report);
WorkerReport to_report(messages::WorkerReport const& message);

} // namespace volpt
