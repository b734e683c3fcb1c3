#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hourly trends as CSV from `daybook export` on standard input, by Documentation/Trends.md alone; of one organisation: trends.py ORG"""
import collections, csv, datetime, json, sys

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
HOUR = 3_600_000_000
counts, samples = collections.Counter(), collections.defaultdict(list)
sessions, messages, order, last, parts = {}, {}, collections.defaultdict(list), {}, {}
asks, shown = {}, set()
queued = {}  # when an alert was, and of what it tells
submitted, due = {}, {}  # reports without an answer; points of rounds, by round and point
calls, calling = {}, {}  # guards' calls for help, and since when guards wait, with those calls
stays = {"chats": [], "alerts": []}  # [enter, leave or None]
standing = {"chats": {}, "alerts": {}}

def enter(queue, item, time):
    if item not in standing[queue]:
        standing[queue][item] = stay = [time, None]
        stays[queue].append(stay)

def leave(queue, item, time):
    if item in standing[queue]: standing[queue].pop(item)[1] = time

def active(session, time, writes=False):
    s = sessions.get(session)
    if not s: return
    s["first"] = s["first"] or time
    if writes and not s["owned"]: enter("chats", session, time)

newest = 0
def outcome(d):
    word = d.get("disposition", "expired")
    return word if word in ("handled", "transferred", "false_alarm", "no_contact", "expired") else "other"

