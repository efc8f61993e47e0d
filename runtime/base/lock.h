/* The kernel's own fence around the process, by Landlock and seccomp where they are. It cannot be
   taken down again. */
#ifndef GX_RUNTIME_BASE_LOCK_H
#define GX_RUNTIME_BASE_LOCK_H

enum {
    GX_LOCK_FILES = 1, /* nothing is written, and nothing read but what was named */
    GX_LOCK_CALLS = 2  /* no network, no programs, no changes of files */
};

/* Locks the calling thread and those that it starts; `paths`: files and folders that can still be
   read (those that are not there are left out). Returns which locks hold. */
int gx_lock_process(const char *const *paths, int n);

#endif
