# SPDX-License-Identifier: Apache-2.0
"""The outside programs: what each shows, of which promises, and with which options `make test` and `make campaign` run it.

A row without `test` runs in the campaign only; one without `campaign` there with the same options. `{camera}`, `{media}` and `{history}` are the
executables `daybook-camera`, `daybook-media` and `daybook-history`. Documentation/Testing.md lists these rows by promise.
"""

import dataclasses
import os
import shlex

FOLDER = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Program:
    """A row: one run of a program of this folder."""

    name: str
    shows: str
    promises: tuple = ()
    test: str | None = None
    campaign: str | None = ""
    # The program's file, where one program has several rows.
    file: str | None = None

    @property
    def script(self):
        return os.path.join(FOLDER, f"{self.file or self.name}.py")

    @property
    def is_in_test(self):
        return self.test is not None

    def command(self, products, folder, is_campaign=False, more=()):
        """What is run: `products` has the paths of the executables by name."""
        options = self.campaign if is_campaign and (self.campaign or not self.is_in_test) else self.test
        named = options.format(camera=products["daybook-camera"], media=products["daybook-media"], history=products["daybook-history"])
        return ["python3", self.script, "--daybook", products["daybook"], "--folder", folder, *shlex.split(named), *more]


# In `make test`: what must hold at each change, over processes and pixels.
SMOKE = (
    Program("append_proof", "receipts, export, tiles and signed root agree", (2, 5), "--messages 20", "--messages 200"),
    Program("kill_rounds", "kill -9 loses and doubles nothing", (1, 3), "--rounds 5", "--rounds 50 --seed random"),
    Program("sync_order", "no receipt before the sync of its commit", (1, 9), "--messages 40"),
    Program("claims", "one of many operators gets a session that all claim at once", (4,), "--operators 8", "--operators 50"),
    Program("bad_input", "bad input is refused in words, and nothing else is stored", (10,), ""),
    Program("request_fuzz", "no random request ends the gateway", (10,), "--requests 3000 --people 2", "--requests 100000 --people 70 --seed random"),
    Program("reach", "each route, socket and topic lets in the declared roles alone", (10,), "--few", "--table"),
    Program("holds", "what a court holds is not erased", (7, 10), ""),
    Program("storage", "recordings move between disks and a ledger is backed up while callers film; what is restored has the root, and nobody who was erased since", (1, 5, 7, 9),
            "--streams 4 --recorded browser-320x180", "--streams 20"),
    Program("read_models", "deleted read models come back equal", (6,), "--messages 120"),
    Program("damaged_models", "a damaged read model is rebuilt while the others serve", (6, 10), "--models conversations"),
    Program("read_only_copy", "a read-only copy without keys is replayed and proved", (5, 7), ""),
    Program("bar_codes", "every picture is archived in its place, over kill -9 and parts", (9,), "--media {media}"),
    Program("camera_child", "pictures of cameras become WebM, each in its place, and a camera's faults are told in a word", (9, 10), "--camera {camera}"),
    Program("camera_recording", "cameras are recorded without holes, shown live and back, and their faults told, over kill -9", (1, 5, 9), "--seconds 8", "--mjpeg 4 --rtsp 4 --seconds 600 --kills 3"),
    Program("footage_export", "kept footage is exported with a proof that the files alone carry, and nothing else of the camera is shown", (5, 10), ""),
    Program("door", "certificates are read on SIGHUP, and peers of HTTP/2 have limits", (10,), ""),
    Program("delivery", "alerts leave by a real mail server and message centre, over kill -9", (8,), "", "--alerts 500 --people 100 --kills 6 --seed random"),
    Program("partners", "webhooks lose nothing and keep their order, over kill -9; pushes to staff and the CAP feed arrive", (8,), "", "--events 200 --kills 6 --seed random"),
    Program("text_by_telephone", "texts by telephone are there once, over kill -9, and answers reach the telephone or are told as failed", (1, 3, 10), "", "--rounds 10 --texts 40"),
    Program("trends_check", "trends count what a reader of the export counts", (6,), "--history {history} --events 5000", "--history {history} --events 100000"),
    Program("browser_emergency", "an emergency from signing in to closing, over kill -9 and reloads", (9,), "--media {media}"),
    Program("browser_link", "a one-use link lets an unregistered browser in", (10,), ""),
    Program("browser_admin", "an administrator is asked before what cannot be undone", (7,), ""),
    Program("browser_senders", "an administrator sets up e-mail and SMS from nothing", (8,), ""),
    Program("browser_telephone", "a telephone texts by SIP; answers from the console arrive, or are red and sent again", (), ""),
    Program("browser_quick", "a caller calls for one of three services by a press, chooses the size of words and clears the view", (), ""),
    Program("browser_text", "links and codes go by SMS, and the console shows delivered and opened", (8,), ""),
    Program("browser_duty", "those on duty are called out by a chain, and one press on the link of a message answers", (8,), ""),
    Program("browser_safe", "a citizen alerts contacts by one swipe, for a while without network, once, and they see where the person is until the end", (3, 8), ""),
    Program("browser_report", "a passer-by without an account and for a while without network reports an animal once, and follows the rescue", (3,), ""),
    Program("browser_rescue", "a passer-by's report reaches rescuers, who take it, head out, work without a network and end it", (), ""),
    Program("browser_rescue_whole", "from an empty ledger an administrator sets up an agency without the command line; a passer-by reports by six presses, a rescuer is told and ends it, a visitor sees it", (3, 8), ""),
    Program("browser_wall", "a supervisor sees twenty sessions on one screen, links two and hands one over, and an event of one costs the page no request", (), ""),
    Program("browser_incident", "the videos of two callers of one event stand side by side", (4,), "", "--whole"),
    Program("browser_replay", "an incident is played back as it stood at each moment", (5,), ""),
    Program("browser_pictures", "pictures go both ways, and survive a reload until they are sent", (), ""),
    Program("browser_old", "a phone of four years ago is served", (), ""),
    Program("browser_map", "a map shows where a caller is, without parts of others", (), ""),
)

