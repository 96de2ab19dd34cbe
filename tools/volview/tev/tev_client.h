// The picture that is shown, in a tev beside the page.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/render/live/live_render.h"
#include "libvolpt/sys/progress.h"
#include "tools/volview/tev/tev_messages.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace volpt {

/// A connected socket, or none.
class TevSocket {
public:
    TevSocket() = default;
    explicit TevSocket(int descriptor) : descriptor_(descriptor) {}
    TevSocket(TevSocket&& other) noexcept;
    TevSocket& operator=(TevSocket&& other) noexcept;
    ~TevSocket();

    int descriptor() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }

private:
    int descriptor_ = -1;
};

/// An address as getaddrinfo gives it.
struct ResolvedAddress {
    int family = 0;
    std::vector<std::byte> bytes; ///< a sockaddr
};

/// Sends the newest picture, linear and without exposure, in a thread of its own. Pictures that come faster than
/// tev takes them are skipped; whole ones alone are sent. A tev that is not there, or takes nothing for seconds, is
/// told once and tried again every few seconds.
class TevClient {
public:
    /// Where pictures come from: as LiveRender::wait_for_picture, and the illuminant that bands with wavelengths are
    /// seen under.
    struct Source {
        std::function<std::shared_ptr<LivePicture const>(std::uint64_t after, double seconds)> wait_for_picture;
        std::function<Illuminant()> illuminant;
    };
    /// `image_name` is the name of the picture in tev. `notice` gets the first failure, `detail` further ones and
    /// successes; both from another thread. Error (usage) if the host's name is unknown.
    TevClient(TevAddress address, std::string image_name, Source source, NoticeSink notice, NoticeSink detail);
    ~TevClient();

private:
    void run();
    bool connect();
    TevSocket try_address(ResolvedAddress const& address);
    bool is_alive() const;
    bool send_picture(Image const& picture);
    bool send_bytes(std::span<std::byte const> bytes);
    /// 1: ready; 0: not so within these seconds, or the thread shall end; negative: an error.
    int wait_until_writable(int descriptor, double seconds);
    void lose(std::string const& what);
    bool stops();
    void pause(double seconds);

    TevAddress address_;
    std::string image_name_;
    Source source_;
    NoticeSink notice_, detail_;
    std::vector<ResolvedAddress> resolved_;
    TevSocket socket_;
    std::optional<Image> announced_; ///< size and channels, without values, that tev has the image with
    bool is_absent_ = false;         ///< since the last attempt
    bool was_told_ = false;
    std::mutex mutex_; ///< of stops_
    std::condition_variable stopped_;
    bool stops_ = false;
    std::thread thread_;
};

} // namespace volpt
