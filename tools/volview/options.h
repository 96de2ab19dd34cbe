#pragma once

#include "libvolpt/denoise/denoised_image.h"
#include "tools/options/option_group.h"
#include "tools/volview/tev/tev_messages.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Where and to whom the picture is shown, and what clients may do.
class ServeOptions final : public OptionGroup {
public:
    int port = 0;                   ///< 0: any free one
    std::string bind = "127.0.0.1"; ///< an address of this machine
    bool opens_browser = false;     ///< --open
    std::optional<std::filesystem::path> out;
    std::optional<std::filesystem::path> token_file;
    std::vector<std::string> allowed_hosts; ///< besides the names of the loopback
    double exit_after_s = 0;                ///< 0: not before a signal
    int clients = 16;                       ///< that may watch at a time
    double stop_at_de = 0.5;                ///< in CIEDE2000
    std::uint64_t seed = 0;
    std::optional<std::filesystem::path> target_picture;
    std::optional<TevAddress> tev;
    Denoise denoise = Denoise::on;

    std::string title() const override { return "Server"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;

    /// True if the address is one that only this machine reaches.
    bool is_loopback() const;
};

} // namespace volpt
