// The threads of the server, and which of the connections may keep one.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <httplib.h>
#include <list>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace volpt {

/// A fixed number of threads, with one connection each. If a connection waits for a thread, the oldest one that has not
/// shown the token in its present request is closed: those who have the token are answered however many others connect.
class ConnectionQueue : public httplib::TaskQueue {
public:
    /// Error (system) if the system has no threads left.
    explicit ConnectionQueue(int threads);

    /// Where a server of the library hands in its connections. `job` answers one of them and closes it. Too many of
    /// them are answered in the calling thread, with is_refusing() true.
    void enqueue(std::function<void()> job) override;
    /// Waits for all jobs.
    void shutdown() override;

    /// Whether the job that runs in this thread is to be refused.
    static bool is_refusing();

    /// A connection that a thread answers, from its first byte until it is closed.
    class Entry {
    public:
        Entry(ConnectionQueue& queue, socket_t socket);
        ~Entry(); ///< to be destroyed before the socket is closed
        Entry(Entry const&) = delete;
        Entry& operator=(Entry const&) = delete;

        /// The request has the token: until release() nobody closes the connection.
        void keep();
        /// The request is answered; the connection counts as new.
        void release();
        /// Called before the connection waits: closes the oldest ones, perhaps this one, if others wait for threads.
        void make_room();

    private:
        friend class ConnectionQueue;
        enum class State { open, kept, closed };

        ConnectionQueue& queue_;
        socket_t socket_;
        State state_ = State::open;
        std::list<Entry*>::iterator place_; // among those that may be closed, if open
    };

private:
    void run();
    void close_oldest_for_jobs(); // with mutex_ held

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    std::list<Entry*> open_;                     // that may be closed, the oldest first
    std::size_t idle_threads_ = 0, closing_ = 0; // threads without a job, and those about to lose theirs
    bool is_ending_ = false;
    std::vector<pthread_t> threads_;
};

} // namespace volpt
