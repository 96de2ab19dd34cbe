// Declares and reads the options that every tool has.
#include "tools/options/common.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <algorithm>
#include <thread>

namespace volpt {
namespace po = boost::program_options;

void CommonOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("help,h", po::bool_switch(), "print this page and exit");
    add("version", po::bool_switch(), "print the version and exit");
    add("quiet,q", po::bool_switch(), "nothing on stderr but errors");
    add("verbose,v", po::bool_switch(), "say more about what is done");
    add("threads,j", po::value<std::string>()->value_name("N"), "threads that work (default: every core)");
    add("json", po::bool_switch(), "print the answer as one JSON object");
    add("config", po::value<std::string>()->value_name("FILE"),
        "read options from FILE, lines 'name = value'; the command line wins");
}

void CommonOptions::read(po::variables_map const& values)
{
    bool const quiet = values.at("quiet").as<bool>();
    bool const verbose = values.at("verbose").as<bool>();
    if (quiet && verbose) fail_usage("--quiet and --verbose contradict each other", "give one of them");
    verbosity = quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
    answer = values.at("json").as<bool>() ? AnswerForm::json : AnswerForm::text;
    threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (auto const text = given_text(values, "threads"))
        threads = threads_given = static_cast<int>(parse_integer("--threads", *text, 1, 4096));
}

} // namespace volpt
