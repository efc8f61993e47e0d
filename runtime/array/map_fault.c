/* The handler of SIGBUS. Threads of a computation may fault, all at once; ranges come and go on the
   threads of their contexts, while these compute nothing. The list is written under a lock; a
   handler on another thread may be walking it meanwhile, so a range that leaves waits for those. */
#include "runtime/array/map_fault.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* A handler can be told of anything only through variables of its own. */
static gx_map_range *_Atomic ranges;
static atomic_int walking; /* handlers that look at the list */
static struct sigaction before;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_lost_page(int number, siginfo_t *info, void *context) {
    int kept = errno;
    char *at = info->si_addr;
    bool mended = false;
    walking++;
    for (gx_map_range *r = ranges; r && !mended; r = r->next) {
        if (at < r->from || at >= r->to) continue;
        char *page = at - (size_t)at % PAGE;
        if (mmap(page, PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
            break;
        r->rt->map_lost = 1;
        r->rt->interrupted = 1;
        mended = true;
    }
    walking--;
    (void)context;
    if (!mended) sigaction(number, &before, NULL); /* it faults again, as without a handler */
    errno = kept;
}

void gx_map_watch(gx_map_range *range) {
    pthread_mutex_lock(&lock);
    if (!ranges) {
        struct sigaction action = {.sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO};
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &before);
    }
    range->next = ranges;
    ranges = range;
    range->rt->maps++;
    pthread_mutex_unlock(&lock);
}

void gx_map_unwatch(gx_map_range *range) {
    pthread_mutex_lock(&lock);
    gx_map_range *first = ranges;
    if (first == range) {
        ranges = range->next;
    } else {
        while (first->next != range) first = first->next;
        first->next = range->next;
    }
    range->rt->maps--;
    while (walking > 0) sched_yield();
    if (!ranges) sigaction(SIGBUS, &before, NULL);
    pthread_mutex_unlock(&lock);
}
