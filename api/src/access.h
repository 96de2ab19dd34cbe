// What the public classes hold, and how failures cross the border of the library.
#pragma once

#include "api/src/caller_spelling.h"
#include "libvolpt/film/film.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/text/failure_text.h"
#include "libvolpt/volume/volume.h"
#include "volpt/error.h"
#include "volpt/film.h"
#include "volpt/options.h"
#include "volpt/volume.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

namespace volpt {
class RenderJob;
}

namespace volpt::v0 {

struct Film::State {
    volpt::Film film;
    std::shared_ptr<RenderJob const> job; ///< null if it was read from a file
};

struct Volume::State {
    std::filesystem::path path;
    std::shared_ptr<PackedVolume const> packed;
};

struct Access {
    static volpt::Film const& of(Film const& film) { return film.state_->film; }
    static std::shared_ptr<RenderJob const> const& job_of(Film const& film) { return film.state_->job; }
    static Film make(volpt::Film film, std::shared_ptr<RenderJob const> job = {})
    {
        return Film(std::make_shared<Film::State const>(Film::State{std::move(film), std::move(job)}));
    }
    static std::shared_ptr<PackedVolume const> of(Volume const& volume) { return volume.state_->packed; }
    static Volume make(std::filesystem::path path, PackedVolume packed)
    {
        auto held = std::make_shared<PackedVolume const>(std::move(packed));
        return Volume(std::make_shared<Volume::State const>(Volume::State{std::move(path), std::move(held)}));
    }
};

/// As the programs do: a file that was cut short is then an error, not a signal that ends the process.
inline void handle_lost_pages()
{
    static std::once_flag once;
    std::call_once(once, replace_lost_pages);
}

static_assert(static_cast<int>(Status::negative) == static_cast<int>(volpt::ExitStatus::negative));
static_assert(static_cast<int>(Status::usage) == static_cast<int>(volpt::ExitStatus::usage));
static_assert(static_cast<int>(Status::input) == static_cast<int>(volpt::ExitStatus::input));
static_assert(static_cast<int>(Status::system) == static_cast<int>(volpt::ExitStatus::system));

/// Error (system) in a process that was forked from one that had called this: threads of the library, and a GPU's
/// context, do not exist in the child. To be called before all work whose threads outlive it (parallel_for, a render).
void refuse_forked_process();

/// In the words of the caller.
inline Error translate_error(volpt::Error const& error)
{
    return Error(static_cast<Status>(error.status()), spell_options_in(error.what()));
}

/// What `work` returns; its exceptions become those of the public header.
template <class Work>
auto translate_errors(Work&& work)
{
    try {
        handle_lost_pages();
        return work();
    } catch (Error const&) { // of a public function that the work calls
        throw;
    } catch (volpt::Error const& error) {
        throw translate_error(error);
    } catch (std::bad_alloc const&) {
        throw OutOfMemory("there is not enough memory");
    } catch (std::exception const& error) {
        throw Error(Status::system, describe_failure(error));
    }
}

inline int count_threads()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace volpt::v0
