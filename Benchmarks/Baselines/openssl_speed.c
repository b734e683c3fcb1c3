// SPDX-License-Identifier: Apache-2.0
#include "baselines.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double baseline_openssl_sha256(size_t bytes) {
    // It ends its loop by an alarm, and a child inherits what the calling thread blocks.
    sigset_t none, before;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, &before);
    char command[128], line[512];
    snprintf(command, sizeof command, "openssl speed -seconds 3 -bytes %zu -evp sha256 2>/dev/null", bytes);
    FILE *output = popen(command, "r");
    double thousands = -1;
    // The last line: the algorithm, then thousands of bytes a second of processor time as `478061.23k`.
    while (output && fgets(line, sizeof line, output)) {
        char *last = strrchr(line, ' ');
        if (last) thousands = atof(last);
    }
    if (!output || pclose(output) != 0) thousands = -1;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return thousands < 0 ? -1 : thousands * 1000 / (double)bytes;
}
