// A plugin of the emulator: instructions and stack between the calls of two functions, and the stack of the whole run.
//
//     -plugin meter.so,to=FILE,begin=ADDRESS,end=ADDRESS,_stack_end=ADDRESS,_stack_start=ADDRESS
//
// with the addresses of these symbols; the stack lies between the last two. The function `begin` stores once, at the top of
// the stack: what is counted goes down from there. Each pair of calls writes a line, instructions and bytes of stack; the
// last line is `run` and the bytes of stack of the whole run. Instructions are counted one by one, so every run gives the
// same numbers. What is counted includes the end of `begin` and the call of `end`, which an empty pair measures.
//
// The emulator's header is in no Debian package, so the few declarations stand here. They are those of version 1 of the
// interface, which version 2 keeps; emulators from 9.0 on ask for 2.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct block;
struct instruction;
typedef void (*on_call)(unsigned cpu, void *data);
typedef void (*on_access)(unsigned cpu, uint32_t info, uint64_t address, void *data);

size_t qemu_plugin_tb_n_insns(const struct block *);
struct instruction *qemu_plugin_tb_get_insn(const struct block *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct instruction *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t id, struct block *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct instruction *, on_call, int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct instruction *, on_access, int flags, int reads_or_writes, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*)(uint64_t id, void *data), void *data);

enum { NO_REGISTERS = 0, WRITES = 2 };

EXPORT int qemu_plugin_version = API;

// The image of a size has no pair.
static uint64_t begin = UINT64_MAX, end = UINT64_MAX, low, high;
static FILE *to;

static bool counting;
static uint64_t instructions, top, lowest, lowest_of_run;

static void on_begin(unsigned cpu, void *data) {
    counting = true;
    instructions = top = 0;
}

static void on_end(unsigned cpu, void *data) {
    fprintf(to, "%" PRIu64 " %" PRIu64 "\n", instructions, top - lowest);
    counting = false;
}

static void on_instruction(unsigned cpu, void *data) {
    instructions += counting;
}

static void on_write(unsigned cpu, uint32_t info, uint64_t address, void *data) {
    if (address < low || address >= high)
        return;
    if (address < lowest_of_run)
        lowest_of_run = address;
    // The first store is that of the marker.
    if (top == 0)
        top = address + 4, lowest = address;
    if (address < lowest)
        lowest = address;
}

// Called for each block of code when it is translated.
static void on_block(uint64_t id, struct block *block) {
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct instruction *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);
        if (address == begin)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_begin, NO_REGISTERS, NULL);
        if (address == end)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_end, NO_REGISTERS, NULL);
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, NO_REGISTERS, NULL);
        qemu_plugin_register_vcpu_mem_cb(instruction, on_write, NO_REGISTERS, WRITES, NULL);
    }
}

static void on_exit_of_run(uint64_t id, void *data) {
    fprintf(to, "run %" PRIu64 "\n", high - lowest_of_run);
    fclose(to);
}

// Where the address goes that the argument `name` gives.
static uint64_t *place_of(const char *name) {
    return !strcmp(name, "begin") ? &begin : !strcmp(name, "end") ? &end
        : !strcmp(name, "_stack_end") ? &low : !strcmp(name, "_stack_start") ? &high : NULL;
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments) {
    for (int i = 0; i < count; i++) {
        char *value = strchr(arguments[i], '=');
        if (!value)
            return -1;
        *value++ = 0;
        uint64_t *place = place_of(arguments[i]);
        if (place)
            // The lowest bit of a function's address says that it is Thumb code.
            *place = strtoull(value, NULL, 0) & ~1ull;
        else if (!strcmp(arguments[i], "to"))
            to = fopen(value, "w");
        else
            return -1;
    }
    if (!to || low >= high)
        return -1;
    lowest_of_run = high;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
    qemu_plugin_register_atexit_cb(id, on_exit_of_run, NULL);
    return 0;
}
