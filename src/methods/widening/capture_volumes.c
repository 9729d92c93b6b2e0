#include "methods/widening/capture_volumes.h"

#include <inttypes.h>

KnCaptureVolumes kn_capture_volumes(const KnCaptureMaking *making)
{
    KnCaptureVolumes volumes = {.made = 0};
    for (int i = 0; i < KN_CAPTURE_VOLUMES; i++) {
        volumes.lines[i] = KN_TEXT_EMPTY;
        volumes.quota[i] = (making->problems + KN_CAPTURE_VOLUMES - 1 - i) / KN_CAPTURE_VOLUMES;
    }
    return volumes;
}

KnStatus kn_capture_fill(const KnCaptureMaking *making, KnCaptureVolumes *volumes, uint64_t games_most,
                         KnCaptureFinder *find, void *set, KnText *out, KnError *error)
{
    KnStatus status = KN_OK;
    for (uint64_t i = 0; status == KN_OK && volumes->made < making->problems && i < games_most; i++) {
        int before = volumes->made;
        if (making->cancel && atomic_load(making->cancel))
            status = kn_fail(error, KN_STOPPED, "stopped; nothing was written");
        else
            status = find(set, i, error);
        if (making->progress && volumes->made > before) kn_progress_tick(making->progress, 1);
    }
    if (status == KN_OK && volumes->made < making->problems)
        status = kn_fail(error, KN_NO, "%" PRIu64 " games gave only %d problems", games_most, volumes->made);
    for (int i = 0; i < KN_CAPTURE_VOLUMES; i++) {
        if (status == KN_OK) kn_text_add_bytes(out, volumes->lines[i].data, volumes->lines[i].length);
        kn_text_free(&volumes->lines[i]);
    }
    return status;
}
