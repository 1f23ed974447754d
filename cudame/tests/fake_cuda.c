/* Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A libcuda.so.1 for machines without one. Memory is host memory, copies work, and chroma is
 * de-interleaved. The searches do nothing, so that no result of them ever comes, unless
 * tests/emulator is linked in, which runs them. From the call that fake_cuda_fail() names, calls
 * fail once or for good. A whole program is controlled by its environment: FAKE_CUDA_FAIL is "call
 * code for_good". FAKE_CUDA_REPORT is a file that gets the number of calls and of allocations that
 * were not freed, and in its second line the number of launches on each device. With FAKE_CUDA_OLD
 * the kernels do not run on the device.
 *
 * FAKE_CUDA_DEVICES is the number of devices, FAKE_CUDA_MEMORY the bytes that each has.
 * FAKE_CUDA_TAKEN is "device code": no context can be created on that device, as on a device that
 * another process uses exclusively. With FAKE_CUDA_ALIKE all devices have one name.
 * FAKE_CUDA_SHARED is the shared memory of a thread block, in bytes. With FAKE_CUDA_MPS processes
 * share the device by CUDA's MPS.
 *
 * A late device: after fake_cuda_hold(), or with FAKE_CUDA_HOLD, launches and copies wait in their
 * order until a stream is waited for, or until that many queries of streams have been made.
 *
 * It includes no CUDA header: a test double needs the symbols, not the types. */

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_work.h"

/* A device. Its contexts, streams and modules are all this object. */
struct device {
    atomic_int retained, launches;
    atomic_ullong context_id; /* each new context has the next number */
    size_t used;
};
enum { MAX_DEVICES = 2 };
static struct device device_of[MAX_DEVICES];
static int devices = 1, taken = -1, taken_code;
static size_t device_memory = SIZE_MAX;
void fake_cuda_devices(int n) { devices = n; }
/* Not 0: all devices have one name. */
static int alike;
void fake_cuda_alike(int on) { alike = on; }
/* Number of users of a device's primary context. */
int fake_cuda_users(int device) { return atomic_load(&device_of[device].retained); }
/* Like FAKE_CUDA_TAKEN; code 0: the device is free. */
void fake_cuda_take(int device, int code) {
    taken = device;
    taken_code = code;
}
/* A device that failed while its context was in use: it can be retained, and makes no streams. -1:
   none. */
static int lost = -1;
void fake_cuda_lose(int device) { lost = device; }
int fake_cuda_launches(int device) { return atomic_load(&device_of[device].launches); }

static atomic_int calls;
static int fail_from = -1, fail_code, fail_for_good;
static atomic_int allocations;

/* Fail from this call on, counted from 0; -1: never. Resets the count. */
void fake_cuda_fail(int call, int code, int for_good) {
    fail_from = call;
    fail_code = code;
    fail_for_good = for_good;
    atomic_store(&calls, 0);
}
int fake_cuda_calls(void) { return atomic_load(&calls); }
int fake_cuda_allocations(void) { return atomic_load(&allocations); }
/* Copies that may still run, because no stream was waited for since. */
static atomic_int pending;
int fake_cuda_pending_copies(void) { return atomic_load(&pending); }

__attribute__((constructor)) static void read_environment(void) {
    const char* fail = getenv("FAKE_CUDA_FAIL");
    const char* held = getenv("FAKE_CUDA_HOLD");
    const char* of = getenv("FAKE_CUDA_TAKEN");
    const char* count = getenv("FAKE_CUDA_DEVICES");
    const char* bytes = getenv("FAKE_CUDA_MEMORY");
    if (held) hold = atoi(held);
    if (fail && sscanf(fail, "%d %d %d", &fail_from, &fail_code, &fail_for_good) != 3) abort();
    if (of && sscanf(of, "%d %d", &taken, &taken_code) != 2) abort();
    if (count) devices = atoi(count);
    if (getenv("FAKE_CUDA_ALIKE")) alike = 1;
    if (bytes) device_memory = strtoull(bytes, NULL, 10);
    if (devices < 0 || devices > MAX_DEVICES) abort();
}

