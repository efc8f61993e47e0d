/* Ctrl-C and the seconds of a program around include/gx.h. */
#ifndef GX_INTERP_HOST_SIGNALS_H
#define GX_INTERP_HOST_SIGNALS_H

#include "include/gx.h"

enum { GX_STATUS_LATE = 124 };

/* Ctrl-C, and the end of the seconds, go to this state from now on; NULL: to none. */
void gx_catch_interrupts(gx_state *s);
/* Has Ctrl-C been pressed, or is the time over? And forgetting the former. */
bool gx_interrupted(void);
void gx_interrupts_forget(void);
/* So many variables are lost when the session is ended now: the third Ctrl-C while one call runs
   asks before it ends it. Below 0: it does not ask. */
void gx_catch_stake(int variables);
/* From now on the process has so many seconds, 0: as many as it wants. When they are over the state
   is asked to stop, and a second later, if it still runs, the process ends; `leave` comes before.
 */
void gx_clock_start(double seconds, void (*leave)(void));
bool gx_clock_is_over(void);
void gx_clock_end(void);
/* Forgets that the time was over: another run begins. */
void gx_clock_forget(void);

#endif
