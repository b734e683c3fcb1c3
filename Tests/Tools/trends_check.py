#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The hourly trends, counted here from `daybook export` by the definitions of Documentation/Trends.md, equal `daybook trends --csv`.

  trends_check.py --daybook PATH --history PATH-OF-daybook-history [--events 100000] [--seed 1]
"""
import collections
import csv
import datetime
import io
import json
import os
import subprocess

from centre import arguments, chosen, hold, run, seed

HOUR = 3_600_000_000
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def microseconds(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment - EPOCH) // datetime.timedelta(microseconds=1)


def nearest_rank(percent, ordered):
    return ordered[-(-percent * len(ordered) // 100) - 1]


class Queue:
    """From when to when something waited."""

    def __init__(self):
        self.stays, self.waiting = [], {}

    def enter(self, item, time):
        if item not in self.waiting:
            self.waiting[item] = len(self.stays)
            self.stays.append([time, None])

    def leave(self, item, time):
        if item in self.waiting:
            self.stays[self.waiting.pop(item)][1] = time

    def at(self, end, newest):
        """Depth and the oldest's age in milliseconds just before a moment, as far as the log goes."""
        there = [start for start, until in self.stays if start < end and not (until is not None and until < end)]
        return len(there), max(0, min(end, newest) - min(there)) // 1000 if there else 0


