#include "tools/volview/http/connection.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace volpt {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostHead_bytes = 32 << 10;
constexpr auto kRequestTime = 10s; // for head and body
constexpr auto kStallTime = 5s;    // in which the other end sends or takes at least a byte
constexpr auto kDrainTime = 1s;
constexpr std::size_t kMostDrained_bytes = 256 << 10;
constexpr auto kEndTime = 1s; // for answers that are on their way when the server ends
constexpr std::size_t kLeastRate_bytes_per_ms = 32;

bool is_temporary(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

StopSignal::StopSignal() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (descriptor_ < 0)
        fail_system("cannot make a file descriptor for the server's end", "eventfd",
                    "the process has too many open files: raise its limit (ulimit -n)");
}

StopSignal::~StopSignal()
{
    close(descriptor_);
}

void StopSignal::raise()
{
    eventfd_write(descriptor_, 1);
}

Connection::Connection(socket_t socket, StopSignal const& stop_signal, std::function<void()> before_wait)
    : socket_(socket), stop_signal_(stop_signal), before_wait_(std::move(before_wait))
{
}

/// True if the socket is ready; false at the time, and for reads when the server ends.
bool Connection::wait(Direction direction, Clock::time_point until) const
{
    for (;;) {
        bool const is_stopped = stopped_until_ != Clock::time_point::max();
        if (is_stopped && direction == Direction::read) return false;
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(std::min(until, stopped_until_) - Clock::now());
        if (left <= 0ms) return false;
        pollfd waited[2] = {{socket_, static_cast<short>(direction == Direction::read ? POLLIN : POLLOUT), 0},
                            {stop_signal_.descriptor(), POLLIN, 0}};
        int const count = poll(waited, is_stopped ? 1 : 2, static_cast<int>(left.count()));
        if (count < 0 && errno != EINTR) return false;
        if (count <= 0) continue;
        if (waited[1].revents != 0) stopped_until_ = Clock::now() + kEndTime;
        if (waited[0].revents != 0 && (direction == Direction::write || waited[1].revents == 0)) return true;
    }
}

/// Reads what is there, or waits for it; false if nothing comes.
bool Connection::fill(Clock::time_point until)
{
    until = std::min(until, Clock::now() + kStallTime);
    for (;;) {
        auto const count = recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
        if (count > 0) {
            begin_ = 0;
            end_ = static_cast<std::size_t>(count);
            return true;
        }
        if (count == 0 || !is_temporary(errno)) return false;
        before_wait_();
        if (!wait(Direction::read, until)) return false;
    }
}

bool Connection::wait_for_request(double seconds)
{
    auto const time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (begin_ == end_ && !fill(Clock::now() + time)) return false;
    request_until_ = Clock::now() + kRequestTime;
    return true;
}

std::optional<std::string> Connection::read_head()
{
    std::string head;
    int line_state = 0; // how much of "\n\r\n", the end of a head, has been read
    while (head.size() < kMostHead_bytes) {
        if (begin_ == end_ && !fill(request_until_)) return std::nullopt;
        char const byte = buffer_[begin_++];
        head += byte;
        if (byte == '\n' && line_state == 2) return head;
        line_state = byte == '\n' ? 1 : byte == '\r' && line_state == 1 ? 2 : 0;
    }
    return head;
}

void Connection::set_head(std::string head)
{
    head_ = std::move(head);
    head_begin_ = 0;
}

void Connection::drain()
{
    ::shutdown(socket_, SHUT_WR);
    auto const until = Clock::now() + kDrainTime;
    for (std::size_t taken = 0; taken < kMostDrained_bytes && fill(until); taken += end_) {
    }
    begin_ = end_ = 0;
}

ssize_t Connection::read(char* bytes, size_t size)
{
    if (head_begin_ < head_.size()) {
        std::size_t const count = head_.copy(bytes, size, head_begin_);
        head_begin_ += count;
        return static_cast<ssize_t>(count);
    }
    if (!is_intact_ || Clock::now() >= request_until_ || (begin_ == end_ && !fill(request_until_))) {
        is_intact_ = false;
        return -1;
    }
    std::size_t const count = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, bytes);
    begin_ += count;
    return static_cast<ssize_t>(count);
}

ssize_t Connection::write(char const* bytes, size_t size)
{
    auto const until = Clock::now() + kStallTime +
                       std::chrono::milliseconds(static_cast<std::int64_t>(size / kLeastRate_bytes_per_ms));
    std::size_t sent = 0;
    while (sent < size) {
        auto const count = send(socket_, bytes + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count > 0)
            sent += static_cast<std::size_t>(count);
        else if (count == 0 || !is_temporary(errno) ||
                 !wait(Direction::write, std::min(until, Clock::now() + kStallTime)))
            return -1;
        if (sent < size && Clock::now() >= until) return -1;
    }
    return static_cast<ssize_t>(size);
}

bool Connection::is_readable() const
{
    return head_begin_ < head_.size() || begin_ != end_ || wait(Direction::read, Clock::now() + kStallTime);
}

bool Connection::is_writable() const
{
    if (!wait(Direction::write, Clock::now() + kStallTime)) return false;
    char byte = 0;
    auto const count = recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count > 0 || (count < 0 && is_temporary(errno));
}

// No answer depends on where a request comes from.
void Connection::get_remote_ip_and_port(std::string& ip, int& port) const
{
    ip.clear();
    port = 0;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const
{
    get_remote_ip_and_port(ip, port);
}

} // namespace volpt
