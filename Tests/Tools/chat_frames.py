#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The source document's chat frames, as literal files, against a gateway started for it.

  chat_frames.py --daybook PATH
"""
import os

import chat_replay
from centre import Centre, arguments, run

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures", "chat")


def main(options, folder):
    centre = Centre(options.daybook, folder).open()
    desk = centre.staff("amina")
    caller = centre.caller(desk)
    chat_replay.main(centre.port, caller.token, desk.token, FIXTURES)
    centre.stop()
    centre.verify()
    print(f"{len(os.listdir(FIXTURES))} literal frames: every answer has the members, order and values of its file")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
