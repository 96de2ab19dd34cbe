// What ranks write to each other: kinds of letters, and values as bytes. All processes are the same program on like
// machines (checked at the start), so values travel as they lie in memory.
#pragma once

#include "libvolpt/sys/error.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace volpt {

enum class MessageKind : std::uint8_t {
    // To rank 0.
    hello,  ///< host, trouble, facts
    ready,  ///< tile size, workers, host
    ask,    ///< seat, WorkRequest, paths done since the last letter
    get_up, ///< seat, paths done since the last letter
    notice, ///< text
    stop,   ///< this rank was asked to stop
    broken, ///< status and text of what ends the render
    report, ///< of one worker
    over,   ///< all seats of this round are empty: workers that are able
    delta,  ///< what sums alone do not tell of a delta: counts, banks, ranges
    // From rank 0.
    verdict, ///< whether to go on
    prepare, ///< a render begins
    begin,   ///< tile size, company, paths in all
    round,   ///< what is to be rendered, by file tile
    answer,  ///< seat, batch or nothing
    halt,    ///< workers are to stop
    collect, ///< sums and deltas are wanted
    rest,    ///< the round is over
    finish,  ///< no render is to come
};

class MessageWriter {
public:
    explicit MessageWriter(MessageKind kind) { put(kind); }

    template <class T>
    MessageWriter& put(T const& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<char const*>(&value), sizeof(T));
        return *this;
    }
    MessageWriter& put_text(std::string_view text)
    {
        put(static_cast<std::uint64_t>(text.size()));
        bytes_ += text;
        return *this;
    }
    template <class T>
    MessageWriter& put_list(std::vector<T> const& values)
    {
        put(static_cast<std::uint64_t>(values.size()));
        for (T const& value : values) put(value);
        return *this;
    }
    std::string const& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads what a MessageWriter wrote, in the same order. Error (system) at the end of the letter.
class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : bytes_(bytes) { get(kind_); }

    MessageKind kind() const { return kind_; }
    template <class T>
    T get()
    {
        T value;
        get(value);
        return value;
    }
    std::string get_text() { return std::string(take(get<std::uint64_t>())); }
    template <class T>
    std::vector<T> get_list()
    {
        auto const size = get<std::uint64_t>();
        if (size > bytes_.size() / sizeof(T)) fail_short();
        std::vector<T> values(size);
        for (T& value : values) get(value);
        return values;
    }

private:
    template <class T>
    void get(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    }
    std::string_view take(std::uint64_t size)
    {
        if (size > bytes_.size()) fail_short();
        std::string_view const part = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return part;
    }
    [[noreturn]] static void fail_short()
    {
        fail_system("a letter between ranks ends early", "MPI", "start all ranks with the same volrender");
    }

    std::string_view bytes_;
    MessageKind kind_{};
};

} // namespace volpt
