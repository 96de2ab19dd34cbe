// Films damaged on purpose, and the errors that the reader throws for them.
#pragma once

#include "libvolpt/film/film_bytes.h"
#include "tests/film/film_samples.h"
#include "tests/support/expect_error.h"

#include <cstring>
#include <functional>
#include <map>

namespace volpt {

using test::expect_contains;

/// The message of the Error that read_film throws, which names the file; empty if the file reads.
inline std::string refusal_of(std::filesystem::path const& path, VerifyLevel level = VerifyLevel::full)
{
    std::string message = test::catch_error(ExitStatus::input, [&] { read_film(path, level); });
    if (!message.empty()) expect_contains(message, {path.string()});
    return message;
}

using Payloads = std::map<std::string, std::string>;

/// refusal_of a film file whose payloads `change` has edited and whose checksums are right, as a faulty or hostile
/// program would write it.
inline std::string refusal_after(Film const& film, std::function<void(Payloads&)> const& change,
                                 VerifyLevel level = VerifyLevel::full)
{
    TempFolder const folder;
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

} // namespace volpt
