#include "tools/volview/tev/tev_client.h"

#include "libvolpt/film/film_image.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace volpt {
namespace {

using TevClock = std::chrono::steady_clock;

constexpr double kConnectTimeout_s = 2;
constexpr double kSendTimeout_s = 5; // without one byte taken
constexpr double kRetry_s = 3;
// tev reserves a megabyte for a message; smaller ones need no copies there.
constexpr std::size_t kTileBytes = 512 << 10;
// A picture that only gains samples: conversion and transfer take at most a fifth of one core from the render.
constexpr double kTevInterval_s = 0.2;
constexpr double kTevShare = 0.2;
// How long the end of the program, or a change of the scene, may go unnoticed.
constexpr double kTevPoll_s = 0.05;

std::vector<ResolvedAddress> resolve(TevAddress const& address)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    int const status = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    if (status != 0)
        fail_usage(fmt::format("--tev: the host '{}' is unknown ({})", address.host, gai_strerror(status)),
                   "check its name, or give its number");
    std::vector<ResolvedAddress> resolved;
    for (addrinfo const* entry = found; entry != nullptr; entry = entry->ai_next) {
        auto const* const bytes = reinterpret_cast<std::byte const*>(entry->ai_addr);
        resolved.push_back({entry->ai_family, {bytes, bytes + entry->ai_addrlen}});
    }
    freeaddrinfo(found);
    return resolved;
}

bool has_same_layout(Image const& one, Image const& other)
{
    return one.width == other.width && one.height == other.height &&
           std::equal(one.channels.begin(), one.channels.end(), other.channels.begin(), other.channels.end(),
                      [](Channel const& a, Channel const& b) { return a.name == b.name; });
}

Image copy_layout(Image const& picture)
{
    Image layout;
    layout.width = picture.width;
    layout.height = picture.height;
    for (Channel const& channel : picture.channels) layout.channels.push_back({channel.name, {}});
    return layout;
}

} // namespace

TevSocket::TevSocket(TevSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

TevSocket& TevSocket::operator=(TevSocket&& other) noexcept
{
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

TevSocket::~TevSocket()
{
    if (is_open()) ::close(descriptor_);
}

TevClient::TevClient(TevAddress address, std::string image_name, Source source, NoticeSink notice, NoticeSink detail)
    : address_(std::move(address)), image_name_(std::move(image_name)), source_(std::move(source)),
      notice_(std::move(notice)), detail_(std::move(detail)), resolved_(resolve(address_)), thread_([this] { run(); })
{
}

TevClient::~TevClient()
{
    {
        std::lock_guard const lock(mutex_);
        stops_ = true;
    }
    stopped_.notify_all();
    thread_.join();
}

bool TevClient::stops()
{
    std::lock_guard const lock(mutex_);
    return stops_;
}

void TevClient::pause(double seconds)
{
    std::unique_lock lock(mutex_);
    stopped_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return stops_; });
}

void TevClient::lose(std::string const& what)
{
    socket_ = TevSocket();
    announced_.reset();
    if (std::exchange(is_absent_, true)) return;
    // A tev that is closed and opened every now and then needs no line each time.
    NoticeSink const& sink = std::exchange(was_told_, true) ? detail_ : notice_;
    if (sink) sink(fmt::format("--tev: {} {}; tried again every {} s", address_.text(), what, kRetry_s));
}

int TevClient::wait_until_writable(int descriptor, double seconds)
{
    auto const start = TevClock::now();
    do {
        pollfd entry{descriptor, POLLOUT, 0};
        int const count = ::poll(&entry, 1, static_cast<int>(kTevPoll_s * 1000));
        if (count > 0) return 1;
        if (count < 0 && errno != EINTR) return -1;
    } while (!stops() && seconds_since(start) < seconds);
    return 0;
}

