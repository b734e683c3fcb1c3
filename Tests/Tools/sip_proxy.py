# SPDX-License-Identifier: Apache-2.0
"""A real Kamailio on the loopback for the outside tests: between telephones and a gateway, as a provider's proxy stands."""

import shutil
import socket

from daybook import until
from server_process import ServerProcess, WorkThread, demand, give, make_folder
from sip_phone import sip_port

# What comes from the gateway goes to the telephone that texted last by that name, whatever it came by; all else goes to the gateway.
CONFIGURATION = """#!KAMAILIO
debug=2
log_stderror=yes
children=1
tcp_children=1
enable_tls=yes
auto_aliases=no
dns=no
rev_dns=no
udp_mtu=1300
udp_mtu_try_proto=TCP
listen=udp:127.0.0.1:{port}
listen=tcp:127.0.0.1:{port}
listen=tls:127.0.0.1:{tls_port}
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "xlog.so"
loadmodule "htable.so"
loadmodule "tls.so"
modparam("tls", "config", "{folder}/tls.cfg")
modparam("tm", "fr_timer", 8000)
modparam("htable", "htable", "phones=>size=8;autoexpire=3600")
request_route {{
  xlog("L_NOTICE", "$proto:$si:$sp $rm $ru len=$ml\\n");
  if (!mf_process_maxfwd_header("10")) {{ sl_send_reply("483", "Too Many Hops"); exit; }}
  remove_hf("Route");
  if ($sp == {gate_port}) {{
    $du = $sht(phones=>$rU);
    if ($du == $null) {{ sl_send_reply("404", "Not here"); exit; }}
  }} else {{
    $sht(phones=>$fU) = "sip:" + $si + ":" + $sp + ";transport=" + $proto;
    $du = "sip:127.0.0.1:{gate_port};transport={onward}";
  }}
  if (!t_relay()) sl_reply_error();
}}
"""

TLS = """[server:default]
method = TLSv1.2+
verify_certificate = no
private_key = {folder}/key.pem
certificate = {folder}/certificate.pem
[client:default]
method = TLSv1.2+
verify_certificate = yes
require_certificate = yes
ca_list = {folder}/certificate.pem
"""


class SipProxy:
    """Kamailio on 127.0.0.1: `port` by UDP and TCP, `tls_port` by TLS with the certificate and key of `files`; `onward` is how it speaks to the gateway's port.

    As a context manager it starts and at the end is gone with its folder.
    """

    def __init__(self, gate_port, onward, files):
        demand("kamailio", "setpriv")
        self.folder, self.port, self.tls_port = make_folder("proxy"), sip_port(), sip_port()
        self.thread, self.process = WorkThread(), None
        for path, name in zip(files, ("certificate.pem", "key.pem")):
            give(shutil.copy(path, f"{self.folder}/{name}"))
        values = {"folder": self.folder, "port": self.port, "tls_port": self.tls_port, "gate_port": gate_port, "onward": onward}
        for name, text in (("kamailio.cfg", CONFIGURATION), ("tls.cfg", TLS)):
            with open(f"{self.folder}/{name}", "w") as file:
                file.write(text.format(**values))
            give(file.name)

    def __enter__(self):
        try:
            command = ["kamailio", "-w", self.folder, "-Y", self.folder, "-f", f"{self.folder}/kamailio.cfg", "-DD", "-E", "-m", "64", "-M", "8", "-P", f"{self.folder}/pid"]
            self.process = ServerProcess(self.thread, command, self.folder, f"{self.folder}/output")
            until(self._answers, "Kamailio listens")
            return self
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process:
            self.process.stop()
        self.thread.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self):
        with open(f"{self.folder}/output") as file:
            return file.read()

    def _answers(self):
        self.process.alive()
        try:
            # Its processes for TCP start last.
            socket.create_connection(("127.0.0.1", self.tls_port)).close()
            return True
        except OSError:
            return False
