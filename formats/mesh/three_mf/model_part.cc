#include "formats/mesh/three_mf/model_part.h"

#include "libvolpt/sys/error.h"

#include <new>

namespace volpt {

pugi::xml_node parse_model_xml(pugi::xml_document& document, std::span<std::byte> xml, std::string const& where)
{
    auto const result = document.load_buffer_inplace(xml.data(), xml.size(), pugi::parse_minimal | pugi::parse_escapes);
    if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!result)
        fail_input(fmt::format("is no XML: {}", result.description()),
                   fmt::format("{} at offset {}", where, result.offset), {}, "get a complete copy");
    return document.document_element();
}

} // namespace volpt
