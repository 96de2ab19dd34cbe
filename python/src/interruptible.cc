#include "python/src/interruptible.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <nanobind/stl/string.h>
#include <thread>

namespace volpt::python {
namespace nb = nanobind;
namespace {

constexpr std::chrono::milliseconds kInterval{100};

/// Set when the thread ends.
class Finish {
public:
    void set()
    {
        {
            std::scoped_lock const lock(mutex_);
            set_ = true;
        }
        changed_.notify_all();
    }
    bool wait(std::chrono::milliseconds most)
    {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, most, [&] { return set_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool set_ = false;
};

/// Signal handlers, then the callback. False if the callback asks to stop; python_error if either raises.
bool ask_python(nb::object const& callback, std::string_view label, Progress const& progress, double elapsed_s)
{
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (callback.is_none() || progress.unit.empty()) return true;
    nb::object const answer = callback(progress.done, progress.total, std::string(progress.unit),
                                       format_progress(label, progress, elapsed_s));
    return answer.is_none() || nb::cast<bool>(nb::bool_(answer));
}

/// The exception itself, with its traceback. Before Python 3.12 an error may have a class and a text, or a class alone,
/// until it is normalised.
nb::object take_exception(nb::python_error& error)
{
    error.restore();
#if PY_VERSION_HEX >= 0x030c0000
    return nb::steal(PyErr_GetRaisedException());
#else
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace != nullptr) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return nb::steal(value);
#endif
}

} // namespace

Watch WorkControl::watch()
{
    return {.progress =
                [this](Progress const& progress) {
                    std::scoped_lock const lock(mutex_);
                    latest_ = progress;
                    return !stops_;
                },
            .notice =
                [this](std::string_view text) {
                    std::scoped_lock const lock(mutex_);
                    notices_.emplace_back(text);
                }};
}

Progress WorkControl::latest() const
{
    std::scoped_lock const lock(mutex_);
    return latest_;
}

std::vector<std::string> WorkControl::take_notices()
{
    std::scoped_lock const lock(mutex_);
    return std::exchange(notices_, {});
}

nb::object run_interruptibly(std::string_view label, nb::object const& progress, WorkControl& control,
                             std::function<void()> const& work)
{
    auto const start = std::chrono::steady_clock::now();
    std::exception_ptr failure, failure_here;
    nb::object raised = nb::none();
    Finish finish;
    std::thread worker([&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        finish.set();
    });
    for (bool done = false; !done;) {
        {
            nb::gil_scoped_release const released;
            done = finish.wait(kInterval);
        }
        if (control.stops()) continue;
        try {
            if (!ask_python(progress, label, control.latest(),
                            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()))
                control.request_stop();
        } catch (nb::python_error& error) {
            raised = take_exception(error);
            control.request_stop();
        } catch (...) { // of the text, for example: the thread has to end first
            failure_here = std::current_exception();
            control.request_stop();
        }
    }
    worker.join();
    if (!raised.is_none()) return raised;
    if (failure) std::rethrow_exception(failure);
    if (failure_here) std::rethrow_exception(failure_here);
    return raised;
}

} // namespace volpt::python
