// The bytes of one connection, with limits that the HTTP library does not have.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <httplib.h>

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
    bool count_head(char const* bytes, std::size_t size);

    socket_t socket_;
    StopSignal const& stop_signal_;
    std::function<void()> before_wait_;
    std::array<char, 4096> buffer_;
    std::size_t begin_ = 0, end_ = 0; // of what is in the buffer
    std::size_t head_bytes_ = 0;
    int line_state_ = 0; // how much of "\n\r\n", the end of a head, has been read
    bool is_head_ = true, is_intact_ = true;
    Clock::time_point request_until_;
    mutable Clock::time_point stopped_until_ = Clock::time_point::max(); // for writes
};

} // namespace volpt