__attribute__((destructor)) static void report(void) {
    const char* name = getenv("FAKE_CUDA_REPORT");
    FILE* file = name ? fopen(name, "w") : NULL;
    if (!file) return;
    fprintf(file, "%d %d\n", fake_cuda_calls(), fake_cuda_allocations());
    fprintf(file, "%d %d\n", fake_cuda_launches(0), fake_cuda_launches(1));
    fclose(file);
}

static int next(void) {
    const int n = atomic_fetch_add(&calls, 1);
    if (fail_from < 0 || n < fail_from) return 0;
    return n == fail_from || fail_for_good ? fail_code : 0;
}

/* Contexts that this thread has made current. */
static _Thread_local struct device* currents[16];
static _Thread_local int depth;
static struct device* current(void) { return depth > 0 ? currents[depth - 1] : NULL; }
static void push(struct device* device) {
    if (depth == sizeof(currents) / sizeof(currents[0])) abort();
    currents[depth++] = device;
}
static int next_in_context(void) {
    const int error = next();
    return error || current() ? error : 201; /* invalid context */
}
/* For calls that only work on the device of their stream. */
static int next_on(const void* stream) {
    const int error = next_in_context();
    return error || !stream || stream == current() ? error : 400; /* invalid handle */
}

/* Device memory, which is limited. */
struct allocation {
    void* p;
    size_t size;
    struct device* device;
    struct allocation* next;
};
static pthread_mutex_t allocation_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct allocation* first_allocation;

static int allocate(void** p, size_t size) {
    const int error = next_in_context();
    if (error) return error;
    *p = malloc(size);
    atomic_fetch_add(&allocations, !!*p);
    return *p ? 0 : 2;
}
static int allocate_on_device(void** p, size_t size) {
    struct device* device = current();
    struct allocation* a = malloc(sizeof(*a));
    int error, fits;
    if (!a) abort();
    pthread_mutex_lock(&allocation_mutex);
    fits = !device || size <= device_memory - device->used;
    error = fits ? allocate(p, size) : next();
    if (!error && !fits) error = 2; /* out of memory */
    if (error) {
        free(a);
    } else {
        *a = (struct allocation){*p, size, device, first_allocation};
        first_allocation = a;
        device->used += size;
    }
    pthread_mutex_unlock(&allocation_mutex);
    return error;
}
static void forget(void* p) {
    struct allocation** at = &first_allocation;
    pthread_mutex_lock(&allocation_mutex);
    while (*at && (*at)->p != p) at = &(*at)->next;
    if (*at) {
        struct allocation* a = *at;
        *at = a->next;
        a->device->used -= a->size;
        free(a);
    }
    pthread_mutex_unlock(&allocation_mutex);
}
static int release(void* p) {
    run_until(ULONG_MAX);
    if (p) atomic_fetch_sub(&allocations, 1);
    forget(p);
    free(p); /* also after the device was lost, because leaks are counted */
    return next();
}
static int handle(void** h) {
    const int error = next_in_context();
    if (!error) *h = current();
    return error;
}
static int make_stream(void** h) {
    const int error = handle(h);
    return error || lost < 0 || *h != &device_of[lost] ? error : 700; /* illegal address */
}

#define SIMPLE(name) \
    int name(void) { return next(); }
#define IN_CONTEXT(name) \
    int name(void) { return next_in_context(); }
#define UNUSED(name) \
    int name(void) { return 801; } /* not supported */

SIMPLE(cuCtxDestroy_v2)
SIMPLE(cuStreamDestroy_v2)
IN_CONTEXT(cuStreamWaitEvent)
IN_CONTEXT(cuEventQuery)

int cuStreamQuery(void* stream) {
    const int error = next_in_context();
    int ready;
    (void)stream;
    if (error) return error;
    pthread_mutex_lock(&work_mutex);
    if (first_work && ++queries > hold) {
        run_work(work_added);
        queries = 0;
    }
    ready = !first_work;
    pthread_mutex_unlock(&work_mutex);
    return ready ? 0 : 600; /* not ready */
}

