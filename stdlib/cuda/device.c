/* cupy.cuda: devices, their facts and memory, cuda.runtime's questions. Without a GPU, questions
   that need one say that there is none; the memory pool is the host's. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/gpu.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/cuda/cuda.h"

typedef struct cuda_device {
    gx_obj obj;
    int64_t id;
} cuda_device;

#define ROW(n, sig, text, fn) {n, sig, text, NULL, fn, 0, 0}
#define END {NULL, NULL, NULL, NULL, NULL, 0, 0}

static bool make(gx_rt *rt, const gx_type *type, int64_t id, gx_value *out) {
    cuda_device *o = gx_obj_new(rt, type, sizeof *o);
    if (!o) return false;
    o->id = id;
    *out = gx_object(&o->obj);
    return true;
}

static bool done(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool give_int(int64_t v, gx_value *out) {
    *out = gx_int(v);
    return true;
}

static int64_t id_of(gx_borrowed v) {
    return ((cuda_device *)v.obj)->id;
}

static bool nothing(gx_call *c, gx_value *out) {
    (void)c;
    return done(out);
}

static bool enter(gx_call *c, gx_value *out) {
    *out = gx_keep(c->argv[0]);
    return true;
}

/* Only the device in use can be asked and used. */
static bool check_device(gx_rt *rt, int64_t id) {
    gx_gpu_info info;
    if (!gx_gpu_facts(rt, &info)) return false;
    if (id == info.index) return true;
    gx_fail(rt, GX_RuntimeError, "cuda.device", "gx uses device %d here, not %lld", info.index,
            (long long)id);
    return id >= 0 && id < info.count ? gx_help(rt, "gx --device cuda:%lld", (long long)id) : false;
}

/* --- facts --- */

/* CuPy's names of attributes and properties. */
static const struct {
    const char *attribute, *property;
    gx_gpu_fact fact;
} facts[] = {
    {"MaxThreadsPerBlock", "maxThreadsPerBlock", GX_FACT_THREADS_BLOCK},
    {"MaxBlockDimX", NULL, GX_FACT_BLOCK_X},
    {"MaxBlockDimY", NULL, GX_FACT_BLOCK_Y},
    {"MaxBlockDimZ", NULL, GX_FACT_BLOCK_Z},
    {"MaxGridDimX", NULL, GX_FACT_GRID_X},
    {"MaxGridDimY", NULL, GX_FACT_GRID_Y},
    {"MaxGridDimZ", NULL, GX_FACT_GRID_Z},
    {"MaxSharedMemoryPerBlock", "sharedMemPerBlock", GX_FACT_SHARED_BLOCK},
    {"TotalConstantMemory", "totalConstMem", GX_FACT_CONSTANT_BYTES},
    {"WarpSize", "warpSize", GX_FACT_WARP_LANES},
    {"MaxRegistersPerBlock", "regsPerBlock", GX_FACT_REGISTERS_BLOCK},
    {"ClockRate", "clockRate", GX_FACT_CLOCK},
    {"MultiProcessorCount", "multiProcessorCount", GX_FACT_UNITS},
    {"Integrated", "integrated", GX_FACT_INTEGRATED},
    {"CanMapHostMemory", "canMapHostMemory", GX_FACT_MAPS_HOST},
    {"ConcurrentKernels", "concurrentKernels", GX_FACT_CONCURRENT},
    {"EccEnabled", "ECCEnabled", GX_FACT_ECC},
    {"PciBusId", "pciBusID", GX_FACT_PCI_BUS},
    {"PciDeviceId", "pciDeviceID", GX_FACT_PCI_DEVICE},
    {"MemoryClockRate", "memoryClockRate", GX_FACT_MEMORY_CLOCK},
    {"GlobalMemoryBusWidth", "memoryBusWidth", GX_FACT_BUS_WIDTH},
    {"L2CacheSize", "l2CacheSize", GX_FACT_L2_BYTES},
    {"MaxThreadsPerMultiProcessor", "maxThreadsPerMultiProcessor", GX_FACT_THREADS_UNIT},
    {"AsyncEngineCount", "asyncEngineCount", GX_FACT_COPY_ENGINES},
    {"UnifiedAddressing", "unifiedAddressing", GX_FACT_UNIFIED},
    {"PciDomainId", "pciDomainID", GX_FACT_PCI_DOMAIN},
    {"ComputeCapabilityMajor", "major", GX_FACT_MAJOR},
    {"ComputeCapabilityMinor", "minor", GX_FACT_MINOR},
    {"MaxSharedMemoryPerMultiprocessor", "sharedMemPerMultiprocessor", GX_FACT_SHARED_UNIT},
    {"MaxRegistersPerMultiprocessor", "regsPerMultiprocessor", GX_FACT_REGISTERS_UNIT},
    {"ManagedMemory", "managedMemory", GX_FACT_MANAGED},
    {"MaxSharedMemoryPerBlockOptin", "sharedMemPerBlockOptin", GX_FACT_SHARED_OPTIN},
    {"MemoryPoolsSupported", "memoryPoolsSupported", GX_FACT_POOLS},
};

