/* Preloaded into a program, lets its storage fail. What fails, and how, stands in the file that
 * FAULTY_STORAGE names, read at each call: lines of an errno's name and a part of a path, such as
 * "ENOSPC /run/checkpoints/". There the calls fail that change something; ENOSPC leaves those alone
 * that need no room, and a write that fails for want of it writes half of its bytes first.
 * "ENOLCK lock" and "ENOSYS lock" let locking fail; "HANG checkpoints" lets syncing take as long as
 * the line is there, and moving or removing what lies in a folder held open; a file beside that of
 * FAULTY_STORAGE, ".hangs" added, tells that one is moved or removed. No such file: nothing fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef int (*open_call)(const char*, int, mode_t);
typedef int (*open_at_call)(int, const char*, int, mode_t);
typedef int (*control_call)(int, int, void*);
typedef ssize_t (*write_call)(int, const void*, size_t);
typedef ssize_t (*write_at_call)(int, const void*, size_t, off_t);

enum { HANG = -1 };

static int number_of(const char* name) {
  static const struct {
    const char* name;
    int number;
  } known[] = {{"ENOSPC", ENOSPC}, {"EROFS", EROFS},   {"EIO", EIO},
               {"ENOLCK", ENOLCK}, {"ENOSYS", ENOSYS}, {"HANG", HANG}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strcmp(known[i].name, name) == 0) return known[i].number;
  }
  abort();
}

/* 0: none. Reads the file by calls that are not replaced below. */
static int fault_at(const char* path) {
  const char* const file = getenv("FAULTY_STORAGE");
  static open_call real_open;
  if (real_open == NULL) real_open = (open_call)dlsym(RTLD_NEXT, "open");
  const int before = errno;
  const int descriptor = file == NULL ? -1 : real_open(file, O_RDONLY | O_CLOEXEC, 0);
  if (descriptor < 0) {
    errno = before;
    return 0;
  }
  char text[4096];
  const ssize_t got = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  errno = before;
  text[got < 0 ? 0 : got] = '\0';
  char* rest = NULL;
  for (char* line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    char* const part = strchr(line, ' ');
    if (part == NULL) abort();
    *part = '\0';
    if (strstr(path, part + 1) != NULL) return number_of(line);
  }
  return 0;
}

static int fault_of(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return fault_at(path);
}

static int is_lock_fault(int fault) { return fault == ENOLCK || fault == ENOSYS; }

static int fails(int fault) {
  if (fault == 0 || fault == HANG || is_lock_fault(fault)) return 0;
  errno = fault;
  return 1;
}

static int fails_without_room(int fault) { return fault != ENOSPC && fails(fault); }

/* Paths may be relative to the working folder. */
static int fault_at_any(const char* path) {
  char whole[2 * PATH_MAX];
  if (path[0] == '/') return fault_at(path);
  if (getcwd(whole, PATH_MAX) == NULL) return 0;
  const size_t length = strlen(whole);
  snprintf(whole + length, sizeof whole - length, "/%s", path);
  return fault_at(whole);
}

/* Or to a folder that is held open. */
static int fault_in(int folder, const char* path) {
  char link[64], whole[2 * PATH_MAX];
  if (path[0] == '/' || folder == AT_FDCWD) return fault_at_any(path);
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  const ssize_t length = readlink(link, whole, PATH_MAX);
  if (length < 0) return 0;
  snprintf(whole + length, sizeof whole - (size_t)length, "/%s", path);
  return fault_at(whole);
}

static int writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
}

static int open_as(const char* name, const char* path, int flags, mode_t mode) {
  if (writes(flags) && fails_without_room(fault_at_any(path))) return -1;
  return ((open_call)dlsym(RTLD_NEXT, name))(path, flags, mode);
}