/* An event marks the work that was added before it. */
struct event {
    struct device* device;
    unsigned long after;
};
int cuEventRecord(void* event, void* stream) {
    struct event* e = event;
    const int error = next_in_context();
    if (error) return error;
    if (stream && stream != e->device) return 400; /* invalid handle */
    pthread_mutex_lock(&work_mutex);
    e->after = work_added;
    pthread_mutex_unlock(&work_mutex);
    return 0;
}
int cuEventSynchronize(void* event) {
    const int error = next_in_context();
    if (!error) run_until(((struct event*)event)->after);
    return error;
}
int cuEventCreate(void** event, unsigned flags) {
    const int error = next_in_context();
    struct event* e;
    (void)flags;
    if (error) return error;
    *event = e = calloc(1, sizeof(*e));
    if (e) e->device = current();
    return e ? 0 : 2;
}
int cuEventDestroy_v2(void* event) {
    free(event);
    return next();
}

/* Milliseconds that cuInit() takes. */
static int init_ms;
void fake_cuda_delay(int ms) { init_ms = ms; }
/* The value of CUDA_DEVICE_MAX_CONNECTIONS at the last cuInit(); 0: not set. */
static int queues;
int fake_cuda_queues(void) { return queues; }
int cuInit(unsigned flags) {
    const struct timespec time = {init_ms / 1000, init_ms % 1000 * 1000000L};
    const char* wanted = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    const int error = next();
    (void)flags;
    queues = wanted ? atoi(wanted) : 0;
    if (init_ms) nanosleep(&time, NULL);
    return error;
}
int cuStreamSynchronize(void* stream) {
    (void)stream;
    atomic_store(&pending, 0);
    run_until(ULONG_MAX);
    return next_in_context();
}
struct set {
    void* to;
    size_t size;
    unsigned char value;
};
static void run_set(void* what) {
    const struct set* s = what;
    memset(s->to, s->value, s->size);
}
int cuMemsetD8Async(void* to, unsigned char value, size_t size, void* stream) {
    const int error = next_in_context();
    const struct set s = {to, size, value};
    (void)stream;
    if (!error) submit(run_set, &s, sizeof(s));
    return error;
}
int cuDeviceGetCount(int* n) {
    *n = devices;
    return next();
}
int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return ordinal < devices ? next() : 101; /* invalid device */
}
int cuCtxGetDevice(int* device) {
    const int error = next_in_context();
    if (!error) *device = (int)(current() - device_of);
    return error;
}
int cuDeviceGetName(char* name, int size, int device) {
    snprintf(name, (size_t)size, device && !alike ? "fake %d" : "fake", device);
    return next();
}
int cuDeviceGetPCIBusId(char* id, int size, int device) {
    snprintf(id, (size_t)size, "0000:0%d:00.0", device);
    return next();
}
int cuDeviceComputeCapability(int* major, int* minor, int device) {
    (void)device;
    *major = 9;
    *minor = 0;
    return next();
}
static atomic_ullong last_context_id;
static int has_ids = 1;
void fake_cuda_ids(int on) { has_ids = on; }
int cuCtxGetId(void* context, unsigned long long* id) {
    const int error = next_in_context();
    (void)context;
    if (!error) *id = atomic_load(&current()->context_id);
    return has_ids ? error : 801; /* not supported */
}
static void number_context(struct device* device) {
    atomic_store(&device->context_id, atomic_fetch_add(&last_context_id, 1) + 1);
}
static int next_context(int device) {
    const int error = next();
    return error || device != taken ? error : taken_code;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
    const int error = next_context(device);
    if (error) return error;
    if (!atomic_fetch_add(&device_of[device].retained, 1)) number_context(&device_of[device]);
    *context = &device_of[device];
    return 0;
}
int cuDevicePrimaryCtxRelease(int device) {
    atomic_fetch_sub(&device_of[device].retained, 1); /* also after the device was lost */
    return next();
}
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    *flags = 0;
    *active = atomic_load(&device_of[device].retained) > 0;
    return next();
}
int cuCtxGetCurrent(void** context) {
    *context = current();
    return next();
}
/* A pointer that a test made up is a context of the first device. */
int cuCtxPushCurrent_v2(void* context) {
    const int error = next();
    const int device = context == &device_of[1];
    if (!error) push(&device_of[device]);
    return error;
}
/* Number of modules that are loaded. */
static atomic_int loads;
int fake_cuda_loads(void) { return atomic_load(&loads); }
int cuModuleLoadData(void** module, const void* image) {
    int error;
    (void)image;
    if (getenv("FAKE_CUDA_OLD")) return 209; /* no binary for the device */
    error = handle(module);
    atomic_fetch_add(&loads, !error);
    return error;
}
int cuModuleUnload(void* module) {
    (void)module;
    atomic_fetch_sub(&loads, 1); /* also after the device was lost */
    return next();
}
int cuCtxCreate_v2(void** context, unsigned flags, int device) {
    const int error = next_context(device);
    (void)flags;
    if (error) return error;
    number_context(&device_of[device]);
    push(&device_of[device]);
    *context = current();
    return 0;
}
int cuCtxPopCurrent_v2(void** context) {
    *context = current();
    if (depth > 0) depth--; /* also after the device was lost */
    return next();
}
static int shared_bytes(void) {
    const char* shared = getenv("FAKE_CUDA_SHARED");
    return shared ? atoi(shared) : 227 * 1024;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    (void)device;
    /* 16: multiprocessors, of an H100. 91: registered memory has the same address on the device.
     * 97: shared memory of a thread block. 133: MPS. FFmpeg asks for the alignment of textures. */
    switch (attribute) {
        case 16:
            *value = 132;
            break;
        case 91:
            *value = 1;
            break;
        case 97:
            *value = shared_bytes();
            break;
        case 133:
            *value = getenv("FAKE_CUDA_MPS") != NULL;
            break;
        default:
            *value = 512;
    }
    return next();
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                size_t shared) {
    (void)function, (void)threads, (void)shared;
    *blocks = 4;
    return next_in_context();
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
    (void)function;
    if (attribute != 8 || value > shared_bytes()) return 1; /* invalid value */
    return next_in_context();
}
/* In tests/emulator. */
__attribute__((weak)) void* emulated_kernel(const char* name);
__attribute__((weak)) void* emulate_bind(void* kernel, unsigned x, unsigned y, unsigned z,
                                         unsigned threads, unsigned shared, void** params);
