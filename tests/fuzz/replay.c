/* Runs a fuzz target over files: replay FILE|FOLDER… The last line is `N passed, N failed`. Files
   run in child processes, some in each, so that one that crashes or hangs counts as one failure.
   What the inputs print is thrown away. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_int.h"

enum { SECONDS = 20, BATCH = 64 };

typedef struct names {
    char **list;
    size_t count, room;
} names;

static void add(names *all, const char *folder, const char *name) {
    if (all->count == all->room) {
        all->room = all->room ? all->room * 2 : 256;
        all->list = realloc(all->list, all->room * sizeof *all->list);
    }
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = all->list ? malloc(bytes) : NULL;
    if (!path) abort();
    snprintf(path, bytes, "%s%s%s", folder, *folder ? "/" : "", name);
    all->list[all->count++] = path;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find(names *all, const char *path) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    if (!folder) {
        add(all, "", path);
        return;
    }
    size_t from = all->count;
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.') add(all, path, entry->d_name);
    closedir(folder);
    if (all->count > from)
        qsort(all->list + from, all->count - from, sizeof *all->list, by_name);
}

/* False: the file cannot be read. */
static bool run_file(const char *path) {
    struct stat info;
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    size_t size = fstat(fileno(f), &info) == 0 ? (size_t)info.st_size : 0;
    uint8_t *data = malloc(size ? size : 1);
    bool ok = data && fread(data, 1, size, f) == size;
    fclose(f);
    if (ok) {
        alarm(SECONDS);
        LLVMFuzzerTestOneInput(data, size);
        alarm(0);
    }
    free(data);
    return ok;
}

static void be_quiet(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) abort();
    close(nowhere);
}

/* Runs files in a child, which writes a byte for each that ended well; returns how many did. */
static size_t run_some(char **list, size_t count) {
    int ends[2];
    char done[BATCH];
    size_t passed = 0;
    if (pipe(ends) != 0) abort();
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        close(ends[0]);
        be_quiet();
        for (size_t i = 0; i < count; i++)
            if (!run_file(list[i]) || write(ends[1], "", 1) != 1) exit(1);
        exit(0);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], done, sizeof done)) > 0;) passed += (size_t)n;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    /* What goes wrong at the very end (a leak) belongs to none of the files: to the last. */
    if (passed == count && status != 0) passed--;
    return passed;
}

int main(int argc, char **argv) {
    names all = {0};
    size_t failed = 0;
    for (int i = 1; i < argc; i++) find(&all, argv[i]);
    for (size_t at = 0; at < all.count;) {
        size_t count = all.count - at < BATCH ? all.count - at : BATCH;
        size_t passed = run_some(all.list + at, count);
        at += passed;
        if (passed == count) continue;
        printf("FAILED: %s\n", all.list[at++]);
        failed++;
    }
    for (size_t i = 0; i < all.count; i++) free(all.list[i]);
    free(all.list);
    printf("%zu passed, %zu failed\n", all.count - failed, failed);
    return failed != 0 || all.count == 0;
}
