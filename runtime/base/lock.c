/* The numbers of Landlock stand here, as the headers of a C library may be older than the kernel.
   seccomp refuses what is listed: threads, memory and the reading of files go on. A call that a
   newer kernel adds is refused from there on (`NEWEST`). */
#define _GNU_SOURCE 1
#include "runtime/base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- Landlock --- */

enum {
    CREATE_RULESET = 444, /* system calls */
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    PATH_BENEATH = 1,
    ASK_VERSION = 1,
    READ_FILE = 1 << 2, /* rights */
    READ_FOLDER = 1 << 3,
    NETWORK = 3, /* bind and connect */
    SCOPES = 3   /* abstract sockets and signals */
};

struct ruleset {
    uint64_t files, network, scopes;
};

struct beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

/* The rights that a version of the interface knows. */
static uint64_t rights_of(long version) {
    int bits = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
    return (UINT64_C(1) << bits) - 1;
}

static void allow(int set, const char *path) {
    struct stat info;
    int at = open(path, O_PATH | O_CLOEXEC);
    if (at < 0) return;
    struct beneath rule = {.allowed = READ_FILE, .folder = at};
    if (fstat(at, &info) == 0) {
        if (S_ISDIR(info.st_mode)) rule.allowed |= READ_FOLDER;
        (void)syscall(ADD_RULE, set, PATH_BENEATH, &rule, 0);
    }
    close(at);
}

static bool lock_files(const char *const *paths, int n) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1) return false;
    struct ruleset wanted = {.files = rights_of(version)};
    size_t size = version < 4 ? 8 : version < 6 ? 16 : 24;
    if (version >= 4) wanted.network = NETWORK;
    if (version >= 6) wanted.scopes = SCOPES;
    int set = (int)syscall(CREATE_RULESET, &wanted, size, 0);
    if (set < 0) return false;
    for (int i = 0; i < n; i++) allow(set, paths[i]);
    bool ok = syscall(RESTRICT_SELF, set, 0) == 0;
    close(set);
    return ok;
}

/* --- seccomp --- */

#if defined(__x86_64__)

enum { NEWEST = 470, X32 = 0x40000000, ROOM = 16 };

static const uint16_t refused[] = {
    /* network */
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    425, 426, 427, /* io_uring */
    /* programs, and other processes */
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, 424, 434,
    438, /* pidfd */
    SYS_kcmp, SYS_setns, SYS_unshare, SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, 428, 429,
    430, 431, 432, 433, 442, /* mounts */
    SYS_personality, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid,
    SYS_setresgid, SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capset,
    /* files that change */
    SYS_creat, SYS_truncate, SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat,
    SYS_symlink, SYS_symlinkat, SYS_unlink, SYS_unlinkat, SYS_mkdir, SYS_mkdirat, SYS_rmdir,
    SYS_mknod, SYS_mknodat, SYS_chmod, SYS_fchmod, SYS_fchmodat, 452, SYS_chown, SYS_fchown,
    SYS_lchown, SYS_fchownat, SYS_utime, SYS_utimes, SYS_utimensat, SYS_futimesat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init, 437, /* openat2 */
    /* the machine */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_settimeofday, SYS_clock_settime,
    SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_iopl, SYS_ioperm,
    SYS_quotactl, SYS_syslog, SYS_vhangup,
    /* what other processes see */
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgctl, SYS_semget, SYS_semctl,
    SYS_mq_open, SYS_mq_unlink};
enum { REFUSED = sizeof refused / sizeof *refused };

typedef struct program {
    struct sock_filter code[2 * REFUSED + 64];
    unsigned short n;
} program;

static void add(program *p, uint16_t code, uint8_t yes, uint8_t no, uint32_t k) {
    p->code[p->n++] = (struct sock_filter){code, yes, no, k};
}

static void load(program *p, size_t at) {
    add(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)at);
}

static void refuse(program *p, int error) {
    add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (uint32_t)error);
}

/* `call` is refused where an argument has one of the bits; loads the number again. */
static void refuse_bits(program *p, uint32_t call, int argument, uint32_t bits) {
    add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call);
    load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
    add(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    refuse(p, EACCES);
    load(p, offsetof(struct seccomp_data, nr));
}

static bool lock_calls(void) {
    const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | 020000000;
    program p = {.n = 0};
    load(&p, offsetof(struct seccomp_data, arch));
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64);
    add(&p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
    load(&p, offsetof(struct seccomp_data, nr));
    add(&p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, NEWEST); /* X32 too */
    refuse(&p, ENOSYS);
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 435); /* clone3: glibc then takes clone */
    refuse(&p, ENOSYS);
    for (int i = 0; i < REFUSED; i++) {
        add(&p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, refused[i]);
        refuse(&p, EPERM);
    }
    refuse_bits(&p, SYS_open, 1, writing);
    refuse_bits(&p, SYS_openat, 2, writing);
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_ioctl);
    load(&p, offsetof(struct seccomp_data, args) + 8);
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, TIOCSTI); /* typing into the terminal */
    refuse(&p, EPERM);
    load(&p, offsetof(struct seccomp_data, nr));
    add(&p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {.len = p.n, .filter = p.code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

#else

static bool lock_calls(void) {
    return false;
}

#endif

int gx_lock_process(const char *const *paths, int n) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
    int held = lock_files(paths, n) ? GX_LOCK_FILES : 0;
    return held | (lock_calls() ? GX_LOCK_CALLS : 0);
}
