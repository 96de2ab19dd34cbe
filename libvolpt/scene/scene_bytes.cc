// Bytes of a scene: one self-describing record per field (docs/formats/vpf.md), parsing with checks, and their hash.
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace volpt {
namespace {

static_assert(std::endian::native == std::endian::little,
              "volpt files are little-endian and written as they are in memory");

/// Part of the .vpf format.
enum class RecordType : std::uint8_t { u32 = 1, f32 = 2, f64 = 3, hash128 = 4 };

/// What a value is stored as: enums and bools as u32, a hash as its high and its low word.
template <class Value>
auto to_stored(Value const& value)
{
    if constexpr (std::is_same_v<Value, Hash128>)
        return std::array<std::uint64_t, 2>{value.high, value.low};
    else if constexpr (std::is_floating_point_v<Value>)
        return value;
    else
        return static_cast<std::uint32_t>(value);
}

template <class Value>
constexpr RecordType type_of()
{
    if (std::is_same_v<Value, Hash128>) return RecordType::hash128;
    if (std::is_same_v<Value, float>) return RecordType::f32;
    return std::is_same_v<Value, double> ? RecordType::f64 : RecordType::u32;
}

template <class Stored>
void append(std::vector<std::byte>& bytes, Stored const& stored)
{
    auto const raw = std::as_bytes(std::span(&stored, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// Reads records from the front of the bytes; every error names the record and its offset.
class RecordReader {
public:
    RecordReader(std::span<std::byte const> bytes, std::string const& where) : bytes_(bytes), where_(where) {}

    /// True if the record that follows is of this field.
    bool is_next(std::string_view name) const
    {
        std::size_t const left = bytes_.size() - offset_;
        return left > name.size() && std::to_integer<std::size_t>(bytes_[offset_]) == name.size() &&
               std::memcmp(bytes_.data() + offset_ + 1, name.data(), name.size()) == 0;
    }

    void begin_record(std::string_view name)
    {
        record_ = fmt::format("{}, scene record '{}' at byte {}", where_, name, offset_);
        auto const length = take<std::uint8_t>();
        if (bytes_.size() - offset_ < length) fail("it is cut short");
        std::string found(length, '\0');
        std::memcpy(found.data(), bytes_.data() + offset_, length);
        offset_ += length;
        if (found != name)
            fail("another record is in its place", "the file is damaged or comes from another version of volpt");
    }

    template <class Stored>
    Stored take()
    {
        if (bytes_.size() - offset_ < sizeof(Stored)) fail("it is cut short");
        Stored stored;
        std::memcpy(&stored, bytes_.data() + offset_, sizeof(Stored));
        offset_ += sizeof(Stored);
        return stored;
    }

    /// Values that the bytes left can hold.
    template <class Stored>
    std::size_t count_left() const
    {
        return (bytes_.size() - offset_) / sizeof(Stored);
    }

    template <class Value>
    void take_into(Value& value)
    {
        auto const stored = take<decltype(to_stored(value))>();
        if constexpr (std::is_same_v<Value, Hash128>)
            value = {stored[0], stored[1]};
        else if constexpr (std::is_same_v<Value, bool>) {
            if (stored > 1) fail(fmt::format("{} is neither 0 nor 1", stored));
            value = stored == 1;
        } else
            value = static_cast<Value>(stored);
    }

    void expect_end()
    {
        if (offset_ != bytes_.size())
            fail_input(fmt::format("{} bytes follow the last scene record", bytes_.size() - offset_), where_,
                       "the file is damaged or comes from a newer version of volpt");
    }

    [[noreturn]] void fail(std::string what, std::string why = {}) const
    {
        fail_input(std::move(what), record_, std::move(why), "take a backup of the file or render it again");
    }

private:
    std::span<std::byte const> bytes_;
    std::string const& where_;
    std::string record_;
    std::size_t offset_ = 0;
};

template <class Field>
void resize_field(Field& field, std::uint32_t count, RecordReader const& reader)
{
    if constexpr (requires { field.resize(count); }) {
        using Value = typename Field::value_type;
        // Only emitters are a list of doubles; all others are by band or by material.
        constexpr std::size_t kMostValues = std::max(kMaxBands, kMaxMaterials);
        std::size_t const most = std::is_same_v<Value, double> ? reader.count_left<Value>() : kMostValues;
        if (count > most) reader.fail(fmt::format("{} values, more than {}", count, most));
        field.resize(count);
    } else if (count != values_of(field).size())
        reader.fail(fmt::format("{} values instead of {}", count, values_of(field).size()));
}

/// Whether a scene with this value has no record of the field.
template <class Field>
bool is_left_out(Field const& field, Field const& standard, FieldRange range)
{
    using Presence = FieldRange::Presence;
    if constexpr (std::is_same_v<Field, std::uint32_t>)
        if (range.presence == Presence::unless_lowest) return field == static_cast<std::uint32_t>(range.lowest);
    return range.presence == Presence::unless_default && field == standard;
}

/// The value that no record stands for.
template <class Field>
void set_left_out(Field& field, FieldRange range)
{
    if constexpr (std::is_same_v<Field, std::uint32_t>)
        if (range.presence == FieldRange::Presence::unless_lowest) field = static_cast<std::uint32_t>(range.lowest);
}

} // namespace

std::vector<std::byte> serialize_scene(Scene const& given)
{
    Scene const scene = normalize_scene(given);
    if (auto const problem = find_scene_problem(scene)) fail_usage("scene: " + problem->field + " " + problem->what);
    std::vector<std::byte> bytes;
    Scene const defaults;
    visit_scene_fields(scene, [&](std::string_view name, auto get, FieldRange range, bool) {
        if (is_left_out(get(scene), get(defaults), range)) return;
        auto const values = values_of(get(scene));
        append(bytes, static_cast<std::uint8_t>(name.size()));
        for (char const letter : name) append(bytes, letter);
        append(bytes, type_of<typename decltype(values)::value_type>());
        append(bytes, static_cast<std::uint32_t>(values.size()));
        for (auto const& value : values) append(bytes, to_stored(value));
    });
    return bytes;
}

Scene parse_scene(std::span<std::byte const> bytes, std::string const& where)
{
    Scene scene;
    RecordReader reader(bytes, where);
    visit_scene_fields(scene, [&](std::string_view name, auto get, FieldRange range, bool) {
        auto& field = get(scene);
        if (range.presence != FieldRange::Presence::always && !reader.is_next(name)) {
            set_left_out(field, range);
            return;
        }
        using Value = typename decltype(values_of(field))::value_type;
        reader.begin_record(name);
        if (reader.take<RecordType>() != type_of<Value>()) reader.fail("its type is not the one this field has");
        resize_field(field, reader.take<std::uint32_t>(), reader);
        for (Value& value : values_of(field)) reader.take_into(value);
    });
    reader.expect_end();
    if (auto const problem = find_scene_problem(scene))
        fail_input(problem->what, where + ", scene field " + problem->field, "no valid scene holds it",
                   "take a backup of the file or render it again");
    if (!std::ranges::equal(serialize_scene(scene), bytes))
        fail_input("the scene is not in its normal form", where, "equal scenes must have equal bytes",
                   "take a backup of the file or render it again");
    return scene;
}

Hash128 hash_scene(Scene const& scene)
{
    return hash_bytes(serialize_scene(scene));
}

} // namespace volpt
