/* The handler of SIGBUS. Threads of a computation may fault, all at once; ranges come and go on the
   interpreter's thread alone, while nothing is computed. */
#include "runtime/array/map_fault.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* A handler can be told of anything only through variables of its own. */
static gx_map_range *volatile ranges;
static struct sigaction before;

static void on_lost_page(int number, siginfo_t *info, void *context) {
    int kept = errno;
    char *at = info->si_addr;
    for (gx_map_range *r = ranges; r; r = r->next) {
        if (at < r->from || at >= r->to) continue;
        char *page = at - (size_t)at % PAGE;
        if (mmap(page, PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
            break;
        r->rt->map_lost = 1;
        r->rt->interrupted = 1;
        errno = kept;
        return;
    }
    (void)context;
    sigaction(number, &before, NULL); /* it faults again, as if there were no handler */
    errno = kept;
}

void gx_map_watch(gx_map_range *range) {
    if (!ranges) {
        struct sigaction action = {.sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO};
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &before);
    }
    range->next = ranges;
    ranges = range;
}

void gx_map_unwatch(gx_map_range *range) {
    gx_map_range *first = ranges;
    if (first == range) {
        ranges = range->next;
    } else {
        while (first->next != range) first = first->next;
        first->next = range->next;
    }
    if (!ranges) sigaction(SIGBUS, &before, NULL);
}
