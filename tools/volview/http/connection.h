// The bytes of one connection, with limits that the HTTP library does not have.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <httplib.h>
#include <optional>
#include <string>

namespace volpt {

/// Tells threads that wait at a socket that the server ends. Each of them waits for its file descriptor as well.
class StopSignal {
public:
    /// Error (system) if the process has no file descriptors left.
    StopSignal();
    ~StopSignal();
    StopSignal(StopSignal const&) = delete;
    StopSignal& operator=(StopSignal const&) = delete;

    void raise();
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

/// Reads at most 32 KiB of head per request, and whole requests within ten seconds; what is beyond fails. A write fails
/// if the other end takes nothing for five seconds, or less than 32 KiB per second. Once the server ends, reads fail at
/// once and writes after a second.
class Connection : public httplib::Stream {
public:
    /// `before_wait` is called before a thread waits for bytes of the other end. The socket stays the caller's.
    Connection(socket_t socket, StopSignal const& stop_signal, std::function<void()> before_wait);

    /// Waits for the first byte of the next request, at most so long; false if none comes.
    bool wait_for_request(double seconds);
    /// The head of this request, up to its empty line; without the empty line if it is longer than it may be. None if
    /// it ends before.
    std::optional<std::string> read_head();
    /// What the HTTP library reads before the rest of the request.
    void set_head(std::string head);
    /// Takes and forgets what the other end still sends, for a moment: closed before that, the connection would lose
    /// the answer.
    void drain();
    /// False once a read has failed: what follows in the connection is no request.
    bool is_intact() const { return is_intact_; }

    bool is_readable() const override;
    bool is_writable() const override;
    ssize_t read(char* bytes, size_t size) override;
    ssize_t write(char const* bytes, size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_; }

private:
    using Clock = std::chrono::steady_clock;
    enum class Direction { read, write };

    bool wait(Direction direction, Clock::time_point until) const;
    bool fill(Clock::time_point until);

    socket_t socket_;
    StopSignal const& stop_signal_;
    std::function<void()> before_wait_;
    std::array<char, 4096> buffer_;
    std::size_t begin_ = 0, end_ = 0; // of what is in the buffer
    std::string head_;                // for the library
    std::size_t head_begin_ = 0;      // of what it has not read
    bool is_intact_ = true;
    Clock::time_point request_until_;
    mutable Clock::time_point stopped_until_ = Clock::time_point::max(); // for writes
};

} // namespace volpt
