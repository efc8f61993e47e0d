/* The kernel's fence: after gx_lock_process neither files nor programs nor sockets, but threads,
   memory and what was named. In a child, as it cannot be taken down. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/lock.h"

static void *nothing(void *arg) {
    return arg;
}

/* Bit k of the child's status: which of its attempts went as it must not. */
static int attempts(const char *folder, const char *inside, const char *outside) {
    const char *paths[] = {folder, "/not/there"};
    int wrong = 0, held = gx_lock_process(paths, 2), fd;
    pthread_t thread;
    char *const argv[] = {(char *)"true", NULL};
    if (held & GX_LOCK_FILES) {
        if ((fd = open(inside, O_RDONLY)) < 0) wrong |= 1;
        if (open(outside, O_RDONLY) >= 0 || open(inside, O_RDWR) >= 0) wrong |= 2;
    }
    if (held & GX_LOCK_CALLS) {
        if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) wrong |= 4;
        if (mkdir("/tmp/gx_lock_made", 0700) == 0 || unlink(outside) == 0) wrong |= 8;
        if (open("/tmp/gx_lock_made", O_CREAT | O_WRONLY, 0600) >= 0) wrong |= 16;
        execv("/bin/true", argv);
        if (errno != EPERM) wrong |= 32;
    }
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || pthread_create(&thread, NULL, nothing, NULL) != 0) wrong |= 64;
    else pthread_join(thread, NULL);
    return wrong;
}

Test(lock, holds) {
    char folder[] = "/tmp/gx_lock_XXXXXX", outside[] = "/tmp/gx_unlocked_XXXXXX", inside[64];
    int status;
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(inside, sizeof inside, "%s/there", folder);
    close(open(inside, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    int out = mkstemp(outside);
    cr_assert(out >= 0);
    close(out);
    pid_t child = fork();
    if (child == 0) _exit(attempts(folder, inside, outside));
    cr_assert(waitpid(child, &status, 0) == child);
    unlink(inside);
    unlink(outside);
    rmdir(folder);
    cr_assert(WIFEXITED(status), "status %x", status);
    cr_expect_eq(WEXITSTATUS(status), 0, "attempts that went wrong: %x", WEXITSTATUS(status));
}