/* A dict of them, under CuPy's names of attributes or of properties. */
static bool facts_dict(gx_rt *rt, bool properties, gx_value *out) {
    gx_value dict;
    if (!gx_dict_new(rt, &dict)) return false;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *name = properties ? facts[i].property : facts[i].attribute;
        int value;
        if (!name) continue;
        if (!gx_gpu_number(rt, facts[i].fact, &value) ||
            !gx_dict_set_c(rt, dict, name, gx_int(value))) {
            gx_drop(dict);
            return false;
        }
    }
    *out = dict;
    return true;
}

static bool set_bytes(gx_rt *rt, gx_borrowed dict, const char *name, const char *text) {
    gx_value v;
    return gx_bytes_new(rt, text, strlen(text), &v) && gx_dict_set_c_take(rt, dict, name, v);
}

static bool set_three(gx_rt *rt, gx_borrowed dict, const char *name, gx_gpu_fact first) {
    gx_value v[3], tuple;
    for (int i = 0; i < 3; i++) {
        int value;
        if (!gx_gpu_number(rt, first + (gx_gpu_fact)i, &value)) return false;
        v[i] = gx_int(value);
    }
    return gx_tuple_new(rt, 3, v, &tuple) && gx_dict_set_c_take(rt, dict, name, tuple);
}

static bool properties(gx_call *c, gx_value *out) {
    gx_gpu_info info;
    int64_t id;
    gx_value dict;
    if (!gx_arg_int(c, 0, &id) || !check_device(c->rt, id) || !gx_gpu_facts(c->rt, &info) ||
        !facts_dict(c->rt, true, &dict))
        return false;
    bool ok = set_bytes(c->rt, dict, "name", info.name) &&
              gx_dict_set_c(c->rt, dict, "totalGlobalMem", gx_int(info.total_bytes)) &&
              set_three(c->rt, dict, "maxThreadsDim", GX_FACT_BLOCK_X) &&
              set_three(c->rt, dict, "maxGridSize", GX_FACT_GRID_X);
    if (!ok) {
        gx_drop(dict);
        return false;
    }
    *out = dict;
    return true;
}

static bool memory_pair(gx_rt *rt, gx_value *out) {
    int64_t available, total, used, kept;
    if (!gx_gpu_memory(rt, &available, &total, &used, &kept)) return false;
    gx_value v[2] = {gx_int(available), gx_int(total)};
    return gx_tuple_new(rt, 2, v, out);
}

/* --- devices --- */

static bool device_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<CUDA Device %lld>", (long long)id_of(v));
}

