# cmake -DHEADERS=a;b -DOUTPUT=file -P: a header with the hash of these headers' bytes, by which a shared library is recognised
# as one of the same build.
set(hashes "")
foreach(header ${HEADERS})
    file(SHA256 ${header} hash)
    string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 32 hash)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once
namespace volpt {
inline constexpr char kGpuInterface[] = \"${hash}\";
}
")
