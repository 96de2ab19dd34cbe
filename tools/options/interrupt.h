// Turns SIGINT and SIGTERM into a flag, so that a long job can stop in order and keep its work.
#pragma once

namespace volpt {

/// From now on the first SIGINT or SIGTERM sets the flag; a second one ends the process at once.
void watch_interrupts();

/// True once a watched signal has come. Cheap, any thread.
bool is_interrupted() noexcept;

} // namespace volpt
