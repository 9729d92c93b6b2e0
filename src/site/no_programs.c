/* The site starts no other programs: nothing to draw pictures with (lab/plot.h), and no engines to measure
 * times with (base/child_process.h). And it does not listen (web/listen.h). */
#include "base/child_process.h"
#include "lab/plot.h"
#include "web/listen.h"

static KnStatus refuse(KnError *error)
{
    return kn_fail(error, KN_NO, "a browser cannot start other programs; `knack serve` on a computer can");
}

KnStatus kn_plot_svg(const json_t *figure, const char *name, KnText *svg, KnError *error)
{
    (void)figure, (void)name, (void)svg;
    return refuse(error);
}

KnStatus kn_plot_png(const json_t *figure, KnText *png, KnError *error)
{
    (void)figure, (void)png;
    return refuse(error);
}

KnStatus kn_child_start(const char *command, KnChild **child, KnError *error)
{
    (void)command;
    *child = NULL;
    return refuse(error);
}

void kn_child_end(KnChild *child) { (void)child; }

KnStatus kn_child_log(KnChild *child, const char *path, KnError *error)
{
    (void)child, (void)path;
    return refuse(error);
}

double kn_child_cpu_seconds(const KnChild *child) { return (void)child, 0; }

KnStatus kn_child_write(KnChild *child, const char *line, double seconds, KnError *error)
{
    (void)child, (void)line, (void)seconds;
    return refuse(error);
}

KnStatus kn_child_read(KnChild *child, double seconds, const atomic_bool *cancel, KnText *line,
                       KnError *error)
{
    (void)child, (void)seconds, (void)cancel, (void)line;
    return refuse(error);
}

void kn_web_unlisten(KnWeb *web) { (void)web; }
