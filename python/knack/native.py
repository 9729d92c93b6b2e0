"""The shared library behind the package: finding it, its functions, its errors, and text for it."""
from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import threading
from typing import Any, Callable, List, Optional

__all__ = ["Error", "Handle", "library", "version"]

_INTERFACE = 1

# Callbacks of players (<knack/capi.h>): ctypes takes Python's lock around them.
CHOOSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
END = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_double), ctypes.c_int)


class Error(Exception):
    """The library's message, with its `status`.

    1 the answer is no, 2 usage, 3 bad input, 4 the system failed, 5 stopped, 6 a player broke the rules."""

    def __init__(self, message: str, status: int = 3):
        super().__init__(message)
        self.status = status


def candidates() -> List[str]:
    """Where the library may be, the first choice first."""
    named = os.environ.get("KNACK_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [here] + [os.path.join(here, up, folder) for up in ("..", "../..", "../../..")
                        for folder in ("lib", "lib64", "build", "lib/x86_64-linux-gnu")]
    paths = [os.path.join(folder, name) for folder in folders for name in ("libknack.so.0", "libknack.so")]
    return [path for path in paths if os.path.exists(path)] or [ctypes.util.find_library("knack") or "libknack.so.0"]


def _load() -> Any:
    path = candidates()[0]
    try:
        found = ctypes.CDLL(path)
        interface = found.kn_capi_interface()
    except (OSError, AttributeError) as problem:
        raise ImportError(f"libknack cannot be used ({problem}); build it with make, "
                          "or set $KNACK_LIBRARY to its path") from None
    if interface != _INTERFACE:
        raise ImportError(f"{path} has version {interface} of the C API, and this module needs version {_INTERFACE}")
    text, handle, number = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int
    answer = ctypes.c_void_p  # a text that must be given back: ctypes would lose the pointer of a c_char_p
    for name, result, arguments in [
            ("kn_version", text, []),
            ("kn_capi_open", handle, [text, text, ctypes.c_size_t]),
            ("kn_capi_close", None, [handle]),
            ("kn_capi_free", None, [answer]),
            ("kn_capi_error", text, [handle]),
            ("kn_capi_status", number, [handle]),
            ("kn_capi_cancel", None, [handle]),
            ("kn_capi_plugin", number, [handle, text]),
            ("kn_capi_list", answer, [handle, text]),
            ("kn_capi_game", handle, [handle, text, text]),
            ("kn_capi_game_close", None, [handle]),
            ("kn_capi_state", answer, [handle]),
            ("kn_capi_play", number, [handle, text]),
            ("kn_capi_undo", number, [handle]),
            ("kn_capi_ask", answer, [handle, text, text]),
            ("kn_capi_layout", answer, [handle]),
            ("kn_capi_review", answer, [handle, text]),
            ("kn_capi_lab", answer, [handle, text]),
            ("kn_capi_match", answer, [handle, text]),
            ("kn_capi_tournament", answer, [handle, text]),
            ("kn_capi_train", answer, [handle, text]),
            ("kn_capi_runs", answer, [handle]),
            ("kn_capi_run", answer, [handle, text, text]),
            ("kn_capi_player", number, [handle, text, CHOOSE, END, handle]),
            ("kn_capi_batch", handle, [handle, text, number]),
            ("kn_capi_batch_close", None, [handle]),
            ("kn_capi_batch_about", answer, [handle]),
            ("kn_capi_batch_reset", None, [handle, handle]),
            ("kn_capi_batch_step", number, [handle, handle]),
            ("kn_capi_batch_read", None, [handle, handle, handle, handle, handle]),
            ("kn_capi_batch_moves", answer, [handle, number])]:
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


library = _load()


def version() -> str:
    """The version of the library."""
    return str(library.kn_version().decode())


def as_bytes(value: Any) -> Optional[bytes]:
    """Text for the library, or None. What is no text, or holds a NUL that would cut it, never reaches C."""
    if value is None:
        return None
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"expected text, not {type(value).__name__}")
    found = os.fspath(value)
    found = found if isinstance(found, bytes) else found.encode("utf-8", "surrogateescape")
    if b"\0" in found:
        raise ValueError("text for the library cannot hold a NUL character")
    return found


def as_word(value: Any) -> bytes:
    """Text that must be there."""
    found = as_bytes(value)
    if found is None:
        raise TypeError("expected text, not None")
    return found


def as_plan(plan: Any) -> bytes:
    """A plan as JSON. NaN and infinities are no JSON, and a seed that no signed number of 64 bits can be is written as text."""
    try:
        if isinstance(plan, dict) and isinstance(plan.get("seed"), int) and 2 ** 63 <= plan["seed"] < 2 ** 64:
            plan = {**plan, "seed": str(plan["seed"])}
        return json.dumps(plan, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as problem:
        raise Error(f"this plan cannot be written down: {problem}", 2) from None


def run_apart(work: Callable[[], None], stop: Callable[[], None]) -> Optional[BaseException]:
    """Runs a call in a thread of its own and waits for it. The first Ctrl-C (or what else a signal raises) stops the call and
    is returned when it has ended; the second one leaves without waiting."""
    done = threading.Event()

    def all_of_it() -> None:
        try:
            work()
        finally:
            done.set()

    thread = threading.Thread(target=all_of_it, daemon=True)
    try:
        thread.start()
        while not done.wait(0.1):
            pass
        return None
    except BaseException as problem:
        if thread.ident is not None:
            stop()
            done.wait()
        return problem


class Handle:
    """Something of the library that is open until close() or the end of a `with`."""

    _handle: Optional[int] = None
    _users = 0  # long calls in progress

    def close(self) -> None:
        """Gives back what it holds; it cannot be used afterwards."""
        raise NotImplementedError

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except BaseException:  # the interpreter is ending, or the call that uses it was left alone
            pass

    def _alive(self) -> int:
        if not self._handle:
            raise Error(f"this {type(self).__name__} is closed", 2)
        return self._handle

    def _free(self) -> int:
        """The handle, for a change that no call in progress may see."""
        handle = self._alive()
        if self._users:
            raise Error(f"this {type(self).__name__} is in use: wait for the call in progress", 2)
        return handle
