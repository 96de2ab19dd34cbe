// Looks up the driver's functions by name, so that no program links the driver.
#include "kernels/paging/paged_memory.h"

#include "kernels/host/device_memory.h"
#include "libvolpt/volume/paging/volume_split.h"

#include <cuda.h>
#include <fmt/format.h>

namespace volpt {
namespace {

/// CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: older headers do not have it, older drivers
/// refuse it.
constexpr auto kHostPagesSupported = static_cast<CUdevice_attribute>(141);
constexpr unsigned kDriverVersion = 12000; ///< the version of the signatures

struct Driver {
    decltype(&cuGetErrorString) get_error_string = nullptr;
    decltype(&cuDeviceGet) get_device = nullptr;
    decltype(&cuDeviceGetAttribute) get_attribute = nullptr;
    decltype(&cuMemGetAllocationGranularity) get_granularity = nullptr;
    decltype(&cuMemCreate) create = nullptr;
    decltype(&cuMemRelease) release = nullptr;
    decltype(&cuMemAddressReserve) reserve = nullptr;
    decltype(&cuMemAddressFree) free_addresses = nullptr;
    decltype(&cuMemMap) map = nullptr;
    decltype(&cuMemUnmap) unmap = nullptr;
    decltype(&cuMemSetAccess) set_access = nullptr;
    bool is_whole = true;

    Driver()
    {
        find("cuGetErrorString", get_error_string);
        find("cuDeviceGet", get_device);
        find("cuDeviceGetAttribute", get_attribute);
        find("cuMemGetAllocationGranularity", get_granularity);
        find("cuMemCreate", create);
        find("cuMemRelease", release);
        find("cuMemAddressReserve", reserve);
        find("cuMemAddressFree", free_addresses);
        find("cuMemMap", map);
        find("cuMemUnmap", unmap);
        find("cuMemSetAccess", set_access);
    }

private:
    template <class F>
    void find(char const* name, F& function)
    {
        void* address = nullptr;
        cudaDriverEntryPointQueryResult found{};
        cudaError_t const status =
            cudaGetDriverEntryPointByVersion(name, &address, kDriverVersion, cudaEnableDefault, &found);
        if (status != cudaSuccess || found != cudaDriverEntryPointSuccess) {
            cudaGetLastError(); // or the next launch would report it
            is_whole = false;
            return;
        }
        function = reinterpret_cast<F>(address);
    }
};

Driver const& driver()
{
    static Driver const driver;
    return driver;
}

void check_driver(CUresult status, std::string_view doing)
{
    if (status == CUDA_SUCCESS) return;
    char const* text = nullptr;
    driver().get_error_string(status, &text);
    fail_system(text != nullptr ? text : fmt::format("driver error {}", static_cast<int>(status)),
                "GPU, " + std::string(doing), "--device cpu gives the same picture");
}

int get_attribute(int device, CUdevice_attribute attribute)
{
    CUdevice handle = 0;
    int value = 0;
    if (driver().get_device(&handle, device) != CUDA_SUCCESS ||
        driver().get_attribute(&value, attribute, handle) != CUDA_SUCCESS)
        return 0;
    return value;
}

CUmemLocation on_device(int device)
{
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device;
    return location;
}

/// Systems without NUMA have node 0, although the attribute is -1 there.
CUmemLocation beside_device(int device)
{
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    location.id = std::max(0, get_attribute(device, CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID));
    return location;
}

CUmemAllocationProp make_properties(CUmemLocation location)
{
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = location;
    return properties;
}

bool fits_pages(CUmemLocation location)
{
    CUmemAllocationProp const properties = make_properties(location);
    std::size_t bytes = 0;
    return driver().get_granularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS &&
           kPage_bytes % bytes == 0;
}

unsigned long long create(CUmemLocation location, std::size_t size_bytes, char const* what)
{
    CUmemAllocationProp const properties = make_properties(location);
    CUmemGenericAllocationHandle handle = 0;
    check_driver(driver().create(&handle, size_bytes, &properties, 0),
                 fmt::format("allocating {:.1f} MiB of {} memory for voxels",
                             static_cast<double>(size_bytes) / (1 << 20), what));
    return handle;
}

} // namespace

PageSupport find_page_support(int device)
{
    bool const supported = driver().is_whole &&
                           get_attribute(device, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) == 1 &&
                           get_attribute(device, kHostPagesSupported) == 1 && fits_pages(on_device(device)) &&
                           fits_pages(beside_device(device));
    return supported ? PageSupport::yes : PageSupport::no;
}

PageBlock PageBlock::on_device(int device, std::size_t size_bytes)
{
    PageBlock block;
    block.handle_ = create(volpt::on_device(device), size_bytes, "device");
    block.size_bytes_ = size_bytes;
    return block;
}

PageBlock PageBlock::on_host(int device, std::size_t size_bytes)
{
    PageBlock block;
    block.handle_ = create(beside_device(device), size_bytes, "pinned host");
    block.size_bytes_ = size_bytes;
    return block;
}

PageBlock::PageBlock(PageBlock&& other) noexcept
    : handle_(other.handle_), size_bytes_(std::exchange(other.size_bytes_, 0))
{
}

PageBlock& PageBlock::operator=(PageBlock&& other) noexcept
{
    std::swap(handle_, other.handle_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
}

PageBlock::~PageBlock()
{
    if (size_bytes_ > 0) driver().release(handle_);
}

PageRange::PageRange(int device, std::size_t size_bytes) : device_(device), size_bytes_(size_bytes)
{
    CUdeviceptr address = 0;
    check_driver(driver().reserve(&address, size_bytes, 0, 0, 0), "reserving addresses for voxels");
    address_ = address;
}

PageRange::PageRange(PageRange&& other) noexcept
    : device_(other.device_), address_(other.address_), size_bytes_(std::exchange(other.size_bytes_, 0)),
      mapped_bytes_(other.mapped_bytes_)
{
}

PageRange::~PageRange()
{
    if (size_bytes_ == 0) return;
    cudaDeviceSynchronize(); // which cuMemUnmap, unlike cudaFree, does not
    if (mapped_bytes_ > 0) driver().unmap(address_, mapped_bytes_);
    driver().free_addresses(address_, size_bytes_);
}

std::uint32_t* PageRange::append(PageBlock const& block, HostAccess host)
{
    CUdeviceptr const address = address_ + mapped_bytes_;
    check_driver(driver().map(address, block.size_bytes(), 0, block.handle(), 0), "mapping memory for voxels");
    mapped_bytes_ += block.size_bytes();
    CUmemAccessDesc access[2] = {{on_device(device_), CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
                                 {beside_device(device_), CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
    for (int i = 0; i < (host == HostAccess::yes ? 2 : 1); ++i)
        check_driver(driver().set_access(address, block.size_bytes(), &access[i], 1), "mapping memory for voxels");
    return data() + (address - address_) / sizeof(std::uint32_t);
}

} // namespace volpt
