#include "tools/volview/http/connection_queue.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <sys/socket.h>

namespace volpt {
namespace {

// Each of them is an open file.
constexpr std::size_t kMostJobs = 256;
// The system's default is what "ulimit -s" says, and 2 MiB where that is unlimited; the library's regular expressions
// recurse by the letter: 8 kB of a header took more than 4 MiB. Of address space: pages that are not touched take no
// memory.
constexpr std::size_t kStack_bytes = 16 << 20;

thread_local bool is_refusing_here = false;

} // namespace

ConnectionQueue::ConnectionQueue(int threads)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStack_bytes);
    auto const start = [](void* queue) -> void* {
        static_cast<ConnectionQueue*>(queue)->run();
        return nullptr;
    };
    bool is_started = true;
    for (int i = 0; i < threads && is_started; i++) {
        pthread_t thread{};
        is_started = pthread_create(&thread, &attributes, start, this) == 0;
        if (is_started) threads_.push_back(thread);
    }
    pthread_attr_destroy(&attributes);
    if (is_started) return;
    ConnectionQueue::shutdown();
    fail_system(fmt::format("cannot start {} threads for connections", threads), "volview",
                "the user has too many processes: raise the limit (ulimit -u), or give fewer --clients");
}

bool ConnectionQueue::is_refusing()
{
    return is_refusing_here;
}

void ConnectionQueue::enqueue(std::function<void()> job)
{
    {
        std::lock_guard const lock(mutex_);
        if (jobs_.size() < kMostJobs) {
            jobs_.push_back(std::move(job));
            close_oldest_for_jobs();
            changed_.notify_one();
            return;
        }
    }
    is_refusing_here = true;
    job();
    is_refusing_here = false;
}

void ConnectionQueue::shutdown()
{
    {
        std::lock_guard const lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    for (pthread_t const thread : threads_) pthread_join(thread, nullptr);
}

void ConnectionQueue::run()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_threads_;
        changed_.wait(lock, [&] { return !jobs_.empty() || is_ending_; });
        --idle_threads_;
        if (jobs_.empty()) return;
        {
            auto const job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            job();
        }
        lock.lock();
    }
}

void ConnectionQueue::close_oldest_for_jobs()
{
    while (jobs_.size() > idle_threads_ + closing_ && !open_.empty()) {
        Entry& oldest = *open_.front();
        open_.pop_front();
        oldest.state_ = Entry::State::closed;
        ++closing_;
        // Its thread sees that and closes it.
        ::shutdown(oldest.socket_, SHUT_RDWR);
    }
}

ConnectionQueue::Entry::Entry(ConnectionQueue& queue, socket_t socket) : queue_(queue), socket_(socket)
{
    std::lock_guard const lock(queue_.mutex_);
    place_ = queue_.open_.insert(queue_.open_.end(), this);
}

ConnectionQueue::Entry::~Entry()
{
    std::lock_guard const lock(queue_.mutex_);
    if (state_ == State::open) queue_.open_.erase(place_);
    if (state_ == State::closed) --queue_.closing_;
}

void ConnectionQueue::Entry::keep()
{
    std::lock_guard const lock(queue_.mutex_);
    if (state_ != State::open) return;
    queue_.open_.erase(place_);
    state_ = State::kept;
}

void ConnectionQueue::Entry::release()
{
    std::lock_guard const lock(queue_.mutex_);
    if (state_ != State::kept) return;
    place_ = queue_.open_.insert(queue_.open_.end(), this);
    state_ = State::open;
}

void ConnectionQueue::Entry::make_room()
{
    std::lock_guard const lock(queue_.mutex_);
    queue_.close_oldest_for_jobs();
}

} // namespace volpt
