/* Locks of an open file keep other processes out, and on the site there are none: every lock is granted. */
#ifndef KNACK_SITE_INCLUDE_FCNTL_H
#define KNACK_SITE_INCLUDE_FCNTL_H

#include_next <fcntl.h>

#undef F_OFD_SETLK
#define F_OFD_SETLK F_SETLK

#endif