class Trends:
    """Every number, from one pass over the entries."""

    def __init__(self):
        self.counts, self.samples = collections.Counter(), collections.defaultdict(list)
        self.sessions, self.messages, self.order = {}, {}, collections.defaultdict(list)
        self.newest = 0
        self.asks, self.shown = {}, set()
        self.streams, self.parts = {}, collections.defaultdict(set)
        #: When an alert was queued, and of what it tells.
        self.queued = {}
        self.queues = {"chats": Queue(), "alerts": Queue()}
        #: Reports without an answer; points of rounds, by round and point.
        self.submitted, self.due = {}, {}
        #: Whose a call for help is; since when a guard waits, and with which calls.
        self.callers, self.calling = {}, {}
        #: What the device says of when the entry's event happened.
        self.claimed = None

    def take(self, entry):
        time, data = microseconds(entry["time"]), entry["data"]
        self.newest = time
        self.claimed = microseconds(entry["occurredat"]) if "occurredat" in entry else None
        subject = entry["subject"].split("/", 1)[1]
        handler = getattr(self, entry["type"].split("/")[0].replace(".", "_"), None)
        if handler:
            handler(subject, data, time, time // HOUR * HOUR)

    # --- Sessions

    def session_created(self, session, data, time, hour):
        self.sessions[session] = {"hour": hour, "channel": data["channel"], "outcome": "open", "active": None, "answered": False,
                                  "claimed": False, "owned": False}

    def active(self, session, time):
        if session in self.sessions and self.sessions[session]["active"] is None:
            self.sessions[session]["active"] = time

    def wait(self, session, time):
        if session in self.sessions and not self.sessions[session]["owned"]:
            self.queues["chats"].enter(session, time)

    def session_activity_signalled(self, session, data, time, hour):
        if data["by"] == "caller":
            self.active(session, time)
            if data["activity"] == "typing":
                self.wait(session, time)

    def session_claimed(self, session, data, time, hour):
        state = self.sessions[session]
        if not state["claimed"] and state["active"] is not None:
            self.samples[hour, "claim_wait_ms"].append((time - state["active"]) // 1000)
        state["claimed"] = state["owned"] = True
        self.queues["chats"].leave(session, time)

    def session_released(self, session, data, time, hour):
        self.sessions[session]["owned"] = False

    def end(self, session, outcome, time):
        self.sessions[session].update(outcome=outcome, owned=True)
        self.queues["chats"].leave(session, time)

    def session_expired(self, session, data, time, hour):
        self.end(session, "expired", time)

    def session_closed(self, session, data, time, hour):
        word = data["disposition"]
        self.end(session, word if word in ("handled", "transferred", "false_alarm", "no_contact") else "other", time)

    def location_reported(self, session, data, time, hour):
        self.active(session, time)

    # --- What callers were asked for

    def session_request_sent(self, session, data, time, hour):
        self.asks[data["request"]] = data["ask"]
        self.counts[hour, "requests", data["ask"] + "/sent"] += 1

    def session_request_opened(self, session, data, time, hour):
        if data["request"] in self.asks and data["request"] not in self.shown:
            self.shown.add(data["request"])
            self.counts[hour, "requests", self.asks[data["request"]] + "/opened"] += 1

    def session_request_answered(self, session, data, time, hour):
        if data["request"] in self.asks:
            self.counts[hour, "requests", f"{self.asks[data['request']]}/{data['answer']}"] += 1

    # --- Messages

    def chat_message_sent(self, session, data, time, hour):
        self.messages[data["message"]] = {"from": data["from"], "sent": time, "delivered": None, "seen": False,
                                          "place": len(self.order[session])}
        self.order[session].append(data["message"])
        state = self.sessions.get(session)
        if data["from"] == "operator" and state and state["active"] is not None and not state["answered"]:
            self.samples[hour, "first_answer_ms"].append((time - state["active"]) // 1000)
            state["answered"] = True
        if data["from"] == "caller":
            self.active(session, time)
            self.wait(session, time)

    # A picture is a message, too.
    chat_attachment_added = chat_message_sent

    def chat_message_delivered(self, session, data, time, hour):
        message = self.messages.get(data["message"])
        if message and message["delivered"] is None:
            self.samples[hour, "sent_to_delivered_ms"].append((time - message["sent"]) // 1000)
            message["delivered"] = time

    def chat_message_seen(self, session, data, time, hour):
        upto = self.messages.get(data["upTo"])
        for name in self.order[session][: upto["place"] + 1] if upto else []:
            message = self.messages[name]
            if message["from"] != data["by"] and not message["seen"]:
                message["seen"] = True
                if message["delivered"] is not None:
                    self.samples[hour, "delivered_to_seen_ms"].append((time - message["delivered"]) // 1000)

    def sip_reply_answered(self, session, data, time, hour):
        self.counts[hour, "telephone_replies", "delivered" if 200 <= int(data["status"]) < 300 else "refused"] += 1

    def sip_reply_timed_out(self, session, data, time, hour):
        self.counts[hour, "telephone_replies", "silent"] += 1

    # --- Video, and work in the field

    def stream_started(self, stream, data, time, hour):
        self.active(data["session"], time)
        self.counts[hour, "streams", ""] += 1

    def stream_chunk_archived(self, stream, data, time, hour):
        first, last = int(data["firstMilliseconds"]), int(data["lastMilliseconds"])
        before = self.streams.get(stream)
        if before is not None and 0 <= first - before <= 1000:
            first = before
        self.counts[hour, "video_ms", ""] += last - first
        self.streams[stream] = last

    def stream_gap_detected(self, stream, data, time, hour):
        self.counts[hour, "gaps", ""] += 1
        self.counts[hour, "gap_ms", ""] += int(data["toMilliseconds"]) - int(data["fromMilliseconds"])

    def report_submitted(self, report, data, time, hour):
        self.counts[hour, "reports", "submitted"] += 1
        self.submitted[report] = time

    def report_status_changed(self, report, data, time, hour):
        self.counts[hour, "reports", data["to"]] += 1
        if report in self.submitted:
            self.samples[hour, "report_answered_ms"].append((time - self.submitted.pop(report)) // 1000)

    # --- Patrols

    def patrol_checked_in(self, point, data, time, hour):
        moment = min(time, self.claimed) if data["offline"] and self.claimed is not None else time
        due = self.due.get((data.get("round"), point))
        if due and moment < due["from"]:
            self.counts[hour, "check_ins", "early"] += 1
            return
        self.counts[hour, "check_ins", "kept" if data["offline"] else "counted"] += 1
        if due:
            due["scanned"] = moment

    def patrol_check_in_refused(self, point, data, time, hour):
        self.counts[hour, "check_ins", f"refused/{data['reason']}"] += 1

    def tour_not_begun(self, tour, data, time, hour):
        self.counts[hour, "tours", "not_begun"] += 1

    def round_started(self, name, data, time, hour):
        self.counts[hour, "tours", "begun"] += 1
        for one in data["points"]:
            self.due[name, one["point"]] = {"from": microseconds(one["from"]), "until": microseconds(one["until"]), "scanned": None, "overdue": None}

    def round_point_reached(self, name, data, time, hour):
        self.counts[hour, "tour_points", {"missed": "after_grace"}.get(data["standing"], data["standing"])] += 1
        due = self.due.get((name, data["point"]))
        if due and data["standing"] != "on_time":
            moment = time if due["scanned"] is None else due["scanned"]
            self.samples[hour, "tour_late_ms"].append((moment - due["until"]) // 1000)

    def round_point_overdue(self, name, data, time, hour):
        self.counts[hour, "patrol_alarms", "late"] += 1
        if (name, data["point"]) in self.due:
            self.due[name, data["point"]]["overdue"] = time

    def round_point_missed(self, name, data, time, hour):
        self.counts[hour, "patrol_alarms", "missed"] += 1

    def round_point_handled(self, name, data, time, hour):
        due = self.due.get((name, data["point"]))
        if due and due["overdue"] is not None and "handled" not in due:
            due["handled"] = time
            self.samples[hour, "late_point_handled_ms"].append((time - due["overdue"]) // 1000)

    def round_finished(self, name, data, time, hour):
        self.counts[hour, "tours", f"incomplete/{data['reason']}" if data["missed"] else "complete"] += 1
        if data["missed"]:
            self.counts[hour, "tour_points", "missed"] += len(data["missed"])

    def guard_alarm_raised(self, alarm, data, time, hour):
        self.counts[hour, "patrol_alarms", "help"] += 1
        self.callers[alarm] = data["guardID"]
        self.calling.setdefault(data["guardID"], (time, set()))[1].add(alarm)

    def guard_alarm_answered(self, alarm, data, time, hour):
        """All calls of the guard since the first one without an answer are answered with it."""
        guard = self.callers.get(alarm)
        since, calls = self.calling.get(guard, (time, ()))
        if alarm in calls:
            self.samples[hour, "help_answered_ms"].append((time - since) // 1000)
            del self.calling[guard]

    # --- Alerts

    def alert_queued(self, alert, data, time, hour):
        self.counts[hour, "alerts", "queued"] += 1
        self.queues["alerts"].enter(alert, time)
        self.parts[alert] = {part for part in ("sms", "email", "push", "browser") if data.get(part) is not None}
        self.queued[alert] = (time, data["cause"])
        self.settle(alert, time)

    def alert_sent(self, alert, data, time, hour):
        self.counts[hour, "alerts", "sent"] += 1
        self.counts[hour, "alert_parts", f"{data['channel']}/sent"] += 1
        self.measure("alert_sent_ms", alert, time, hour)
        self.parts[alert].discard(data["channel"])
        self.settle(alert, time)

    def alert_failed(self, alert, data, time, hour):
        self.counts[hour, "alerts", "failed"] += 1
        is_end = data["permanence"] == "permanent"
        self.counts[hour, "alert_parts", f"{data['channel']}/{'given_up' if is_end else 'failed'}"] += 1
        if is_end:
            self.parts[alert].discard(data["channel"])
            self.settle(alert, time)

    def alert_reported(self, alert, data, time, hour):
        if data["channel"] in self.parts[alert]:  # the report overtook the server's answer
            self.alert_sent(alert, data, time, hour)
        if data["outcome"] != "accepted":
            self.counts[hour, "alert_parts", f"{data['channel']}/{data['outcome']}"] += 1
        if data["outcome"] == "delivered":
            self.measure("alert_delivered_ms", alert, time, hour)

    def alert_answered(self, alert, data, time, hour):
        self.counts[hour, "alert_answers", data["answer"]] += 1
        if data["answer"] == "acknowledged":
            self.measure("alert_answered_ms", alert, time, hour)
            self.parts[alert].clear()
            self.settle(alert, time)

    def call_out_ended(self, call_out, data, time, hour):
        if data["end"] == "exhausted":
            return
        for alert, (_, cause) in self.queued.items():
            if cause == f"call_out/{call_out}":
                self.parts[alert].clear()
                self.settle(alert, time)

    def measure(self, metric, alert, time, hour):
        if alert in self.queued:
            self.samples[hour, metric].append((time - self.queued[alert][0]) // 1000)

    def settle(self, alert, time):
        if not self.parts[alert]:
            self.queues["alerts"].leave(alert, time)

    # --- What comes out

    def rows(self):
        rows = [(hour, metric, dimension, value) for (hour, metric, dimension), value in self.counts.items()]
        outcomes = collections.Counter((s["hour"], f"{s['channel']}/{s['outcome']}") for s in self.sessions.values())
        rows += [(hour, "sessions", dimension, value) for (hour, dimension), value in outcomes.items()]
        for (hour, metric), values in self.samples.items():
            values.sort()
            rows.append((hour, metric, "count", len(values)))
            rows += [(hour, metric, f"p{percent}", nearest_rank(percent, values)) for percent in (50, 90, 95, 99)]
        for hour in {row[0] for row in rows}:
            for name, queue in self.queues.items():
                depth, oldest = queue.at(hour + HOUR, self.newest)
                rows += [(hour, "queue_depth", name, depth), (hour, "queue_oldest_ms", name, oldest)]
        rows.sort(key=lambda row: (row[0], row[1].encode(), row[2].encode()))
        return [[f"{(EPOCH + datetime.timedelta(microseconds=hour)):%Y-%m-%dT%H:%M:%SZ}", metric, dimension, str(value)]
                for hour, metric, dimension, value in rows]


def output(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    hold(done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-800:]}")
    return done.stdout


def main(options, folder):
    ledger = os.path.join(folder, "ledger")
    output(options.history, ledger, str(options.events), str(chosen(options)))
    trends, count = Trends(), 0
    for line in output(options.daybook, "export", "--data", ledger).splitlines():
        trends.take(json.loads(line))
        count += 1
    hold(count >= options.events, f"the export has {count} lines of {options.events}")
    told = list(csv.reader(io.StringIO(output(options.daybook, "trends", "--csv", "--data", ledger))))
    hold(told[0] == ["hour", "metric", "dimension", "value"], f"the CSV begins with {told[0]}")
    counted = trends.rows()
    for ours, theirs in zip(counted, told[1:]):
        hold(ours == theirs, f"counted {ours}, told {theirs}")
    hold(len(counted) == len(told) - 1, f"counted {len(counted)} rows, told {len(told) - 1}")
    hours = {row[0] for row in counted}
    metrics = {row[1] for row in counted}
    print(f"{count} events in {len(hours)} hours: {len(counted)} rows of {len(metrics)} metrics, all equal")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--history", required=True, help="the executable daybook-history")
    parser.add_argument("--events", type=int, default=100_000)
    seed(parser)
    run(main, parser.parse_args())