TevSocket TevClient::try_address(ResolvedAddress const& address)
{
    TevSocket tried(::socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!tried.is_open()) return {};
    if (::connect(tried.descriptor(), reinterpret_cast<sockaddr const*>(address.bytes.data()),
                  static_cast<socklen_t>(address.bytes.size())) != 0) {
        if (errno != EINPROGRESS && errno != EINTR) return {};
        int failure = 0;
        if (int const ready = wait_until_writable(tried.descriptor(), kConnectTimeout_s); ready <= 0) {
            if (ready == 0) errno = ETIMEDOUT;
            return {};
        }
        socklen_t size = sizeof failure;
        if (::getsockopt(tried.descriptor(), SOL_SOCKET, SO_ERROR, &failure, &size) != 0) return {};
        if (failure != 0) {
            errno = failure;
            return {};
        }
    }
    int const on = 1;
    ::setsockopt(tried.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return tried;
}

bool TevClient::connect()
{
    int failure = 0;
    for (ResolvedAddress const& address : resolved_) {
        socket_ = try_address(address);
        if (socket_.is_open()) {
            is_absent_ = false;
            if (detail_) detail_(fmt::format("--tev: connected to {}", address_.text()));
            return true;
        }
        failure = errno;
        if (stops()) return false;
    }
    lose(fmt::format("cannot be reached ({})", std::strerror(failure)));
    return false;
}

bool TevClient::is_alive() const
{
    // tev sends nothing; what comes is its end.
    std::byte buffer[256];
    ssize_t const count = ::recv(socket_.descriptor(), buffer, sizeof buffer, MSG_DONTWAIT);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

bool TevClient::send_bytes(std::span<std::byte const> bytes)
{
    while (!bytes.empty()) {
        ssize_t const count = ::send(socket_.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            lose("has gone away");
            return false;
        } else if (wait_until_writable(socket_.descriptor(), kSendTimeout_s) <= 0) {
            if (!stops()) lose("takes no more");
            return false;
        }
        if (stops()) return false;
    }
    return true;
}

bool TevClient::send_picture(Image const& picture)
{
    if (!announced_ || !has_same_layout(*announced_, picture)) {
        TevFocus const focus = announced_ ? TevFocus::leave : TevFocus::grab;
        if (!send_bytes(make_tev_create(image_name_, picture, focus))) return false;
        announced_ = copy_layout(picture);
    }
    std::size_t const pixel_bytes = picture.channels.size() * sizeof(float);
    for (TevTile const& tile : list_tev_tiles(picture.width, picture.height, kTileBytes / pixel_bytes))
        if (!send_bytes(make_tev_update(image_name_, picture, tile))) return false;
    return true;
}

void TevClient::run()
{
    std::shared_ptr<LivePicture const> sent;
    Illuminant sent_under = Illuminant::d65;
    TevClock::time_point sent_at;
    double sending_s = 0;
    while (!stops()) {
        if (socket_.is_open() && !is_alive()) lose("has gone away");
        if (!socket_.is_open()) {
            sent = nullptr;
            if (!connect()) {
                pause(kRetry_s);
                continue;
            }
        }
        Illuminant const illuminant = source_.illuminant();
        bool const needs_all = !sent || illuminant != sent_under;
        auto const picture = source_.wait_for_picture(needs_all ? 0 : sent->number, kTevPoll_s);
        if (!picture) continue;
        bool const gains_samples =
            !needs_all && picture->change == sent->change && picture->is_reduced == sent->is_reduced;
        if (gains_samples && seconds_since(sent_at) < std::max(kTevInterval_s, sending_s / kTevShare)) {
            pause(kTevPoll_s / 5);
            continue;
        }
        auto const start = TevClock::now();
        if (!send_picture(film_to_beauty(picture->film, illuminant))) {
            if (!socket_.is_open()) pause(kRetry_s);
            continue;
        }
        sent_at = TevClock::now();
        sending_s = seconds_since(start);
        sent = picture;
        sent_under = illuminant;
    }
}

} // namespace volpt