for line in sys.stdin:
    e = json.loads(line)
    newest = (datetime.datetime.fromisoformat(e["time"].replace("Z", "+00:00")) - EPOCH) // datetime.timedelta(microseconds=1)
    if len(sys.argv) > 1 and e["org"] != sys.argv[1]: continue
    d, kind = e["data"], e["type"].split("/")[0]
    item = e["subject"].split("/", 1)[1]
    time = (datetime.datetime.fromisoformat(e["time"].replace("Z", "+00:00")) - EPOCH) // datetime.timedelta(microseconds=1)
    hour = time // HOUR
    def count(metric, dimension, value=1): counts[hour, metric, dimension] += value
    def sample(metric, start): samples[hour, metric].append((time - start) // 1000)
    s = sessions.get(item)
    if kind == "session.created": sessions[item] = dict(hour=hour, channel=d["channel"], outcome="open", first=None, claims=0, owned=False, answered=False)
    elif kind == "session.activity_signalled" and d["by"] == "caller": active(item, time, d["activity"] == "typing")
    elif kind == "session.claimed" and s:
        if s["claims"] == 0 and s["first"]: sample("claim_wait_ms", s["first"])
        s["claims"] += 1; s["owned"] = True; leave("chats", item, time)
    elif kind == "session.released" and s: s["owned"] = False
    elif kind == "session.request_sent": asks[d["request"]] = d["ask"]; count("requests", d["ask"] + "/sent")
    elif kind == "session.request_opened" and d["request"] in asks and d["request"] not in shown:
        shown.add(d["request"]); count("requests", asks[d["request"]] + "/opened")
    elif kind == "session.request_answered" and d["request"] in asks: count("requests", asks[d["request"]] + "/" + d["answer"])
    elif kind in ("session.expired", "session.closed") and s:
        s["owned"] = True; s["outcome"] = outcome(d); leave("chats", item, time)
    elif kind in ("chat.message_sent", "chat.attachment_added"):
        messages[d["message"]] = m = dict(sender=d["from"], sent=time, delivered=None, seen=False)
        order[item].append(d["message"])
        if d["from"] == "caller": active(item, time, True)
        if d["from"] == "operator" and s and s["first"] and not s["answered"]: s["answered"] = True; sample("first_answer_ms", s["first"])
    elif kind == "chat.message_delivered" and messages.get(d["message"], {"delivered": 1})["delivered"] is None:
        messages[d["message"]]["delivered"] = time; sample("sent_to_delivered_ms", messages[d["message"]]["sent"])
    elif kind == "chat.message_seen" and d["upTo"] in order[item]:
        for m in (messages[i] for i in order[item][:order[item].index(d["upTo"]) + 1]):
            if m["sender"] != d["by"] and not m["seen"]:
                m["seen"] = True
                if m["delivered"] is not None: sample("delivered_to_seen_ms", m["delivered"])
    elif kind == "location.reported": active(item, time)
    elif kind == "sip.reply_answered": count("telephone_replies", "delivered" if 200 <= d["status"] < 300 else "refused")
    elif kind == "sip.reply_timed_out": count("telephone_replies", "silent")
    elif kind == "stream.started": active(d["session"], time); count("streams", "")
    elif kind == "stream.chunk_archived":
        start = d["firstMilliseconds"]
        if 0 <= start - last.get(item, start + 1) <= 1000: start = last[item]
        count("video_ms", "", d["lastMilliseconds"] - start); last[item] = d["lastMilliseconds"]
    elif kind == "stream.gap_detected": count("gaps", ""); count("gap_ms", "", d["toMilliseconds"] - d["fromMilliseconds"])
    elif kind == "report.submitted": count("reports", "submitted"); submitted[item] = time
    elif kind == "report.status_changed":
        count("reports", d["to"])
        if item in submitted: sample("report_answered_ms", submitted.pop(item))
    elif kind == "patrol.checked_in":
        told = e.get("occurredat") if d["offline"] else None
        moment = min(time, (datetime.datetime.fromisoformat(told.replace("Z", "+00:00")) - EPOCH) // datetime.timedelta(microseconds=1)) if told else time
        point = due.get((d.get("round"), item))
        if point and moment < point["from"]: count("check_ins", "early")
        else:
            count("check_ins", "kept" if d["offline"] else "counted")
            if point: point["scanned"] = moment
    elif kind == "patrol.check_in_refused": count("check_ins", "refused/" + d["reason"])
    elif kind == "tour.not_begun": count("tours", "not_begun")
    elif kind == "round.started":
        count("tours", "begun")
        for p in d["points"]:
            start, end = ((datetime.datetime.fromisoformat(p[n].replace("Z", "+00:00")) - EPOCH) // datetime.timedelta(microseconds=1) for n in ("from", "until"))
            due[item, p["point"]] = {"from": start, "until": end, "scanned": None, "late": None}
    elif kind == "round.point_reached":
        count("tour_points", "after_grace" if d["standing"] == "missed" else d["standing"])
        point = due.get((item, d["point"]))
        if point and d["standing"] != "on_time": samples[hour, "tour_late_ms"].append(((point["scanned"] or time) - point["until"]) // 1000)
    elif kind == "round.point_overdue":
        count("patrol_alarms", "late")
        if (item, d["point"]) in due: due[item, d["point"]]["late"] = time
    elif kind == "round.point_missed": count("patrol_alarms", "missed")
    elif kind == "round.point_handled":
        point = due.get((item, d["point"]))
        if point and point["late"] and not point.get("handled"): point["handled"] = True; sample("late_point_handled_ms", point["late"])
    elif kind == "round.finished":
        count("tours", "incomplete/" + d["reason"] if d["missed"] else "complete")
        if d["missed"]: count("tour_points", "missed", len(d["missed"]))
    elif kind == "guard.alarm_raised":
        count("patrol_alarms", "help"); calls[item] = d["guardID"]
        calling.setdefault(d["guardID"], (time, set()))[1].add(item)
    elif kind == "guard.alarm_answered" and item in calling.get(calls.get(item), (0, ()))[1]: sample("help_answered_ms", calling.pop(calls[item])[0])
    elif kind == "alert.queued":
        count("alerts", "queued"); enter("alerts", item, time)
        parts[item] = {c for c in ("sms", "email", "push", "browser") if d.get(c) is not None}; queued[item] = (time, d["cause"])
        if not parts[item]: leave("alerts", item, time)
    elif kind in ("alert.sent", "alert.failed"):
        count("alerts", kind[6:]); over = kind == "alert.sent" or d["permanence"] == "permanent"
        count("alert_parts", d["channel"] + "/" + ("sent" if kind == "alert.sent" else "given_up" if over else "failed"))
        if kind == "alert.sent" and item in queued: sample("alert_sent_ms", queued[item][0])
        if over: parts.get(item, set()).discard(d["channel"])
        if over and not parts.get(item): leave("alerts", item, time)
    elif kind == "alert.reported" and d["outcome"] != "accepted":
        count("alert_parts", d["channel"] + "/" + d["outcome"])
        if d["outcome"] == "delivered" and item in queued: sample("alert_delivered_ms", queued[item][0])
    elif kind == "alert.answered":
        count("alert_answers", d["answer"])
        if d["answer"] == "acknowledged": parts[item] = set(); leave("alerts", item, time); sample("alert_answered_ms", queued[item][0])
    elif kind == "call_out.ended" and d["end"] != "exhausted":
        for alert in [a for a, (_, cause) in queued.items() if cause == e["subject"]]: parts[alert] = set(); leave("alerts", alert, time)

for s in sessions.values(): counts[s["hour"], "sessions", s["channel"] + "/" + s["outcome"]] += 1
for (hour, metric), values in samples.items():
    values.sort(); counts[hour, metric, "count"] = len(values)
    for p in (50, 90, 95, 99): counts[hour, metric, f"p{p}"] = values[(p * len(values) + 99) // 100 - 1]
for hour in {h for h, _, _ in counts}:
    end = (hour + 1) * HOUR
    for queue in stays:
        inside = [a for a, b in stays[queue] if a < end and (b is None or b >= end)]
        counts[hour, "queue_depth", queue] = len(inside)
        counts[hour, "queue_oldest_ms", queue] = max(0, min(end, newest) - min(inside)) // 1000 if inside else 0
out = csv.writer(sys.stdout, lineterminator="\n"); out.writerow(["hour", "metric", "dimension", "value"])
for hour, metric, dimension in sorted(counts, key=lambda k: (k[0], k[1].encode(), k[2].encode())):
    at = EPOCH + datetime.timedelta(hours=hour)
    out.writerow([at.strftime("%Y-%m-%dT%H:%M:%SZ"), metric, dimension, counts[hour, metric, dimension]])
