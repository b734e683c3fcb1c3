#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Telephones of others text: PJSIP (pjsua2), linphone and baresip, by UDP, TCP and TLS, directly and through Kamailio. Each text is there once, the operator's answer is shown by the
telephone, and one that is gone is told as failed. Pictures go by the telephone of the tests, also through Kamailio: of the others only their own servers' links could be sent.

  sip_peers.py --daybook PATH [--only PEER]

Skipped is what is not installed; ends with 77 where none of them is. PJSIP is looked for in `.build/pjsip`, a virtual environment with `pjsua2-python` from PyPI, and beside this Python.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading

from centre import Centre, arguments, hold, run, skip
from daybook import until
from server_process import ServerProcess, WorkThread, find, give, make_folder, tail
from sip_phone import Phone, pidf, sip_port
from sip_proxy import SipProxy
from text_by_telephone import PICTURE, TextByTelephone

OWN_PYTHON = os.path.join(os.path.dirname(__file__), "..", "..", ".build", "pjsip", "bin", "python3")
TRANSPORTS = ("udp", "tcp", "tls")


def main(options, folder):
    port, tls_port = sip_port(), sip_port()
    centre = Centre(options.daybook, folder, with_tls=True, options=["--sip", f"127.0.0.1:{port}", "--sip-tls", f"127.0.0.1:{tls_port}", "--start-limit", "3600"]).open()
    peers = [peer for peer in (Pjsip, Linphone, Baresip) if options.only in (None, peer.name) and peer.is_there()]
    if not peers:
        skip("neither PJSIP nor linphone nor baresip is installed")
    # All of them come from one address, which a provider's trunk is.
    named = centre.admin.put("/v1/trunks/loopback", {"name": "Loopback", "host": "127.0.0.1", "isOn": True})
    hold(named.ok, f"naming a trunk: {named}")
    conversation = Conversation(centre, port, tls_port)
    for peer in peers:
        for transport in TRANSPORTS:
            conversation.holds(peer, transport, tls_port if transport == "tls" else port)
    if find("kamailio"):
        for onward in TRANSPORTS:
            with SipProxy(tls_port if onward == "tls" else port, onward, centre.tls_files) as proxy:
                for peer in peers:
                    conversation.holds(peer, onward, proxy.tls_port if onward == "tls" else proxy.port, f"Kamailio and {onward}")
                if onward != "udp":
                    conversation.sends_pictures(proxy)
    else:
        print("Kamailio is not installed: nothing goes through it", flush=True)
    conversation.each_text_is_there_once()
    centre.stop()
    centre.verify()


class Conversation(TextByTelephone):
    def holds(self, peer, transport, gate, way="itself"):
        """One telephone texts, is answered, and goes."""
        self.count += 1
        print(f"{peer.name} by {transport} through {way}", flush=True)
        text, answer = f"Hilfe, größer {self.count}", f"Wir kommen, größer {self.count}"
        with peer(f"+4477009{self.count:05}", transport, gate, self.centre.tls_files[0]) as phone:
            session = self.claims(self.arrives(lambda: self.says(phone, text), text))
            self.shows(session, number=phone.number, method="MESSAGE", transport=transport)
            hold([one["text"] for one in self.transcript(session)] == [text], f"the transcript has {self.transcript(session)}")
            message = self.replies(session, answer)
            self.becomes(session, message, "delivered")
            until(lambda: answer in phone.heard(), f"{peer.name} shows the answer; it printed {phone.heard()[-600:]}")
            phone.kill()
            message = self.replies(session, "still there?")
            self.becomes(session, message, "failed")
            self.closes(session)

    def says(self, phone, text):
        before = len(self.received())
        phone.say(text)
        until(lambda: len(self.received()) > before, f"{phone.name}'s text is in the ledger; it printed {phone.heard()[-600:]}")

    def sends_pictures(self, proxy):
        with open(PICTURE, "rb") as file:
            picture = file.read()
        self.count += 1
        with Phone(proxy.port, f"+4477009{self.count:05}", "tcp") as phone:
            print("a picture by tcp through Kamailio", flush=True)
            sent = phone.located("with a picture", pidf(52.5, 13.4, 10), [("image/png", picture)])
            session = self.claims(self.arrives(lambda: self.taken(sent), "with a picture"))
            self.stands_at(session, 52.5, 13.4, 10)
            shown = self.desk.get(f"/v1/sessions/{session}/pictures/{self.transcript(session)[1]['id']}")
            hold(shown.body == picture, f"a picture of {len(picture)} bytes comes back as {len(shown.body)}")
            self.closes(session)


class Peer:
    """A telephone of others for the gate 127.0.0.1:`gate`, of which `authority` is the certificate; `name` is what it is called."""

    def __init__(self, number, transport, gate, authority):
        self.number, self.transport, self.gate, self.authority = number, transport, gate, authority
        self.folder, self.port = make_folder("phone"), sip_port()
        self.thread, self.process = WorkThread(), None
        self.trusted = give_copy(authority, self.folder)

    def __enter__(self):
        try:
            self.start()
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        with contextlib.suppress(AttributeError):
            self.kill()
        self.thread.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        give(path)
        return path

    def serve(self, *command, **more):
        """Starts it as nobody, with its output a line at a time."""
        self.process = ServerProcess(self.thread, ["stdbuf", "-oL", *command], self.folder, f"{self.folder}/output", environment={"HOME": self.folder}, **more)

    def heard(self):
        return tail(f"{self.folder}/output", 1 << 20)

    def kill(self):
        """SIGKILL: the telephone is gone without a word."""
        self.process.kill()


