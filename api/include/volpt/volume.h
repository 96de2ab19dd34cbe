// Packed volumes: what volprep makes and render takes.
#pragma once

#include "volpt/options.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// A plane in full, decoded; a label is the index of its material in "materials" of describe.
    struct Plane {
        std::array<std::size_t, 4> shape{}; ///< z, y, x, channel
        std::vector<float> values;          ///< in this order
    };

    /// Types of numbers, little endian. f16 is that of IEEE 754, which a Volume may have, an array may not.
    enum class NumberType { u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

    /// A plane as it lies in the file (docs/formats/vpk.md), valid while a copy of the volume lives. The table has a
    /// brick's slot in `values`, or 0xffffffff, then the bits of the constant that fills it, by channel. Numbers of u8
    /// and u16 count times value_scale.
    struct Bricks {
        std::uint32_t const* table = nullptr;
        std::array<std::size_t, 4> table_shape{}; ///< bricks along z, y, x; words of an entry
        void const* values = nullptr;
        NumberType type = NumberType::f32;
        std::array<std::size_t, 3> values_shape{}; ///< slots; voxels in the order of list_voxel_order; elements of one
        float value_scale = 1;
        int channels = 0;
    };

    /// x, y, z in its brick of each voxel, in the order of Bricks::values.
    VOLPT_API std::vector<std::array<std::uint8_t, 3>> list_voxel_order();

    /// A .vpk that is open. Copies are cheap and share it; it does not change. Callable from several threads.
    class VOLPT_API Volume {
    public:
        /// Checks the file in full. Error (input) if it is no .vpk, damaged, or of a newer version.
        static Volume open(std::filesystem::path const& path);

        std::filesystem::path const& path() const; ///< absolute
        std::array<int, 3> dims() const;           ///< voxels along x, y, z
        std::array<double, 3> pitch_mm() const;    ///< size of a voxel along x, y, z
        int bands() const;
        double scale() const; ///< sigma_t per mm of a density of 1
        std::vector<std::string>
        planes() const; ///< of density, one_minus_albedo, label, emission, those it has by voxel
        /// Error (usage) if the volume has no such plane.
        Plane read(std::string const& plane) const;
        /// Without a copy. Error (usage) if the volume has no such plane.
        Bricks bricks(std::string const& plane) const;
        /// What `volinfo --json` tells of the volume.
        std::string describe() const;

    private:
        friend struct Access;
        struct State;
        explicit Volume(std::shared_ptr<State const> state);
        std::shared_ptr<State const> state_;
    };

    template <class Number>
    consteval NumberType find_number_type()
    {
        static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool> && sizeof(Number) <= 8);
        if (std::is_floating_point_v<Number>) return sizeof(Number) == 4 ? NumberType::f32 : NumberType::f64;
        constexpr bool kIsSigned = std::is_signed_v<Number>;
        switch (sizeof(Number)) {
        case 1:
            return kIsSigned ? NumberType::i8 : NumberType::u8;
        case 2:
            return kIsSigned ? NumberType::i16 : NumberType::u16;
        case 4:
            return kIsSigned ? NumberType::i32 : NumberType::u32;
        default:
            return kIsSigned ? NumberType::i64 : NumberType::u64;
        }
    }

    /// Values of somebody else's memory, x fastest: of dims[0] * dims[1] * dims[2] voxels, and in each `channels`, 1
    /// or 3.
    struct ArrayView {
        std::span<std::byte const> bytes;
        NumberType type = NumberType::f32;
        std::array<std::size_t, 3> dims{}; ///< voxels along x, y, z
        std::size_t channels = 1;          ///< 3: albedos by band

        ArrayView() = default;
        ArrayView(std::span<std::byte const> array, NumberType number_type, std::array<std::size_t, 3> const& extents,
                  std::size_t channel_count)
            : bytes(array), type(number_type), dims(extents), channels(channel_count)
        {
        }
        /// Of a std::vector, std::span, .. of integers or floats.
        template <std::ranges::contiguous_range Range>
        ArrayView(Range const& values, std::array<std::size_t, 3> const& extents, std::size_t channel_count = 1)
            : ArrayView(std::as_bytes(std::span(std::ranges::data(values), std::ranges::size(values))),
                        find_number_type<std::ranges::range_value_t<Range>>(), extents, channel_count)
        {
        }
    };

    /// Packs a file or folder that volprep reads into `output`, a .vpk, and opens it; `options` are volprep's but for
    /// lists and other files to write (docs/tools/volprep.md). An empty source packs what options make:
    /// {"make", "slab"}. Runs the program volprep (find_program), whose readers run in sandboxed processes. `progress`
    /// is asked ten times a second, with nothing known before the first slices; a stop is an Error (system), and
    /// `output` stays as it was. Error as volprep's exit status.
    VOLPT_API Volume pack(std::filesystem::path const& source, std::filesystem::path const& output,
                          Options const& options = {}, Watch const& watch = {});

    /// The same for an array of densities, measured values, labels or albedos, which is copied once;
    /// {"pitch", "0.1mm,0.1mm,0.1mm"} is the size of its voxels, 1 mm by default. The middle of its box is the origin.
    VOLPT_API Volume pack(ArrayView const& source, std::filesystem::path const& output, Options const& options = {},
                          Watch const& watch = {});

} // namespace v0
} // namespace volpt
