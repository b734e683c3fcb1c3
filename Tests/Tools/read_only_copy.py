#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`timeline` and `verify` on a read-only copy of the folder, as another user, with no server and no keys.

  read_only_copy.py --daybook PATH

As root it runs them as the user nobody, or as a root without its powers where nobody reaches no program because `/` is closed
to others; otherwise as oneself, on files without the right to write.
"""
import json
import os
import pwd
import shutil
import subprocess
import tempfile

import film
from centre import Centre, arguments, hold, run

SECRET = "the man has a heart attack"


def copied(folder, place):
    """A copy without keys and accounts that nobody may write to."""
    copy = os.path.join(place, "copy")
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("keys*", "accounts*", "*.key"))
    for path, folders, files in os.walk(copy):
        os.chmod(path, 0o555)
        for name in files:
            os.chmod(os.path.join(path, name), 0o444)
    return copy


def powerless():
    """What runs a program as somebody to whom the permissions of files apply."""
    if os.geteuid() != 0:
        return []
    nobody = pwd.getpwnam("nobody")
    other = ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
    reaches = subprocess.run([*other, "/bin/true"], capture_output=True).returncode == 0
    return other if reaches else ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def as_another(program, copy, *words):
    """Runs a subcommand as another, if we may, with an empty environment."""
    return subprocess.run([*powerless(), program, *words, "--data", copy], capture_output=True, text=True,
                          cwd="/", env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})


def snapshot(copy):
    """Names, sizes and times of all files: nothing may change."""
    return sorted((path, name, os.stat(os.path.join(path, name)).st_size, os.stat(os.path.join(path, name)).st_mtime_ns)
                  for path, _, files in os.walk(copy) for name in files)


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    caller = centre.caller(desk)
    chat, session = centre.chat(caller)
    hold(caller.post(f"/v1/sessions/{session}/messages", {"text": SECRET}).status == 201, "the message was refused")
    hold(desk.post(f"/v1/sessions/{session}/claim").ok, "the claim was refused")
    film.film(caller, session)
    incident = desk.get(f"/v1/sessions/{session}").json["session"]["incident"]
    centre.stop()
    with tempfile.TemporaryDirectory(prefix="daybook-copy-") as place:
        os.chmod(place, 0o755)
        # The executable must be reachable for others, too.
        program = shutil.copy(options.daybook, os.path.join(place, "daybook"))
        os.chmod(program, 0o755)
        copy = copied(centre.folder, place)
        before = snapshot(copy)
        timeline = as_another(program, copy, "timeline", incident, "--json")
        hold(timeline.returncode == 0, f"timeline ended with {timeline.returncode}: {timeline.stderr}")
        hold(SECRET not in timeline.stdout, "the timeline shows a sealed text without the key")
        told = json.loads(timeline.stdout)
        text = as_another(program, copy, "timeline", incident)
        hold(text.returncode == 0 and "sealed" in text.stdout.lower(), f"the timeline shows nothing as sealed: {text.stdout[:800]}")
        verify = as_another(program, copy, "verify", "--without", "keys", "--without", "accounts")
        hold("followed the links" in verify.stdout, f"verify does not say that it compared no read model: {verify.stdout}")
        hold(verify.returncode == 0, f"verify ended with {verify.returncode}: {verify.stdout}{verify.stderr}")
        hold(snapshot(copy) == before, "the copy was changed")
        for path, folders, _ in os.walk(copy):
            os.chmod(path, 0o755)
    count = len(told["entries"]) if isinstance(told, dict) and "entries" in told else len(told)
    print(f"timeline of {count} entries and verify on a read-only copy, without keys: sealed stays sealed, sound")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
