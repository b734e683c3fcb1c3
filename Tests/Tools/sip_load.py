#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many texts at once from eight trunks, sent by sipp with the product's limits on: by UDP, TCP and TLS, with datagrams lost; each is in the export once. OPTIONS and CANCEL beside.

  sip_load.py --daybook PATH [--messages 4000] [--rate 500] [--seconds 10]

Told is how long answers took and what the gateway used; only a message that is lost or doubled, and a request without its answer, fails. Ends with 77 where sipp or socat is missing.
"""

import collections
import contextlib
import csv
import glob
import os
import re
import subprocess
import time

from centre import Centre, arguments, hold, kept_port, run
from daybook import until
from server_process import demand, find, tail
from sip_phone import Phone, sip_port

TRUNKS = [f"127.0.0.{number}" for number in range(11, 19)]
# Named last: when it is known, all are. From an address of its own, so that nothing comes from the others before.
LAST_TRUNK = "127.0.0.19"
# Callers of a trunk and a run: each may send a burst of 60.
CALLERS = 25
# Messages of a trunk without an answer at once: a slow machine is waited for.
OPEN_MAX = 25
# After so long sipp gives a message up; it repeats it by UDP before.
WAIT_MILLISECONDS = 32_000
LOST_PERCENT, LOST_MESSAGES = 20, 160

MESSAGE = """<scenario name="text"><send retrans="500" start_rtd="1"><![CDATA[

MESSAGE sip:[service]@localhost:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
From: <sip:[field0]@[local_ip]:[local_port]>;tag=[pid]c[call_number]
To: <sip:[service]@localhost:[remote_port]>
P-Asserted-Identity: <sip:[field0]@trunk.example;user=phone>
Call-ID: [call_id]
CSeq: 1 MESSAGE
Max-Forwards: 70
Geolocation: <cid:loc@caller.example>
Content-Type: multipart/mixed;boundary=b1
Content-Length: [len]

--b1
Content-Type: text/plain;charset=UTF-8

text [call_number]
--b1
Content-Type: application/pidf+xml
Content-ID: <loc@caller.example>

<presence xmlns="urn:ietf:params:xml:ns:pidf" entity="pres:a@b"><tuple id="t"><status><gp:geopriv xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10"><gp:location-info><gml:Point xmlns:gml="http://www.opengis.net/gml" srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>52.5163 13.3777</gml:pos></gml:Point></gp:location-info></gp:geopriv></status></tuple></presence>
--b1--
]]></send>
<recv response="100" optional="true"/><recv response="200" rtd="1" timeout="{wait}"/></scenario>
"""

OPTIONS = """<scenario name="options"><send retrans="500" start_rtd="1"><![CDATA[

OPTIONS sip:[service]@localhost:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
From: <sip:[field0]@[local_ip]:[local_port]>;tag=[pid]c[call_number]
To: <sip:[service]@localhost:[remote_port]>
Call-ID: [call_id]
CSeq: 1 OPTIONS
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="200" rtd="1" timeout="{wait}"/></scenario>
"""

# A call is refused at once, so that its CANCEL finds it answered, or its transaction over (RFC 3261 §9.2).
CANCEL = """<scenario name="cancel"><send retrans="500" start_rtd="1"><![CDATA[

INVITE sip:[service]@localhost:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=z9hG4bK[pid]-[call_number];rport
From: <sip:[field0]@[local_ip]:[local_port]>;tag=[pid]c[call_number]
To: <sip:[service]@localhost:[remote_port]>
P-Asserted-Identity: <sip:[field0]@trunk.example;user=phone>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:[field0]@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio 4000 RTP/AVP 0

]]></send>
<recv response="100" optional="true"/><recv response="488" rtd="1" timeout="{wait}"/>
<send><![CDATA[

ACK sip:[service]@localhost:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=z9hG4bK[pid]-[call_number];rport
From: <sip:[field0]@[local_ip]:[local_port]>;tag=[pid]c[call_number]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
<send retrans="500"><![CDATA[

CANCEL sip:[service]@localhost:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=z9hG4bK[pid]-[call_number];rport
From: <sip:[field0]@[local_ip]:[local_port]>;tag=[pid]c[call_number]
To: <sip:[service]@localhost:[remote_port]>
Call-ID: [call_id]
CSeq: 1 CANCEL
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="481" optional="true" next="1"/><recv response="200" timeout="{wait}"/><label id="1"/></scenario>
"""


def main(options, folder):
    demand("sipp", "socat", "setpriv")
    port, tls_port = sip_port(["127.0.0.1", *TRUNKS]), sip_port()
    centre = Centre(options.daybook, folder, with_tls=True, options=["--sip", f"127.0.0.1:{port}", "--sip-tls", f"127.0.0.1:{tls_port}", "--start-limit", "3600"]).open()
    load = Load(centre, folder, port, tls_port)
    load.names_trunks()
    for transport in ("udp", "tcp", "tls"):
        load.texts(transport, options.messages, options.rate)
    load.texts("udp", LOST_MESSAGES, options.rate, LOST_PERCENT)
    load.asks("OPTIONS", OPTIONS, options.seconds)
    load.asks("CANCEL", CANCEL, options.seconds)
    centre.stop()
    centre.verify()


class Load:
    def __init__(self, centre, folder, port, tls_port):
        self.centre, self.folder, self.port, self.tls_port, self.runs = centre, folder, port, tls_port, 0

    def names_trunks(self):
        for host in (*TRUNKS, LAST_TRUNK):
            name = host.replace(".", "-")
            named = self.centre.admin.put(f"/v1/trunks/{name}", {"name": name, "host": host, "isOn": True})
            hold(named.ok, f"naming a trunk: {named}")
        with Phone(self.port, "+447700900001", host=LAST_TRUNK) as phone:
            until(lambda: phone.message("are trunks named?").deliver().status == 200 and self.received()[-1]["data"].get("trunk"), "the sockets know the trunks")

    def received(self):
        return [entry for entry in self.centre.entries() if entry["type"] == "sip.message_received/1"]

    def texts(self, transport, messages, rate, lost=0):
        """Texts from all trunks at once: each is there once."""
        before = len(self.received())
        used = self.used()
        begun = time.monotonic()
        told = self.plays(MESSAGE, transport, messages // len(TRUNKS), rate, lost)
        seconds = time.monotonic() - begun
        entries = self.received()[before:]
        name = f"{len(entries)} texts by {transport}" + (f" with {lost} % of all datagrams lost" if lost else "")
        doubled = [text for text, count in collections.Counter(self.texts_of(entries)).items() if count > 1]
        hold(not doubled and len(entries) <= told.sent, f"{len(doubled)} of {name} are doubled: {doubled[:3]}")
        hold(len(entries) == told.answered == told.sent, f"{name}: {told.sent} were sent, {told.answered} were answered with 200; {told.words}")
        print(f"{name}: {seconds:.1f} s, {told}; {self.between(used)}", flush=True)

    def texts_of(self, entries):
        """What the repetition of a message has in common with it, of the messages that these entries name."""
        named = {entry["data"]["message"] for entry in entries}
        return [entry["data"]["temporaryID"] for entry in self.centre.entries() if entry["type"] == "chat.message_sent/1" and entry["data"]["message"] in named]

    def asks(self, name, scenario, seconds, rate=200):
        used = self.used()
        told = self.plays(scenario, "udp", rate * seconds // len(TRUNKS), rate)
        hold(told.answered == told.sent, f"{name}: {told.sent} were sent, {told.answered} were answered; {told.words}")
        print(f"{name} at {rate}/s: {told}; {self.between(used)}", flush=True)

    # MARK: sipp

    def plays(self, scenario, transport, calls, rate, lost=0):
        """A sipp of each trunk, all at once."""
        self.runs += 1
        with contextlib.ExitStack() as stack:
            sipps = []
            for number, host in enumerate(TRUNKS):
                folder = os.path.join(self.folder, f"sipp-{self.runs}-{number}")
                os.mkdir(folder)
                gate = self.tunnel(stack, host) if transport == "tls" else self.port
                sipps.append(Sipp(folder, scenario, self.callers(number), host, gate, transport, calls, rate, lost))
            return Told([sipp.ended() for sipp in sipps])

    def callers(self, trunk):
        first = (self.runs * len(TRUNKS) + trunk) * CALLERS
        return [f"+4477008{number:05}" for number in range(first, first + CALLERS)]

    def tunnel(self, stack, host):
        """sipp of Debian has no TLS: socat has it, from the trunk's address."""
        port = kept_port()
        process = subprocess.Popen([find("setpriv"), "--pdeathsig", "KILL", find("socat"), "-b", "65536", f"TCP-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr,nodelay",
                                    f"OPENSSL:127.0.0.1:{self.tls_port},bind={host},cafile={self.centre.tls_files[0]},nodelay"], stdin=subprocess.DEVNULL)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        until(lambda: listens(port), "socat listens")
        return port

    # MARK: The gateway

    def used(self):
        """Seconds of the processor, and MiB of memory."""
        pid = self.centre.gateway.process.pid
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/status") as file:
            memory = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), memory

    def between(self, before):
        after = self.used()
        return f"the gateway took {after[0] - before[0]:.1f} s of processors and has {after[1]:.0f} MiB, {after[1] - before[1]:+.0f}"


def listens(port):
    """Without connecting, which socat would pass on."""
    with open("/proc/net/tcp") as file:
        return any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A" for line in file.readlines()[1:])


class Sipp:
    """One sipp that calls from `host`."""

    def __init__(self, folder, scenario, callers, host, gate, transport, calls, rate, lost):
        self.folder, self.calls = folder, calls
        for name, text in (("scenario.xml", f'<?xml version="1.0"?>\n{scenario}'.replace("{wait}", str(WAIT_MILLISECONDS))), ("callers.csv", "SEQUENTIAL\n" + "".join(f"{one}\n" for one in callers))):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        # Each of the trunks has its part of the rate.
        command = ["sipp", "-sf", "scenario.xml", "-inf", "callers.csv", "-s", "sos", f"127.0.0.1:{gate}", "-t", "u1" if transport == "udp" else "t1", "-i", host, "-p", str(sip_port([host])),
                   "-m", str(calls), "-r", str(rate), "-rp", str(1000 * len(TRUNKS)), "-l", str(OPEN_MAX), "-nostdin", "-trace_err", "-trace_stat", "-trace_rtt", "-rtt_freq", "1",
                   "-timeout", str(60 + WAIT_MILLISECONDS // 1000), *(["-lost", str(lost)] if lost else [])]
        with open(os.path.join(folder, "output"), "wb") as output:
            self.process = subprocess.Popen([find("setpriv"), "--pdeathsig", "KILL", *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def ended(self):
        self.process.wait()
        return self

    def read(self, kind):
        """The rows of one of its files of numbers."""
        path, = glob.glob(os.path.join(self.folder, f"scenario_*{kind}.csv"))
        with open(path) as file:
            return list(csv.DictReader(file, delimiter=";"))

    @property
    def errors(self):
        return "".join(tail(path) for path in glob.glob(os.path.join(self.folder, "*errors.log"))) or tail(os.path.join(self.folder, "output"), 400)


class Told:
    """What several of sipp say together."""

    def __init__(self, sipps):
        last = [sipp.read("_")[-1] for sipp in sipps]
        self.sent = sum(sipp.calls for sipp in sipps)
        self.answered, self.repeated = (sum(int(row[name]) for row in last) for name in ("SuccessfulCall(C)", "Retransmissions(C)"))
        self.times = sorted(float(row["response_time_ms"]) for sipp in sipps for row in sipp.read("rtt"))
        self.words = next((sipp.errors for sipp, row in zip(sipps, last) if int(row["SuccessfulCall(C)"]) < sipp.calls), "")[-1500:]

    def __str__(self):
        at = lambda percent: self.times[min(len(self.times) - 1, len(self.times) * percent // 100)] if self.times else 0
        slow = sum(1 for one in self.times if one > 4000)
        return f"{self.answered} of {self.sent} answered, p50 {at(50):.0f} ms, p99 {at(99):.0f} ms, longest {at(100):.0f} ms, {slow} after 4 s, {self.repeated} repeated"


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--messages", type=int, default=4000, help="of each transport")
    parser.add_argument("--rate", type=int, default=500, help="texts a second, of all trunks together")
    parser.add_argument("--seconds", type=int, default=10, help="of OPTIONS and of CANCEL, at 200 a second")
    run(main, parser.parse_args())