class Pjsip(Peer):
    name = "PJSIP"

    @classmethod
    def python(cls):
        for path in (OWN_PYTHON, sys.executable):
            if os.path.exists(path) and subprocess.run([path, "-c", "import pjsua2"], capture_output=True).returncode == 0:
                return path
        return None

    @classmethod
    def is_there(cls):
        return cls.python() or print("PJSIP is not installed: python3 -m venv .build/pjsip && .build/pjsip/bin/pip install pjsua2-python", flush=True)

    def start(self):
        script = os.path.join(os.path.dirname(__file__), "pjsip_phone.py")
        command = [self.python(), script, self.transport, f"sip:{self.number}@127.0.0.1", f"sip:sos@127.0.0.1:{self.gate};transport={self.transport}", self.authority]
        self.lines = []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()
        until(lambda: '"ready"' in self.heard(), "PJSIP is ready")

    def say(self, text):
        self.process.stdin.write(json.dumps({"text": text}) + "\n")
        self.process.stdin.flush()
        until(lambda: '{"status": 200}' in self.heard(), "PJSIP has its answer")

    def heard(self):
        return "".join(json.dumps(json.loads(line), ensure_ascii=False) if line.startswith("{") else line for line in list(self.lines))

    def kill(self):
        self.process.kill()
        self.process.wait()


class Linphone(Peer):
    name = "linphone"

    @classmethod
    def is_there(cls):
        return find("linphonec") or print("linphone is not installed", flush=True)

    def start(self):
        # Its TLS knows names alone.
        gate = f"sip:{'localhost' if self.transport == 'tls' else '127.0.0.1'}:{self.gate};transport={self.transport}"
        ports = "".join(f"{name}={self.port if transport == self.transport else 0}\n" for transport, name in (("udp", "sip_port"), ("tcp", "sip_tcp_port"), ("tls", "sip_tls_port")))
        os.makedirs(f"{self.folder}/.local/share/linphone")
        for path in (".local", ".local/share", ".local/share/linphone"):
            give(f"{self.folder}/{path}")
        path = self.write("linphonerc", f"[sip]\n{ports}default_proxy=0\nroot_ca={self.trusted}\n[net]\nenable_ipv6=0\n[proxy_0]\nreg_proxy=<{gate}>\nreg_route=<{gate};lr>\n"
                          f"reg_identity=sip:{self.number}@localhost\nreg_sendregister=0\n")
        reader, self.stdin = os.pipe()
        self.serve("linphonec", "-c", path, stdin=reader)
        os.close(reader)
        until(lambda: "linphonec>" in self.heard(), f"linphone is ready; it printed {self.heard()}")

    def say(self, text):
        os.write(self.stdin, f"chat sip:sos@localhost {text}\n".encode())

    def kill(self):
        super().kill()
        with contextlib.suppress(OSError):
            os.close(self.stdin)


class Baresip(Peer):
    name = "baresip"

    @classmethod
    def is_there(cls):
        return find("baresip") or print("baresip is not installed", flush=True)

    def start(self):
        modules = next(folder for folder in ("/usr/lib/baresip/modules", "/usr/lib/x86_64-linux-gnu/baresip/modules") if os.path.isdir(folder))
        control = sip_port()
        self.write("config", f"module_path {modules}\nmodule uuid.so\nmodule_app account.so\nmodule_app menu.so\nmodule_app contact.so\nmodule_app ctrl_tcp.so\n"
                   f"ctrl_tcp_listen 127.0.0.1:{control}\nsip_listen 127.0.0.1:{self.port}\nsip_cafile {self.trusted}\nnet_interface 127.0.0.1\n")
        # A text to a contact would go by UDP.
        self.write("accounts", f'<sip:{self.number}@127.0.0.1;transport={self.transport}>;regint=0;outbound="sip:127.0.0.1:{self.gate};transport={self.transport}"\n')
        self.write("contacts", f'"Gate" <sip:sos@127.0.0.1:{self.gate};transport={self.transport}>\n')
        self.serve("baresip", "-f", self.folder, "-v", "-s")
        self.control = until(lambda: self.connected(control), "baresip's control is there")
        self.asks("contact_next")

    def connected(self, port):
        self.process.alive()
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            return None

    def asks(self, command, words=""):
        asked = json.dumps({"command": command, "params": words}, ensure_ascii=False).encode()
        self.control.sendall(b"%d:%s," % (len(asked), asked))

    def say(self, text):
        self.asks("message", text)

    def kill(self):
        super().kill()
        self.control.close()


def give_copy(path, folder):
    copied = shutil.copy(path, folder)
    give(copied)
    return copied


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--only", choices=[peer.name for peer in (Pjsip, Linphone, Baresip)], help="of the telephones, this one alone")
    run(main, parser.parse_args())
