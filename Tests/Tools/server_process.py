# SPDX-License-Identifier: Apache-2.0
"""Processes of real servers that a test starts on the loopback: as nobody where the test is root, each in a session of its own.

The kernel kills them when the test ends, however it ends.
"""

import ctypes
import fcntl
import os
import pwd
import queue
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading

from centre import DEADLINE, SKIPPED, Failed, Skipped, hold, skip

NOBODY = 65534
CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def tested_by_itself(test):
    """Runs a server's own test and ends the process: 0 holds, 1 does not, 77 could not look."""
    try:
        test()
    except Skipped as skipped:
        print(f"skipped: {skipped}")
        raise SystemExit(SKIPPED) from None
    except (Failed, TimeoutError) as failed:
        raise SystemExit(f"FAILED: {failed}") from None


def demand(*programs):
    """Skips the test where one of the programs is not installed."""
    for program in programs:
        if not find(program):
            skip(f"{program} is not installed")


def find(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/bin")


def server_user():
    """The user that servers run as."""
    return pwd.getpwuid(NOBODY if os.geteuid() == 0 else os.geteuid())


def make_folder(name):
    """A temporary folder that belongs to the servers' user. Its parents must let that user in, as /tmp does and a folder of `mkdtemp` does not."""
    folder = tempfile.mkdtemp(prefix=f"daybook-{name}-")
    give(folder)
    return folder


def give(path):
    """Makes the servers' user the owner of a file or folder."""
    if os.geteuid() == 0:
        os.chown(path, server_user().pw_uid, server_user().pw_gid)


class WorkThread:
    """A thread that runs functions for others and lives until `end`.

    A process dies with the *thread* that started it (`--pdeathsig`), so servers are started from one of these. With `own_network` the thread, the sockets it
    makes and the processes it starts are in a network namespace of their own, of which only the loopback exists; it goes when the last of them is gone.
    """

    def __init__(self, own_network=False):
        self.work, self.own_network = queue.SimpleQueue(), own_network
        threading.Thread(target=self._run, daemon=True).start()
        try:
            self.run(self._enter)
        except PermissionError:
            self.end()
            skip("a network namespace needs CAP_SYS_ADMIN and CAP_NET_ADMIN: run as root")

    def run(self, function, *arguments):
        """Runs a function on the thread; returns or raises what it does."""
        answer = queue.SimpleQueue()
        self.work.put((function, arguments, answer))
        value, error = answer.get()
        if error:
            raise error
        return value

    def end(self):
        self.work.put(None)

    def _run(self):
        while (work := self.work.get()) is not None:
            function, arguments, answer = work
            try:
                answer.put((function(*arguments), None))
            except BaseException as error:  # raised again where it was asked for
                answer.put((None, error))

    def _enter(self):
        if not self.own_network:
            return
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        with socket.socket() as any_socket:
            flags, = struct.unpack("16xh14x", fcntl.ioctl(any_socket, SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0)))
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


class ServerProcess:
    """One server in the foreground, started from `thread`; its output goes to the file `output`. `stdin` and `environment` are for those that need one."""

    def __init__(self, thread, command, folder, output, stdin=subprocess.DEVNULL, environment=None):
        self.name, self.output = os.path.basename(command[0]), output
        drop = ["--reuid", str(NOBODY), "--regid", str(server_user().pw_gid), "--clear-groups"] if os.geteuid() == 0 else []
        with open(output, "ab") as file:
            self.process = thread.run(lambda: subprocess.Popen(
                [find("setpriv"), "--nnp", "--pdeathsig", "KILL", *drop, find(command[0]), *command[1:]], cwd=folder, stdin=stdin, stdout=file,
                stderr=subprocess.STDOUT, start_new_session=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", **(environment or {})}))

    def alive(self):
        """True; raises with the last of its output where the server has ended."""
        hold(self.process.poll() is None, f"{self.name} ended with {self.process.returncode}: {tail(self.output)}")
        return True

    def kill(self):
        """SIGKILL for the server and its children, of whatever group."""
        members = self._session()
        for process in members:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait(DEADLINE)

    def stop(self):
        """SIGTERM, the server's own ending, and the end of what it left."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                pass
        self.kill()

    def _session(self):
        """The ids of all living processes of the session, the server first, so that it starts no more."""
        found = []
        for entry in os.listdir("/proc"):
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except (OSError, ValueError):
                continue
            if entry.isdigit() and int(fields[3]) == self.process.pid and fields[0] != "Z":
                found.append(int(entry))
        return sorted(found, key=lambda process: process != self.process.pid)


def tail(path, count=2000):
    """The last of a file, for messages."""
    try:
        with open(path, "rb") as file:
            return file.read()[-count:].decode(errors="replace")
    except FileNotFoundError:
        return ""
