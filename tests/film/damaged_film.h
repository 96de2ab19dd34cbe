// Films damaged on purpose: payloads changed under right checksums, and what the reader says of them.
#pragma once

#include "libvolpt/film/film_bytes.h"
#include "libvolpt/sys/error.h"
#include "tests/film/film_samples.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>

namespace volpt {

/// What read_film says, empty if it reads.
inline std::string refusal_of(std::filesystem::path const& path, VerifyLevel level = VerifyLevel::full)
{
    try {
        read_film(path, level);
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::input) << error.what();
        EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
        return error.what();
    }
    return {};
}

using Payloads = std::map<std::string, std::string>;

/// The file with other payloads but right checksums, as malice or a broken writer would make it.
inline std::string refusal_after(Film const& film, std::function<void(Payloads&)> const& change,
                                 VerifyLevel level = VerifyLevel::full)
{
    TemporaryFolder const folder;
    write_film(folder / "a.vpf", film);
    std::vector<std::string> names;
    Payloads payloads;
    {
        SectionedFile const file = SectionedFile::open(folder / "a.vpf", kFilmFile, VerifyLevel::full);
        for (SectionInfo const& section : file.sections()) {
            auto const bytes = file.section(section.name);
            names.push_back(section.name);
            payloads[section.name] = {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
        }
    }
    change(payloads);
    SectionedWriter writer(folder / "b.vpf", kFilmFile);
    for (std::string const& name : names)
        if (payloads.contains(name)) writer.write_section(name, std::as_bytes(std::span(payloads[name])));
    writer.commit();
    return refusal_of(folder / "b.vpf", level);
}

template <class T>
void overwrite(std::string& bytes, std::size_t offset, T value)
{
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

inline void expect_mentions(std::string const& message, std::string const& mention)
{
    EXPECT_NE(message.find(mention), std::string::npos) << "'" << message << "' does not mention " << mention;
}

} // namespace volpt
