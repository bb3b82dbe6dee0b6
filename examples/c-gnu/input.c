/* A log of events, newest last; the oldest are dropped when it is full. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum level { DEBUG, INFO, WARNING, ERROR };

struct stamp {
    long long unix;     /* seconds since 1970 */
    int milliseconds;
    int offset;         /* of the time zone, in minutes */
};

struct event {
    struct stamp when;
    enum level level;
    char text[80];
};

struct log {
    struct event *events;
    size_t first, count, capacity;
    enum level threshold;
};

static const char *name(enum level level) {
    static const char *const names[] = { "debug", "info", "warning", "error" };
    return level >= DEBUG && level <= ERROR ? names[level] : "?";
}

static int log_open(struct log *log, size_t capacity) {
    log->events = calloc(capacity, sizeof *log->events);
    log->first = log->count = 0;
    log->capacity = capacity;
    log->threshold = INFO;
    return log->events ? 0 : -1;
}

static struct event *log_next(struct log *log) {
    if (log->count < log->capacity)
        return &log->events[(log->first + log->count++) % log->capacity];
    struct event *oldest = &log->events[log->first];
    log->first = (log->first + 1) % log->capacity;
    return oldest;
}

static void log_add(struct log *log, enum level level, const char *text) {
    if (level < log->threshold)
        return;
    struct event *event = log_next(log);
    event->when = (struct stamp) { .unix = time(NULL), .milliseconds = 0, .offset = 60 };
    event->level = level;
    strncpy(event->text, text, sizeof event->text - 1);
    event->text[sizeof event->text - 1] = '\0';
}

static void log_print(const struct log *log) {
    for (size_t i = 0; i < log->count; i++) {
        const struct event *event = &log->events[(log->first + i) % log->capacity];
        long long local = event->when.unix + event->when.offset * 60LL;
        printf("%lld.%03d %-7s %s\n", local, event->when.milliseconds, name(event->level), event->text);
    }
}

int main(void) {
    struct log log;
    if (log_open(&log, 3) != 0)
        return EXIT_FAILURE;
    log_add(&log, DEBUG, "not shown");
    log_add(&log, INFO, "started");
    log_add(&log, WARNING, "disk is nearly full");
    log_add(&log, ERROR, "disk is full");
    log_print(&log);
    free(log.events);
    return EXIT_SUCCESS;
}