# In `make campaign` alone: long, dear, or measuring time.
CAMPAIGN = (
    Program("demo", "an incident is played through and proved"),
    Program("edges", "no number or text at its edge ends the gateway, as any role", (10,), campaign="--all-roles"),
    Program("dear_text", "a text costs in proportion to its length", (10,)),
    Program("endings", "a reader falls silent when the right has ended", (10,)),
    Program("held_body", "a body that was held back until a right had ended changes nothing", (10,)),
    Program("doubling", "read models are built in linear time", (6,), campaign="--history {history} --events 50000 --rounds 5"),
    Program("damage", "each kind of damage is named, and nothing forged is signed", (5,)),
    Program("flip", "each flipped bit of a log is found", (5,)),
    Program("recordings", "no forged or altered recording is signed", (5, 9)),
    Program("many_streams", "many streams at once are looked at while they are live", (9,)),
    Program("media_flood", "pictures that are never finished have a limit", (10,)),
    Program("crowd", "a crowd that is silent costs those inside nothing", (10,), campaign="--silent 4096"),
    Program("crowd_tls", "the same crowd over TLS", (10,), campaign="--silent 4096 --tls", file="crowd"),
    Program("strangers", "strangers who invent ids write no history", (10,)),
    Program("latency", "a command over HTTP to its receipt, at 500 a second"),
    Program("operations", "whoever runs a gateway is told how it is"),
    Program("unheard", "faults are told where somebody looks", (10,)),
    Program("disks", "a disk that is not mounted and a file that stays are waited for", (9, 10)),
    Program("moved_folder", "nothing is written into a folder that is no longer the ledger's", (1, 5)),
    Program("little_room", "little disk and few descriptors keep desks in service", (10,)),
    Program("sip_load", "thousands of texts by UDP, TCP and TLS from eight trunks are there once each", (1, 3)),
    Program("sip_peers", "PJSIP, linphone and baresip text and are answered, directly and through Kamailio", ()),
    Program("chat_crash", "a chat goes on after kill -9", (3,)),
    Program("push", "a phone is told by Web Push, once, over kill -9", (8,), campaign="--rounds 4"),
    Program("safety_load", "citizens call for help at the same moment, an hour late and over kill -9, and each contact gets one SMS and one e-mail", (3, 8), campaign="--citizens 100 --contacts 3 --late"),
    Program("clock_steps", "a wrong clock changes neither order nor limits", (2,)),
    Program("replay_model", "the pages' model makes of a timeline what the gateway tells", (), campaign="--acts 120"),
    Program("dispatch", "reports at random places go to the agencies that shapely and geographiclib choose, and a reporter is erased", (7,), campaign="--reports 300 --seed random"),
    Program("dispatch_kills", "reports with photos that an outbox repeats are there once, over kill -9", (3, 8), campaign="--reports 200 --kills 5 --seed random", file="dispatch"),
    Program("private_session", "a claimed session is closed to every other operator and caller", (10,)),
    Program("browser_console", "operators work with a faulty browser or device"),
    Program("browser_footage", "the two recordings of the source's screen are found by address and day"),
    Program("browser_wish", "a caller's wish to show video, one press of one operator, and its end"),
    Program("browser_agencies", "an administrator draws the area of a rescue agency, and what is kept is what was drawn", (8,)),
    Program("browser_calls", "who claimed first is told, an unanswered call ends, a page opens without network"),
    Program("browser_asleep", "a page that slept catches up", (), campaign="--claims 10"),
    Program("browser_crash", "a caller's page that dies loses no encoded picture", (9,), campaign="--media {media}"),
    Program("browser_walk", "the pages are worked by keyboard alone"),
    Program("browser_caller", "a caller without network, camera, storage or right clock is served"),
    Program("browser_frame", "pages hold where the gateway is frozen or a file is missing"),
    Program("browser_film", "which camera, its light and size are told truly"),
    Program("browser_conversation", "a conversation by text alone goes on until it is ended"),
    Program("browser_told", "who had to leave, who has whose number, what waits to be sent"),
    Program("browser_patrol", "a guard walks a tour, is late, and calls for help, while a supervisor looks on"),
    Program("browser_patrol_codes", "a supervisor prints labels, a guard scans them with and without network, and a lost one is renewed and refused"),
    Program("qr_codes", "the pages' reader reads at least as many photographs of patrol codes as ZXing does, and none wrongly", ()),
    Program("browser_cameras", "a guard watches cameras live, looks back in several at one moment, is told which picture is not of now, and shows colleagues one in the team chat"),
    Program("camera_wall", "sixteen cameras play side by side and go on, in Chromium, measured", campaign="--browser chromium"),
    Program("camera_wall_firefox", "the same in Firefox", campaign="--browser firefox", file="camera_wall"),
    Program("browser_nearby", "staff are led from where something happens to the cameras near it, at that moment"),
    Program("browser_push", "a push tells a caller in time, and not too late"),
    Program("browser_kept", "the rest of a video that was stopped without network is sent"),
    Program("browser_stage", "a picture has the room, and the last one stays"),
    Program("browser_outage", "nothing old looks new after an outage"),
    Program("browser_whole", "a caller from link to closing, in Chromium", (), campaign="--media {media} --browser chromium"),
    Program("browser_whole_firefox", "the same in Firefox", (), campaign="--media {media} --browser firefox", file="browser_whole"),
    Program("browser_public", "everybody sees rescues on pages without scripts: late, with a rough place, and as far as owners and moderators allow", ()),
    Program("browser_rescue_firefox", "the pages of a rescue in Firefox, in both languages", (), campaign="--browser firefox", file="browser_rescue_engines"),
    Program("browser_rescue_webkit", "the same in WebKit, over TLS", (), campaign="--browser webkit", file="browser_rescue_engines"),
    Program("browser_webkit", "live video and recordings in WebKit, over TLS"),
    Program("browser_speed", "what people wait for, measured", (), campaign="--media {media}"),
)

ALL = SMOKE + CAMPAIGN

# Parts of the campaign that are no programs of this folder: what each shows, of which promises.
OTHERS = {
    "fuzz": ("hostile bytes for the parsers of events, proofs, chat, video and SIP, and for a log's file, end nothing", (5, 10)),
    "sample": ("a projector of somebody else is checked with the public products alone", (6,)),
}
