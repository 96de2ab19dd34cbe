#include "libvolpt/render/ranks/messages.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

std::string MessageWriter::take()
{
    return std::move(bytes_);
}

void MessageWriter::write(std::string const& text)
{
    write(text.size());
    bytes_ += text;
}

void MessageWriter::write(std::vector<SampleRanges> const& ranges)
{
    write(ranges.size());
    for (std::size_t first = 0; first < ranges.size();) { // most tiles have the ranges of their neighbours
        std::size_t last = first;
        while (last < ranges.size() && ranges[last] == ranges[first]) ++last;
        write(last - first);
        write(ranges[first]);
        first = last;
    }
}

MessageReader::MessageReader(Message const& message, int tag, std::string_view name)
    : rank_(message.rank), name_(name), bytes_(message.bytes)
{
    if (message.tag != tag) fail(fmt::format("was expected, but another one (tag {}) came", message.tag));
}

void MessageReader::read(std::string& text)
{
    text = take(read_count());
}

void MessageReader::read(std::vector<SampleRanges>& ranges)
{
    std::size_t size = 0, repeats = 0;
    for (read(size); ranges.size() < size; ranges.insert(ranges.end(), repeats - 1, ranges.back())) {
        read(repeats);
        if (repeats == 0 || repeats > size - ranges.size()) fail("has wrong numbers of tiles");
        read(ranges.emplace_back());
    }
}

std::size_t MessageReader::read_count()
{
    std::size_t count = 0;
    read(count);
    if (count > bytes_.size()) fail("ends early");
    return count;
}

std::string_view MessageReader::take(std::size_t size)
{
    if (size > bytes_.size()) fail("ends early");
    std::string_view const part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
}

void MessageReader::expect_end() const
{
    if (!bytes_.empty()) fail(fmt::format("has {} bytes too many", bytes_.size()));
}

void MessageReader::fail(std::string const& what) const
{
    fail_system(fmt::format("the message '{}' from rank {} {}", name_, rank_, what), "MPI",
                "start all ranks with the same volrender");
}

messages::WorkerReport to_message(WorkerReport const& report)
{
    return {report.device, report.kernel, report.failure, report.counts, report.seconds_banks, report.end_s};
}

WorkerReport to_report(messages::WorkerReport const& message)
{
    WorkerReport report;
    report.device = message.device.str();
    report.kernel = message.kernel.str();
    report.failure = message.failure.str();
    report.counts = message.counts;
    report.seconds_banks = message.seconds_banks;
    report.end_s = message.end_s;
    return report;
}

} // namespace volpt
