# SPDX-License-Identifier: Apache-2.0
"""What a demo sends to: a mail server and a message centre of its own, on this machine, so that messages are seen to arrive and nobody is written to."""

import http.server
import socketserver
import threading
import urllib.parse
import urllib.request


class Outside:
    """Takes e-mail on `mail_port` and SMS on `sms_port` of 127.0.0.1, and keeps what came: `mails` and `texts`, pairs of recipient and what was said."""

    def __init__(self):
        self.mails, self.texts = [], []
        self.mail = _Mail(("127.0.0.1", 0), _MailHandler)
        self.centre = _Centre(("127.0.0.1", 0), _CentreHandler)
        self.mail.outside = self.centre.outside = self
        self.mail_port, self.sms_port = self.mail.server_address[1], self.centre.server_address[1]
        for server in (self.mail, self.centre):
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def set_up(self, admin, gateway):
        """Tells the gateway at an address of these two."""
        settings = {"isOn": True, "host": "127.0.0.1", "security": "none", "perMinute": 600}
        answers = [admin.put("/v1/senders/email", {**settings, "port": self.mail_port, "from": "centre@demo.example"}),
                   admin.put("/v1/senders/sms", {**settings, "port": self.sms_port, "from": "Daybook", "reportsTo": gateway})]
        return next((answer for answer in answers if not answer.ok), answers[0])

    def end(self):
        for server in (self.mail, self.centre):
            server.shutdown()
            server.server_close()


class _Mail(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


class _MailHandler(socketserver.StreamRequestHandler):
    """As much of RFC 5321 as one message a connection needs."""

    def handle(self):
        recipient = ""
        self.say("220 demo.example ESMTP")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"EHLO":
                self.say("250-demo.example\r\n250 8BITMIME")
            elif word == b"RCPT":
                recipient = line.decode().partition("<")[2].partition(">")[0]
                self.say("250 2.1.5 ok")
            elif word == b"DATA":
                self.say("354 go on")
                said = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.outside.mails.append((recipient, said.decode("utf-8", "replace")))
                self.say(f"250 2.0.0 taken as {len(self.server.outside.mails)}")
            elif word == b"QUIT":
                return self.say("221 2.0.0 bye")
            else:
                self.say("250 2.0.0 ok")

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")


class _Centre(http.server.ThreadingHTTPServer):
    daemon_threads = True


class _CentreHandler(http.server.BaseHTTPRequestHandler):
    """Kannel's `sendsms`; every phone of the demo is in reach at once."""

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        self.server.outside.texts.append((query.get("to"), query.get("text")))
        body = b"0: Accepted for delivery"
        self.send_response(202)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        for kind in ("8", "1") if "dlr-url" in query else ():
            try:
                urllib.request.urlopen(query["dlr-url"].replace("%d", kind).replace("%A", ""), timeout=10).close()
            except OSError:
                return  # the gateway has ended

    def log_message(self, *_):
        pass
