#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gateway killed in the middle of a chat: the same TempMessageID gives the same MessageID, the desk finds the session,
and the start limit that ran out meanwhile fires, once.

  restart_chat.py --daybook PATH
"""
import os

import chat_crash
from centre import arguments, run


def main(options, folder):
    chat_crash.main(os.path.abspath(options.daybook), os.path.join(folder, "ledger"))
    print("killed mid-chat: same ids for the same messages, session found, start limit fired once")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
