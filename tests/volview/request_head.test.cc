// What the head of a request may hold before the HTTP library sees it.
#include "tools/volview/access/request_head.h"

#include <gtest/gtest.h>
#include <string>

namespace volpt {
namespace {

std::string make_head(std::string const& first, std::string const& headers)
{
    return first + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

/// The status of the refusal; 0: none.
int find_status(std::string const& head)
{
    auto const checked = check_head(head);
    auto const* const fault = std::get_if<HeadFault>(&checked);
    return fault == nullptr ? 0 : fault->status;
}

constexpr char kJson[] = "Content-Type: application/json\r\n";

TEST(RequestHead, WhatBrowsersAndProgramsSendIsLeftAsItIs)
{
    for (std::string const& head :
         {make_head("GET /frame.png?x=1&y=%20",
                    "Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nCookie: a=b; c=d\r\n"),
          make_head("HEAD /", ""), make_head("GET /", "Content-Length: 0\r\n"),
          make_head("POST /camera", std::string(kJson) + "Content-Length: 2\r\nOrigin: http://localhost\r\n"),
          make_head("POST /camera", "content-type: Application/JSON; charset=utf-8\r\nCONTENT-LENGTH:   0 \r\n"),
          make_head("GET /", "X:\r\nY: \xc3\xa9\r\nZ: a\tb\r\n")}) {
        auto const checked = check_head(head);
        ASSERT_TRUE(std::holds_alternative<RequestHead>(checked)) << head << find_status(head);
        EXPECT_EQ(std::get<RequestHead>(checked).text, head);
        EXPECT_EQ(std::get<RequestHead>(checked).range, "");
    }
}

TEST(RequestHead, BodiesOtherThanJsonOfOneLengthAreRefused)
{
    std::string const json = kJson;
    EXPECT_EQ(find_status(make_head("POST /camera", json + "Content-Length: 2\r\nContent-Length: 2\r\n")), 400);
    EXPECT_EQ(find_status(make_head("POST /camera", json + "Content-Length: 2\r\ncontent-length: 3\r\n")), 400);
    for (char const* const length : {"", "+2", "-2", "2x", "0x2", "2, 2", "2 2", "1e3"})
        EXPECT_EQ(find_status(make_head("POST /camera", json + "Content-Length: " + length + "\r\n")), 400) << length;
    EXPECT_EQ(find_status(make_head("POST /camera", json + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")),
              400);
    EXPECT_EQ(find_status(make_head("POST /camera", json + "Transfer-Encoding: chunked\r\n")), 411);
    EXPECT_EQ(find_status(make_head("POST /camera", json)), 411);
    for (char const* const type :
         {"", "Content-Type: text/plain\r\n", "Content-Type: multipart/form-data; boundary=x\r\n",
          "Content-Type: application/x-www-form-urlencoded\r\n", "Content-Type:\r\n"})
        EXPECT_EQ(find_status(make_head("POST /camera", std::string(type) + "Content-Length: 2\r\n")), 415) << type;
    EXPECT_EQ(find_status(make_head("POST /camera", json + json + "Content-Length: 2\r\n")), 400);
}

TEST(RequestHead, GetHasNoBody)
{
    for (char const* const method : {"GET /", "HEAD /"}) {
        EXPECT_EQ(find_status(make_head(method, "Content-Length: 1\r\n")), 400);
        EXPECT_EQ(find_status(make_head(method, "Content-Length: 99999999999999999999999\r\n")), 400);
        EXPECT_EQ(find_status(make_head(method, "Transfer-Encoding: chunked\r\n")), 400);
        EXPECT_EQ(find_status(make_head(method, "Content-Length: x\r\n")), 400);
    }
}

TEST(RequestHead, OtherMethodsAreRefused)
{
    for (char const* const method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "PRI", "GETX"})
        EXPECT_EQ(find_status(make_head(std::string(method) + " /", "")), 405) << method;
}

TEST(RequestHead, LinesThatProgramsReadInDifferentWaysAreRefused)
{
    for (char const* const headers :
         {"A b: c\r\n", "A : b\r\n", ": b\r\n", "no colon\r\n", "A: b\r\n c\r\n", "A: b\r\n\tc\r\n", "A: b\nC: d\r\n",
          "A: b\rC: d\r\n", "A: b\x01\r\n", "A: b\x7f\r\n", "\xc3\xa9: b\r\n", " Content-Length: 2\r\n"})
        EXPECT_EQ(find_status(make_head("GET /", headers)), 400) << headers;
    EXPECT_EQ(find_status(make_head("GET /", std::string("A: b\0c\r\n", 8))), 400);
    for (char const* const head : {"", "\r\n\r\n", "\r\nGET / HTTP/1.1\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n",
                                   " GET / HTTP/1.1\r\n\r\n", "GET /\n HTTP/1.1\r\n\r\n"})
        EXPECT_EQ(find_status(head), 400) << head;
}

TEST(RequestHead, OneRangeOfAGetIsTakenOut)
{
    auto const checked = check_head(make_head("GET /film.vpf", "A: b\r\nRange: bytes=5-9 \r\nC: d\r\n"));
    ASSERT_TRUE(std::holds_alternative<RequestHead>(checked));
    EXPECT_EQ(std::get<RequestHead>(checked).text, make_head("GET /film.vpf", "A: b\r\nC: d\r\n"));
    EXPECT_EQ(std::get<RequestHead>(checked).range, "bytes=5-9");
    for (std::string const& head : {make_head("HEAD /film.vpf", "Range: bytes=5-9\r\n"),
                                    make_head("GET /film.vpf", "Range: bytes=5-9\r\nIf-Range: \"a\"\r\n")}) {
        auto const whole = check_head(head);
        ASSERT_TRUE(std::holds_alternative<RequestHead>(whole));
        EXPECT_EQ(std::get<RequestHead>(whole).range, "");
        EXPECT_EQ(std::get<RequestHead>(whole).text.find("\r\nRange"), std::string::npos);
    }
    EXPECT_EQ(find_status(make_head("GET /", "Range: bytes=0-,0-\r\n")), 416);
    EXPECT_EQ(find_status(make_head("GET /", "Range: bytes=0-\r\nrange: bytes=0-\r\n")), 400);
}

using Kind = ContentPart::Kind;

struct RangeCase {
    char const* range;
    Kind kind;
    std::uint64_t offset, length; ///< of 100 bytes
};

constexpr RangeCase kRangeCases[] = {
    {"bytes=0-0", Kind::range, 0, 1},
    {"bytes=0-99", Kind::range, 0, 100},
    {"bytes=0-100", Kind::range, 0, 100},
    {"bytes=10-19", Kind::range, 10, 10},
    {"bytes=10-", Kind::range, 10, 90},
    {"bytes=99-", Kind::range, 99, 1},
    {"bytes=99-200000000", Kind::range, 99, 1},
    {"bytes=50-99999999999999999999999", Kind::range, 50, 50},
    {"bytes=-1", Kind::range, 99, 1},
    {"bytes=-100", Kind::range, 0, 100},
    {"bytes=-101", Kind::range, 0, 100},
    {"bytes=-99999999999999999999999", Kind::range, 0, 100},
    {"BYTES = 5 - 9 ", Kind::range, 5, 5},
    {"bytes=100-", Kind::nothing, 0, 0},
    {"bytes=100-200", Kind::nothing, 0, 0},
    {"bytes=99999999999999999999999-", Kind::nothing, 0, 0},
    {"bytes=-0", Kind::nothing, 0, 0},
    {"", Kind::whole, 0, 100},
    {"bytes", Kind::whole, 0, 100},
    {"bytes=", Kind::whole, 0, 100},
    {"bytes=-", Kind::whole, 0, 100},
    {"bytes=x-y", Kind::whole, 0, 100},
    {"bytes=5-1", Kind::whole, 0, 100},
    {"lines=5-9", Kind::whole, 0, 100},
    {"bytes=5", Kind::whole, 0, 100},
    {"bytes=--5", Kind::whole, 0, 100},
    {"bytes=+5-9", Kind::whole, 0, 100},
    {"bytes=5-9-", Kind::whole, 0, 100},
};

TEST(RequestHead, RangesEndWithTheContent)
{
    for (RangeCase const& c : kRangeCases) {
        ContentPart const part = find_part(c.range, 100);
        EXPECT_EQ(part.kind, c.kind) << c.range;
        EXPECT_EQ(part.offset, c.offset) << c.range;
        EXPECT_EQ(part.length, c.length) << c.range;
    }
    EXPECT_EQ(find_part("bytes=0-", 0).kind, Kind::nothing);
    EXPECT_EQ(find_part("bytes=-5", 0).kind, Kind::nothing);
}

} // namespace
} // namespace volpt