static gx_try device_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if ((op != GX_EQ && op != GX_NE) || gx_type_of(a) != gx_type_of(b)) return GX_TRY_NO;
    *out = gx_bool((id_of(a) == id_of(b)) == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool get_id(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return give_int(id_of(self), out);
}

static bool get_capability(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_gpu_info info;
    char text[16];
    if (!check_device(rt, id_of(self)) || !gx_gpu_facts(rt, &info)) return false;
    snprintf(text, sizeof text, "%d%d", info.major, info.minor);
    return gx_str_c(rt, text, out);
}

static bool get_memory(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return check_device(rt, id_of(self)) && memory_pair(rt, out);
}

static bool get_attributes(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return check_device(rt, id_of(self)) && facts_dict(rt, false, out);
}

static bool get_pci(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_gpu_info info;
    return check_device(rt, id_of(self)) && gx_gpu_facts(rt, &info) &&
           gx_str_c(rt, info.pci, out);
}

static const gx_native device_methods[] = {
    ROW("use", "use(self)", "Makes it the current device.", enter),
    ROW("synchronize", "synchronize(self)", "Waits until all work on the current device is done.",
        gx_cuda_synchronize),
    ROW("__enter__", "__enter__(self, /)", "Makes it the current device.", enter),
    ROW("__exit__", "__exit__(self, *args)", "Goes back to the device before.", nothing),
    END,
};
static const gx_member device_members[] = {
    {"id", get_id, NULL, "The device's number."},
    {"compute_capability", get_capability, NULL, "The generation, as '90'."},
    {"mem_info", get_memory, NULL, "Device memory in bytes: (free, total)."},
    {"attributes", get_attributes, NULL, "The device's properties."},
    {"pci_bus_id", get_pci, NULL, "Where it is plugged in."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type device_type = {
    .name = "cupy.cuda.device.Device", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .repr = device_repr, .compare = device_compare, .methods = device_methods,
    .members = device_members,
};

bool gx_cuda_device(gx_rt *rt, int64_t id, gx_value *out) {
    return make(rt, &device_type, id, out);
}

static bool cuda_Device(gx_call *c, gx_value *out) {
    int64_t id = c->rt->gpu_index;
    if (gx_arg_some(c, 0) && !gx_arg_int(c, 0, &id)) return false;
    if (id != c->rt->gpu_index && !check_device(c->rt, id)) return false;
    return make(c->rt, &device_type, id, out);
}

/* --- memory pools --- */

/* Bytes in use and kept: the GPU's where there is one, else the host's. */
static bool pool_bytes(gx_rt *rt, int64_t *used, int64_t *kept) {
    bool there;
    int64_t available, total;
    if (!gx_gpu_there(rt, &there)) return false;
    if (there) return gx_gpu_memory(rt, &available, &total, used, kept);
    *used = rt->stats.array_bytes;
    *kept = 0;
    return true;
}

static bool pool_used_bytes(gx_call *c, gx_value *out) {
    int64_t used, kept;
    return pool_bytes(c->rt, &used, &kept) && give_int(used, out);
}

static bool pool_total_bytes(gx_call *c, gx_value *out) {
    int64_t used, kept;
    return pool_bytes(c->rt, &used, &kept) && give_int(used + kept, out);
}

static bool pool_free_bytes(gx_call *c, gx_value *out) {
    int64_t used, kept;
    return pool_bytes(c->rt, &used, &kept) && give_int(kept, out);
}

static bool pool_zero(gx_call *c, gx_value *out) {
    (void)c;
    return give_int(0, out);
}

/* The host's memory has no limit of its own. */
static bool pool_set_limit(gx_call *c, gx_value *out) {
    int64_t size = 0, available, total, used, kept;
    double part;
    bool there;
    if (!gx_gpu_there(c->rt, &there)) return false;
    if (gx_arg_some(c, 1) && gx_arg_some(c, 2))
        return gx_fail(c->rt, GX_ValueError, "pool.limit",
                       "size and fraction must not be specified at one time");
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &size)) return false;
    if (gx_arg_some(c, 2)) {
        if (!gx_arg_float(c, 2, &part)) return false;
        if (!(part >= 0 && part <= 1))
            return gx_fail(c->rt, GX_ValueError, "pool.limit",
                           "memory limit fraction out of range: %g, should be 0.0 <= fraction <= "
                           "1.0",
                           part);
        if (there && !gx_gpu_memory(c->rt, &available, &total, &used, &kept)) return false;
        size = there ? (int64_t)(part * (double)total) : 0;
    }
    if (size < 0)
        return gx_fail(c->rt, GX_ValueError, "pool.limit",
                       "memory limit size out of range: %lld, should be 0 or more",
                       (long long)size);
    return gx_gpu_set_limit(c->rt, size) && done(out);
}

static bool pool_get_limit(gx_call *c, gx_value *out) {
    return give_int(gx_gpu_limit(c->rt), out);
}

static bool pool_trim(gx_call *c, gx_value *out) {
    bool there;
    if (!gx_gpu_there(c->rt, &there) || (there && !gx_gpu_trim(c->rt))) return false;
    return done(out);
}

static bool pool_malloc(gx_call *c, gx_value *out) {
    gx_value module, alloc = gx_undef();
    gx_sym name = gx_sym_c(c->rt, "alloc");
    if (!name || gx_module_import(c->rt, "cupy.cuda", &module) != GX_TRY_YES) return false;
    bool ok = gx_get_attr(c->rt, module, name, &alloc) &&
              gx_call_held(c->rt, alloc, 1, &c->argv[1], 0, NULL, out);
    gx_drop(alloc);
    gx_drop(module);
    return ok;
}

static const gx_native pool_methods[] = {
    ROW("malloc", "malloc(self, size)", "Device memory of so many bytes, as an array of uint8.",
        pool_malloc),
    ROW("used_bytes", "used_bytes(self)", "Bytes of living arrays.", pool_used_bytes),
    ROW("total_bytes", "total_bytes(self)", "Bytes taken from the system.", pool_total_bytes),
    ROW("free_bytes", "free_bytes(self)", "Bytes kept for later.", pool_free_bytes),
    ROW("n_free_blocks", "n_free_blocks(self)", "Blocks kept for later: the driver keeps them.",
        pool_zero),
    ROW("free_all_blocks", "free_all_blocks(self, stream=None)", "Gives back what is kept.",
        pool_trim),
    ROW("set_limit", "set_limit(self, size=None, fraction=None)",
        "Limits the bytes that arrays may take on the GPU; 0 or None: no limit.",
        pool_set_limit),
    ROW("get_limit", "get_limit(self)", "The limit in bytes; 0: none.", pool_get_limit),
    END,
};
static const gx_type pool_type = {
    .name = "cupy.cuda.memory.MemoryPool", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = pool_methods,
};

static bool cuda_pool(gx_call *c, gx_value *out) {
    return make(c->rt, &pool_type, 0, out);
}

/* --- the modules --- */

static bool cuda_is_available(gx_call *c, gx_value *out) {
    bool there;
    if (!gx_gpu_there(c->rt, &there)) return false;
    *out = gx_bool(there);
    return true;
}

const gx_native gx_cuda_functions[] = {
    ROW("is_available", "is_available()", "Whether there is a usable CUDA device.",
        cuda_is_available),
    ROW("Device", "Device(device=None)",
        "A CUDA device by its number; in a with block it is the current one.", cuda_Device),
    ROW("Event", "Event(block=False, disable_timing=False, interprocess=False)",
        "A marker in a stream's work: record() it, then measure with get_elapsed_time().",
        gx_cuda_event),
    ROW("get_elapsed_time", "get_elapsed_time(start_event, end_event)",
        "Milliseconds between two recorded events, as a float.", gx_cuda_elapsed),
    ROW("get_current_stream", "get_current_stream(device_id=None)",
        "The stream that work of the current device goes to.", gx_cuda_current_stream),
    ROW("MemoryPool", "MemoryPool(allocator=None)",
        "A pool of device memory: used_bytes(), total_bytes(), free_all_blocks().", cuda_pool),
    ROW("set_allocator", "set_allocator(allocator=None)",
        "Accepted as CuPy does; has no effect in gx.", nothing),
    END,
};

const gx_constant gx_cuda_constants[] = {
    {.name = "Stream", .kind = GX_CONST_MAKE, .make = gx_cuda_stream_class},
    {.name = "runtime", .kind = GX_CONST_MODULE, .text = "cupy.cuda.runtime"},
    {.name = NULL},
};

static bool device_count(gx_call *c, gx_value *out) {
    bool there;
    gx_gpu_info info = {.count = 0};
    if (!gx_gpu_there(c->rt, &there) || (there && !gx_gpu_facts(c->rt, &info))) return false;
    return give_int(info.count, out);
}

static bool get_device(gx_call *c, gx_value *out) {
    gx_gpu_info info;
    return gx_gpu_facts(c->rt, &info) && give_int(info.index, out);
}

static bool set_device(gx_call *c, gx_value *out) {
    int64_t id;
    return gx_arg_int(c, 0, &id) && check_device(c->rt, id) && done(out);
}

static bool runtime_version(gx_call *c, gx_value *out) {
    int version;
    return gx_gpu_toolkit(c->rt, &version) && give_int(version, out);
}

static bool driver_version(gx_call *c, gx_value *out) {
    gx_gpu_info info;
    return gx_gpu_facts(c->rt, &info) && give_int(info.driver, out);
}

static bool memory_info(gx_call *c, gx_value *out) {
    return memory_pair(c->rt, out);
}

const gx_native gx_cuda_runtime_functions[] = {
    ROW("getDeviceCount", "getDeviceCount()", "Number of CUDA devices.", device_count),
    ROW("deviceSynchronize", "deviceSynchronize()",
        "Waits until all work on the current device is done.", gx_cuda_synchronize),
    ROW("getDevice", "getDevice()", "The current device's number.", get_device),
    ROW("setDevice", "setDevice(device)", "Makes the device of a number the current one.",
        set_device),
    ROW("runtimeGetVersion", "runtimeGetVersion()",
        "The CUDA version of the compiler, such as 13000 for 13.0.", runtime_version),
    ROW("driverGetVersion", "driverGetVersion()",
        "The CUDA version that the driver supports, such as 13000 for 13.0.", driver_version),
    ROW("getDeviceProperties", "getDeviceProperties(device)",
        "A dict of facts about a device: name, memory, multiprocessors, limits …", properties),
    ROW("memGetInfo", "memGetInfo()", "Device memory in bytes: (free, total).", memory_info),
    END,
};

/* Which of numpy and cupy the arguments are of: cupy, when any is on its side. */
static bool array_module(gx_call *c, gx_value *out) {
    const gx_tuple *rest = gx_as_tuple(c->argv[0]);
    const char *name = "numpy";
    for (int64_t i = 0; i < rest->count; i++) {
        gx_borrowed v = rest->items[i];
        if (gx_is_array(v) && gx_as_array(v)->ns != GX_NS_NUMPY) name = "cupy";
    }
    return gx_module_import(c->rt, name, out) == GX_TRY_YES;
}

/* What cupy has beside numpy's names. */
const gx_native gx_cupy_functions[] = {
    ROW("get_default_memory_pool", "get_default_memory_pool()",
        "The pool that device arrays take their memory from.", cuda_pool),
    ROW("get_default_pinned_memory_pool", "get_default_pinned_memory_pool()",
        "The pool of pinned host memory, used for transfers.", cuda_pool),
    ROW("get_array_module", "get_array_module(*args)",
        "cupy if any argument is an array of cupy, otherwise numpy.", array_module),
    END,
};

const gx_constant gx_cupy_constants[] = {
    {.name = "cuda", .kind = GX_CONST_MODULE, .text = "cupy.cuda"},
    {.name = NULL},
};