__attribute__((weak)) void emulate_run(void* launch);
static void run_launch(void* what) { emulate_run(*(void**)what); }

static int split_function;
int cuModuleGetFunction(void** function, void* module, const char* name) {
    const int error = next_on(module);
    if (error) return error;
    *function = module;
    if (!strcmp(name, "cudame_split_chroma")) {
        *function = &split_function;
    } else if (emulated_kernel) {
        *function = emulated_kernel(name);
        if (!*function) return 500; /* not found */
    }
    return 0;
}
struct split { /* SplitParams of cuda/split_params.h */
    const uint8_t* from;
    uint8_t* to[2];
    ptrdiff_t from_stride, to_stride;
    int width, height;
};
static void run_split(void* what) {
    const struct split* p = what;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < 2 * p->width; x++)
            p->to[x % 2][y * p->to_stride + x / 2] = p->from[y * p->from_stride + x];
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void* stream, void** params, void** extra) {
    const int error = next_on(stream);
    (void)by, (void)bz, (void)extra;
    if (error) return error;
    atomic_fetch_add(&current()->launches, 1);
    if (function == &split_function) {
        submit(run_split, params[0], sizeof(struct split));
    } else if (emulate_bind) {
        void* launch = emulate_bind(function, gx, gy, gz, bx, shared, params);
        if (!launch) return 1; /* invalid value */
        submit(run_launch, &launch, sizeof(launch));
    }
    return 0;
}
int cuStreamCreate(void** stream, unsigned flags) {
    (void)flags;
    return make_stream(stream);
}
int cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
    (void)flags, (void)priority;
    return make_stream(stream);
}
int cuEventElapsedTime(float* ms, void* start, void* end) {
    (void)start, (void)end;
    *ms = 0.001f;
    return next();
}
int cuMemAlloc_v2(void** p, size_t size) { return allocate_on_device(p, size); }
int cuMemAllocPitch_v2(void** p, size_t* pitch, size_t width, size_t height, unsigned element) {
    (void)element;
    *pitch = (width + 511) / 512 * 512;
    return allocate_on_device(p, *pitch * height);
}
int cuMemHostAlloc(void** p, size_t size, unsigned flags) {
    (void)flags;
    return allocate(p, size);
}
/* Each allocation, also a pinned one, counts as one of the device's smallest pages, 2 MB. */
int cuMemGetInfo_v2(size_t* left, size_t* total) {
    *total = (size_t)1 << 32;
    *left = *total - ((size_t)atomic_load(&allocations) << 21);
    return next_in_context();
}
int cuMemFree_v2(void* p) { return release(p); }
int cuMemFreeHost(void* p) { return release(p); }
int cuMemHostRegister_v2(void* p, size_t size, unsigned flags) {
    const int error = next_in_context();
    (void)p, (void)size;
    /* Mapped memory has a substitute, the next call. A fault has to meet both. */
    if (error && flags & 2) fail_from = atomic_load(&calls);
    if (!error) atomic_fetch_add(&allocations, 1);
    return error;
}
int cuMemHostUnregister(void* p) {
    (void)p;
    run_until(ULONG_MAX);
    atomic_fetch_sub(&allocations, 1);
    return next();
}

