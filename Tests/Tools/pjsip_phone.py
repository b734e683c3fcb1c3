#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A telephone of PJSIP for `sip_peers.py`, in a process of its own: pjsua2 wants the main thread, and is killed to be gone.

  pjsip_phone.py TRANSPORT OWN_URI GATE_URI [AUTHORITY]

Lines of JSON come in, `{"text": …}`, and go out: `{"status": 200}` of what was sent, `{"received": …}`; others are the library's own.
"""

import json
import select
import sys

import pjsua2 as pj


def tell(**what):
    print(json.dumps(what), flush=True)


class Account(pj.Account):
    def onInstantMessage(self, told):
        tell(received=told.msgBody)

    def onInstantMessageStatus(self, told):
        tell(status=told.code)


def main(transport, own, gate, authority=None):
    endpoint = pj.Endpoint()
    endpoint.libCreate()
    settings = pj.EpConfig()
    settings.uaConfig.threadCnt, settings.uaConfig.mainThreadOnly = 0, True
    settings.logConfig.level = settings.logConfig.consoleLevel = 0
    endpoint.libInit(settings)
    wire = pj.TransportConfig()
    wire.boundAddress = "127.0.0.1"
    if authority:
        wire.tlsConfig.CaListFile, wire.tlsConfig.verifyServer = authority, True
    kind = {"udp": pj.PJSIP_TRANSPORT_UDP, "tcp": pj.PJSIP_TRANSPORT_TCP, "tls": pj.PJSIP_TRANSPORT_TLS}[transport]
    endpoint.transportCreate(kind, wire)
    endpoint.libStart()
    endpoint.audDevManager().setNullDev()
    named = pj.AccountConfig()
    named.idUri, named.regConfig.registerOnAdd = own, False
    account = Account()
    account.create(named)
    other = pj.BuddyConfig()
    other.uri, other.subscribe = gate, False
    buddy = pj.Buddy()
    buddy.create(account, other)
    tell(ready=True)
    while True:
        endpoint.libHandleEvents(20)
        while select.select([sys.stdin], [], [], 0)[0]:
            line = sys.stdin.readline()
            if not line:
                return
            words = pj.SendInstantMessageParam()
            words.content, words.contentType = json.loads(line)["text"], "text/plain"
            buddy.sendInstantMessage(words)


main(*sys.argv[1:])