#define DEFINE_OPEN(name)                            \
  int name(const char* path, int flags, ...) {       \
    va_list more;                                    \
    va_start(more, flags);                           \
    const mode_t mode = (mode_t)va_arg(more, int);   \
    va_end(more);                                    \
    return open_as(#name, path, flags, mode);        \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPEN_AT(name)                                                                  \
  int name(int folder, const char* path, int flags, ...) {                                    \
    va_list more;                                                                             \
    va_start(more, flags);                                                                    \
    const mode_t mode = (mode_t)va_arg(more, int);                                            \
    va_end(more);                                                                             \
    if (writes(flags) && fails_without_room(fault_in(folder, path))) return -1;               \
    return ((open_at_call)dlsym(RTLD_NEXT, #name))(folder, path, flags, mode);                \
  }
DEFINE_OPEN_AT(openat)
DEFINE_OPEN_AT(openat64)

ssize_t write(int descriptor, const void* bytes, size_t count) {
  const write_call real = (write_call)dlsym(RTLD_NEXT, "write");
  const int fault = fault_of(descriptor);
  if (fault == ENOSPC && count > 1) return real(descriptor, bytes, count / 2);
  return fails(fault) ? -1 : real(descriptor, bytes, count);
}

#define DEFINE_WRITE_AT(name)                                                            \
  ssize_t name(int descriptor, const void* bytes, size_t count, off_t at) {              \
    const write_at_call real = (write_at_call)dlsym(RTLD_NEXT, #name);                   \
    const int fault = fault_of(descriptor);                                              \
    if (fault == ENOSPC && count > 1) return real(descriptor, bytes, count / 2, at);     \
    return fails(fault) ? -1 : real(descriptor, bytes, count, at);                       \
  }
DEFINE_WRITE_AT(pwrite)
DEFINE_WRITE_AT(pwrite64)

static void hang_in(int folder, const char* path) {
  char name[PATH_MAX];
  for (int told = 0; fault_in(folder, path) == HANG; told = 1) {
    snprintf(name, sizeof name, "%s.hangs", getenv("FAULTY_STORAGE"));
    const int file = told ? -1 : creat(name, 0666);
    if (file >= 0) close(file);
    usleep(20000);
  }
}

int fsync(int descriptor) {
  while (fault_of(descriptor) == HANG) usleep(20000);
  if (fails(fault_of(descriptor))) return -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int rename(const char* from, const char* to) {
  if (fails_without_room(fault_at_any(to))) return -1;
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  hang_in(to_folder, to);
  if (fails_without_room(fault_in(to_folder, to))) return -1;
  return ((int (*)(int, const char*, int, const char*))dlsym(RTLD_NEXT, "renameat"))(
      from_folder, from, to_folder, to);
}

int unlinkat(int folder, const char* path, int flags) {
  hang_in(folder, path);
  if (fails_without_room(fault_in(folder, path))) return -1;
  return ((int (*)(int, const char*, int))dlsym(RTLD_NEXT, "unlinkat"))(folder, path, flags);
}

#define DEFINE_REMOVE(name)                                               \
  int name(const char* path) {                                            \
    if (fails_without_room(fault_at_any(path))) return -1;                \
    return ((int (*)(const char*))dlsym(RTLD_NEXT, #name))(path);         \
  }
DEFINE_REMOVE(remove)
DEFINE_REMOVE(unlink)
DEFINE_REMOVE(rmdir)

static int control(const char* name, int descriptor, int command, void* argument) {
  const int locks = command == F_OFD_SETLK || command == F_OFD_GETLK || command == F_SETLK ||
                    command == F_GETLK;
  const int fault = locks ? fault_of(descriptor) : 0;
  if (is_lock_fault(fault)) {
    errno = fault;
    return -1;
  }
  return ((control_call)dlsym(RTLD_NEXT, name))(descriptor, command, argument);
}

#define DEFINE_CONTROL(name)                              \
  int name(int descriptor, int command, ...) {            \
    va_list more;                                         \
    va_start(more, command);                              \
    void* const argument = va_arg(more, void*);           \
    va_end(more);                                         \
    return control(#name, descriptor, command, argument); \
  }
DEFINE_CONTROL(fcntl)
DEFINE_CONTROL(fcntl64)