struct copy {
    void* to;
    const void* from;
    size_t size;
};
static void run_copy(void* what) {
    const struct copy* c = what;
    memcpy(c->to, c->from, c->size);
}
int cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t size, void* stream) {
    const int error = next_in_context();
    const struct copy c = {to, from, size};
    (void)stream;
    if (!error) submit(run_copy, &c, sizeof(c));
    return error;
}
int cuMemcpyHtoD_v2(void* to, const void* from, size_t size) {
    const int error = next_in_context();
    if (!error) memcpy(to, from, size);
    return error;
}
struct side { /* CUDA_MEMCPY2D is two of these, width and height */
    size_t x, y;
    int type; /* 1: host, 2: device */
    void* host;
    void* device;
    void* array;
    size_t pitch;
};
struct copy_2d {
    struct side from, to;
    size_t width, height;
};
static void run_copy_2d(void* what) {
    const struct copy_2d* c = what;
    const char* from = c->from.type == 1 ? c->from.host : c->from.device;
    char* to = c->to.type == 1 ? c->to.host : c->to.device;
    for (size_t y = 0; y < c->height; y++)
        memcpy(to + y * c->to.pitch, from + y * c->from.pitch, c->width);
}
int cuMemcpy2DAsync_v2(const void* copy, void* stream) {
    const int error = next_in_context();
    (void)stream;
    atomic_fetch_add(&pending, 1);
    if (!error) submit(run_copy_2d, copy, sizeof(struct copy_2d));
    return error;
}
int cuGetErrorName(int code, const char** name) {
    (void)code;
    *name = "FAKE";
    return 0;
}
int cuGetErrorString(int code, const char** text) {
    (void)code;
    *text = "fault of the fake driver";
    return 0;
}

/* The loader needs these symbols, but our code does not use them. */
UNUSED(cuDriverGetVersion)
UNUSED(cuCtxSetLimit)
UNUSED(cuMemAllocManaged)
UNUSED(cuMemcpy)
UNUSED(cuMemcpyAsync)
UNUSED(cuMemcpy2D_v2)
UNUSED(cuMemcpyDtoH_v2)
UNUSED(cuMemcpyDtoHAsync_v2)
UNUSED(cuMemcpyDtoD_v2)
UNUSED(cuMemcpyDtoDAsync_v2)
UNUSED(cuDevicePrimaryCtxSetFlags)
UNUSED(cuDevicePrimaryCtxReset)
UNUSED(cuStreamAddCallback)
UNUSED(cuLinkCreate)
UNUSED(cuLinkAddData)
UNUSED(cuLinkComplete)
UNUSED(cuLinkDestroy)
UNUSED(cuModuleGetGlobal)
UNUSED(cuTexObjectCreate)
UNUSED(cuTexObjectDestroy)
UNUSED(cuGLGetDevices_v2)
UNUSED(cuGraphicsGLRegisterImage)
UNUSED(cuGraphicsUnregisterResource)
UNUSED(cuGraphicsMapResources)
UNUSED(cuGraphicsUnmapResources)
UNUSED(cuGraphicsSubResourceGetMappedArray)
UNUSED(cuGraphicsResourceGetMappedPointer_v2)
UNUSED(cuArrayCreate_v2)
UNUSED(cuArray3DCreate_v2)
UNUSED(cuArrayDestroy)
UNUSED(cuD3D11GetDevice)
UNUSED(cuD3D11GetDevices)
UNUSED(cuGraphicsD3D11RegisterResource)
