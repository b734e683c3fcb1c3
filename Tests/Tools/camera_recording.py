#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gateway records cameras of the tests (`cameras.py`) and shows them live and back: their numbered pictures are there without holes, over kill -9 and whatever other cameras do;
faults of a camera are told by their cause; passwords stay inside; a file that was removed or changed is damage.

  camera_recording.py --daybook PATH [--mjpeg 1] [--rtsp 1] [--seconds 20] [--kills 1]

Beside the cameras that are counted, four fail: one is cut off, one freezes, one sends garbage, one is slow. Delays, shares of the processor, memory and sizes are printed.
"""

import bisect
import concurrent.futures
import contextlib
import datetime
import functools
import glob
import json
import os
import statistics
import subprocess
import threading
import time

from camera_child import WebM, of
from cameras import COLUMNS, COUNT, ROWS, MjpegCamera, RtspCamera, has_rtsp_server, read_number
from centre import Centre, Skipped, arguments, hold, run, timely
from daybook import DEADLINE, new_id, until

USER, PASSWORD = "viewer", "four-grey-herons"
RATE, SOURCE_RATE = 10, 25
HOUR = 3600
# As the gateway has them: an answer's longest span, and the shortest hole that is told, in milliseconds.
SPAN_MOST, HOLE_LEAST = 120_000, 2000
OFFLINE_SECONDS = 10
# What a picture's time may differ from the time at which its source sent it.
SKEW_MOST = 1
MONTH_MINUTES, MONTH_CAMERAS = 30 * 24 * 60, 16


def main(options, folder):
    if not has_rtsp_server():
        raise Skipped("python3-gi or gir1.2-gst-rtsp-server-1.0 is not installed")
    sizes = [(MjpegCamera, (640, 480), (640, 480), 500)] * options.mjpeg + [(RtspCamera, (1280, 720), (640, 360), 500)] * options.rtsp
    sizes += [(kind, (320, 240), (320, 240), 200) for kind in (RtspCamera, MjpegCamera, MjpegCamera, RtspCamera)]
    with concurrent.futures.ThreadPoolExecutor(5) as workers:
        opened = workers.submit(Centre(options.daybook, folder, options=["--camera-networks", "127.0.0.0/8"]).open)
        cameras = list(workers.map(Camera, range(1, len(sizes) + 1), *zip(*sizes)))
        centre = opened.result()
    with contextlib.ExitStack() as stack:
        for camera in cameras:
            stack.enter_context(of(camera.source))
        story = CameraRecording(centre, cameras)
        begin(story.all_are_online)
        for part in range(options.kills + 1):
            print(f"part {part + 1} of {options.kills + 1}", flush=True)
            # Beside each other: some wait for seconds of the gateway.
            steps = story.faults() if part < max(options.kills, 1) else []
            story.records(options.seconds / (options.kills + 1), steps + [story.passwords_stay_inside] * (part == 0))
            if part < options.kills:
                begin(story.a_kill_loses_nothing)
        for step in (story.looking_back_gives_the_pictures_of_that_time, story.a_still_is_the_picture_of_its_moment, story.pictures_have_no_holes,
                     story.what_was_altered_is_not_shown):
            begin(step)
        for camera in story.cameras:
            camera.view.close()
        centre.stop()
        for step in (story.minutes_are_as_logged, story.damage_is_found):
            begin(step)


def begin(step):
    print(step.__name__.replace("_", " "), flush=True)
    step()


def seconds_of(text):
    return datetime.datetime.fromisoformat(text).timestamp()


def text_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def numbers_of(webm, width=COLUMNS, height=ROWS):
    """The numbers on the pictures of a WebM or JPEG, by ffmpeg, which makes a pixel of each block."""
    command = ["ffmpeg", "-v", "error", "-i", "-", "-vf", f"scale={width}:{height}:flags=area", "-fps_mode", "passthrough", "-enc_time_base", "1:1000", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
    done = subprocess.run(command, input=bytes(webm), capture_output=True, check=True)
    hold(not done.stderr, f"ffmpeg reads pictures with {done.stderr[:500]}")
    size = width * height
    return [read_number(done.stdout[at:at + size], width, height) for at in range(0, len(done.stdout), size)]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Viewer:
    """Somebody who looks at a camera live: what was told, and the WebM of each hour as it came."""

    def __init__(self, client, camera):
        self.socket = client.socket(f"/v1/cameras/{camera}/watch")
        self.states, self.hours, self.news = [], [], threading.Condition()
        threading.Thread(target=self._reads, daemon=True).start()

    def _reads(self):
        with contextlib.suppress(OSError):
            while (message := self.socket.receive(None)) is not None:
                with self.news:
                    self._takes(message)
                    self.news.notify_all()

    def _takes(self, message):
        if isinstance(message, bytes):
            return self.hours[-1][1].push(message)
        told = json.loads(message)
        if told["type"] == "hour":
            self.hours.append((seconds_of(told["startedAt"]), WebM()))
        else:
            self.states.append((told["standing"], told.get("cause"), time.monotonic()))

    @property
    def pictures(self):
        """The time of each picture, and the monotonic time at which it came."""
        return [(start + milliseconds / 1000, came) for start, webm in self.hours for milliseconds, _, came in webm.blocks]

    @property
    def newest(self):
        """The time of the newest picture."""
        return max((start + webm.blocks[-1][0] / 1000 for start, webm in self.hours if webm.blocks), default=0)

    def waits(self, holds, what, seconds=0):
        with self.news:
            found = self.news.wait_for(holds, seconds + DEADLINE)
            hold(found, f"not yet: {what}; states {self.states[-5:]}, newest picture {text_of(self.newest)}")
            return found

    def becomes(self, standing, after=0):
        """Waits for a standing that is told after so many others; how many were told with it, its cause and its time."""
        def told():
            return next(((index + 1, *state[1:]) for index, state in enumerate(self.states) if index >= after and state[0] == standing), None)
        return self.waits(told, standing)

    def shows(self, moment):
        """Waits for a picture of that time or later."""
        self.waits(lambda: self.newest >= moment, f"a picture of {text_of(moment)}", max(0, moment - time.time()))

    def close(self):
        self.socket.close()


class Camera:
    """A camera as the gateway has it, its source, and the views at it, of which the last is the one that is open."""

    def __init__(self, number, kind, size, recorded, kilobits):
        self.id, self.number, self.kind, self.recorded, self.kilobits = new_id(), number, kind, recorded, kilobits
        self.source, self.views = kind(*size, SOURCE_RATE), []

    @property
    def view(self):
        return self.views[-1]

    def settings(self, **changed):
        viewers = [{"role": role, "fromMinute": 0, "untilMinute": 1440} for role in ("operator", "guard")]
        return {"site": "Plant", "number": self.number, "name": f"Camera {self.number}", "floor": 0, "latitude": 52.5, "longitude": 13.4, "source": "rtsp" if self.kind is RtspCamera else "mjpeg",
                "address": self.source.address, "width": self.recorded[0], "height": self.recorded[1], "framesPerSecond": RATE, "kilobitsPerSecond": self.kilobits, "keptDays": 30,
                "keptBytes": 100 << 30, "frame": {"x": 0, "y": 0, "width": 640, "height": 480}, "neighbours": {}, "viewers": viewers, "isOn": True, **changed}

    def sent(self):
        """What its source sent, as numbers and times of day."""
        offset = time.time() - time.monotonic()
        return [(number, moment + offset) for number, moment in self.source.sent[:]]


class CameraRecording:
    def __init__(self, centre, cameras):
        self.centre, self.cameras = centre, cameras
        self.steady, self.failing = cameras[:-4], cameras[-4:]
        self.admin, self.desk = centre.admin, centre.staff("amina")
        centre.stays_signed_in(self.admin, self.desk)
        self.began, self.kills = time.time(), []

    # MARK: What is asked and seen

    def sets(self, camera, **changed):
        answer = self.admin.put(f"/v1/cameras/{camera.id}", camera.settings(**changed))
        hold(answer.ok, f"setting up a camera: {answer}")

    def looks(self, cameras):
        for camera in cameras:
            camera.views.append(Viewer(self.desk, camera.id))

    def media(self, camera, hour, start, end):
        """Footage between two milliseconds of an hour, as the times of day of its pictures and their numbers; nothing where there is none."""
        answer = self.desk.get(f"/v1/cameras/{camera.id}/footage/media?hour={text_of(hour)}&from={start}&to={end}")
        if answer.status == 404:
            return {}
        hold(answer.ok and answer.headers["Content-Type"].startswith("video/webm"), f"footage of {text_of(hour)}, {start} to {end}: {answer}")
        webm = WebM()
        webm.push(answer.body)
        numbers = numbers_of(answer.body)
        hold(len(numbers) == len(webm.blocks) and None not in numbers, f"{len(webm.blocks)} pictures of footage show {numbers}")
        return {hour + milliseconds / 1000: number for (milliseconds, _, _), number in zip(webm.blocks, numbers)}

    def footage(self, camera):
        """All pictures of a camera, by their time of day."""
        pictures, hour = {}, self.began // HOUR * HOUR
        while hour < time.time():
            first, last = max(self.began, hour), min(time.time(), hour + HOUR)
            for start in range(int((first - hour) * 1000), int((last - hour) * 1000), SPAN_MOST):
                pictures.update(self.media(camera, hour, start, start + SPAN_MOST))
            hour += HOUR
        return dict(sorted(pictures.items()))

    def made(self, camera, pictures):
        """For each picture, the place among those that the source sent, and the difference of its time from theirs."""
        sent = camera.sent()
        times, found = [moment for _, moment in sent], []
        for moment, number in pictures:
            at = bisect.bisect(times, moment)
            near = [index for index in range(max(0, at - COUNT // 2), min(len(sent), at + COUNT // 2)) if sent[index][0] == number]
            hold(near, f"camera {camera.number} shows {number} at {text_of(moment)}, which its source did not send then")
            index = min(near, key=lambda index: abs(times[index] - moment))
            found.append((index, moment - times[index], times[index]))
        return found

    def children(self):
        """Of the gateway and each of its daybook-camera, by process id: the seconds of processor and the bytes of memory."""
        gateway, found = self.centre.gateway.process.pid, {}
        for path in glob.glob("/proc/[0-9]*/stat"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                with open(path, encoding="utf-8", errors="replace") as file:
                    head, rest = file.read().rsplit(")", 1)
                pid, name, fields = int(head.split(" ", 1)[0]), head.split("(", 1)[1], rest.split()
                if pid == gateway or int(fields[1]) == gateway and name == "daybook-camera":
                    found[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        return found

    # MARK: Setting up

    def all_are_online(self):
        start = time.monotonic()
        for camera in self.cameras:
            self.sets(camera)
        self.looks(self.cameras)
        for camera in self.cameras:
            camera.view.becomes("online")
            camera.view.shows(1)
        shown = {one["id"]: one for one in self.desk.get("/v1/cameras").json["items"]}
        hold({shown[camera.id]["standing"] for camera in self.cameras} == {"online"}, f"cameras are listed as {shown}")
        print(f"  {len(self.cameras)} cameras show pictures after {time.monotonic() - start:.1f} s")

    def passwords_stay_inside(self):
        camera = Camera(len(self.cameras) + 1, MjpegCamera, (320, 240), (320, 240), 200)
        with of(camera.source):
            camera.source.user, camera.source.password = USER, PASSWORD
            self.sets(camera, user=USER, password=PASSWORD, isOn=False)
            tried = self.admin.post(f"/v1/cameras/{camera.id}/try")
            hold(tried.ok and numbers_of(tried.body)[0] is not None, f"trying a camera: {tried}")
            self.sets(camera, user=USER, password=PASSWORD[::-1])
            tried = self.admin.post(f"/v1/cameras/{camera.id}/try")
            hold(tried.status == 503 and tried.json["cause"] == "password", f"trying a camera with a wrong password: {tried}")
            self.looks([camera])
            after, cause, _ = camera.view.becomes("offline")
            if cause == "off":
                after, cause, _ = camera.view.becomes("offline", after)
            hold(cause == "password", f"a wrong password is told as {cause}")
            self.sets(camera, user=USER, password=PASSWORD)
            camera.view.becomes("online", after)
            camera.view.shows(1)
            # Without a password in it the one that is there stays; who changes the name alone does not interrupt the recording.
            asked = len(camera.source.requests)
            self.sets(camera, user=USER, name="Renamed")
            camera.view.shows(time.time())
            hold(len(camera.source.requests) == asked, "a new name interrupts the recording")
            told = [self.admin.get("/v1/cameras").body, b"\n".join(self.centre.export())]
            for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ"):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError), open(path, "rb") as file:
                    told.append(file.read())
            words = [PASSWORD.encode(), PASSWORD[::-1].encode()]
            hold(not any(word in text for word in words for text in told), "a password is shown, exported, or told to whoever looks at processes")
            self.sets(camera, isOn=False)
            camera.view.close()
        with open(os.path.join(os.path.dirname(self.centre.folder), "gateway.log"), "rb") as file:
            log = file.read()
        hold(not any(word in log for word in words), "a password stands in the gateway's log")

    # MARK: Recording

    def faults(self):
        return [functools.partial(fault, camera) for fault, camera in zip((self.is_cut_off, self.freezes, self.gives_garbage, self.is_slow), self.failing)]

    def records(self, seconds, steps):
        """Records for so long, and until steps that are taken meanwhile have ended; the counted cameras stay online."""
        before, start = self.children(), time.time()
        with concurrent.futures.ThreadPoolExecutor(max(1, len(steps))) as workers:
            for step in [workers.submit(step) for step in steps]:
                step.result()
        end = max(start + seconds, time.time())
        for camera in self.steady:
            camera.view.shows(end)
            hold(not {"offline", "frozen"} & {state[0] for state in camera.view.states}, f"camera {camera.number} was told as {camera.view.states}")
        self.tells_usage(before, self.children(), time.time() - start)

    def tells_usage(self, before, after, seconds):
        gateway = self.centre.gateway.process.pid
        shares = {pid: (after[pid][0] - before[pid][0]) / seconds * 100 for pid in before.keys() & after.keys()}
        cameras = sorted(shares.keys() - {gateway}, key=shares.get)
        own = [value / (1 << 20) for value in (before[gateway][1], after[gateway][1])]
        print(f"  of a processor: gateway {shares[gateway]:.1f} %, daybook-camera {' '.join(f'{shares[pid]:.1f}' for pid in cameras)} %")
        theirs = [f"{before[pid][1] / (1 << 20):.0f} to {after[pid][1] / (1 << 20):.0f}" for pid in cameras]
        print(f"  memory in MiB: gateway {own[0]:.0f} to {own[1]:.0f}, daybook-camera {', '.join(theirs)}", flush=True)

    def is_cut_off(self, camera):
        known, start = len(camera.view.states), time.monotonic()
        camera.source.stop()
        known, cause, came = camera.view.becomes("offline", known)
        timely(came - start < OFFLINE_SECONDS, f"a camera that was cut off is told after {came - start:.1f} s")
        again = time.monotonic()
        camera.source.start()
        _, _, back = camera.view.becomes("online", known)
        print(f"  cut off: offline, {cause}, after {came - start:.1f} s; online {back - again:.1f} s after it is there again", flush=True)
        hold(cause in ("ended", "address"), f"a camera that was cut off is told as {cause}")
        camera.view.shows(time.time())

    def freezes(self, camera):
        known, start = len(camera.view.states), time.monotonic()
        camera.source.freeze()
        known, _, came = camera.view.becomes("frozen", known)
        again = time.monotonic()
        camera.source.play()
        _, _, back = camera.view.becomes("online", known)
        hold([state[0] for state in camera.view.states[known - 1:]] == ["frozen", "online"], f"a frozen camera was told as {camera.view.states}")
        print(f"  frozen: told after {came - start:.1f} s; online {back - again:.1f} s after it plays", flush=True)

    def gives_garbage(self, camera):
        known, start = len(camera.view.states), time.monotonic()
        camera.source.garbage()
        known, cause, came = camera.view.becomes("offline", known)
        hold(cause == "type", f"garbage is told as {cause}")
        again = time.monotonic()
        camera.source.play()
        _, _, back = camera.view.becomes("online", known)
        print(f"  garbage: offline, {cause}, after {came - start:.1f} s; online {back - again:.1f} s after it plays", flush=True)
        camera.view.shows(time.time())

    def is_slow(self, camera):
        known, start = len(camera.view.states), time.time()
        camera.source.slow(0.4)
        camera.view.waits(lambda: len([moment for moment, _ in camera.view.pictures if moment > start + 1]) >= 2, "two pictures of a slow camera")
        camera.source.play()
        camera.view.shows(time.time())
        hold(len(camera.view.states) == known, f"a slow camera was told as {camera.view.states}")

    def a_kill_loses_nothing(self):
        """The minute that was open is logged at the next start, up to the last cluster that a viewer had, and recording goes on."""
        orphans, start = self.children().keys() - {self.centre.gateway.process.pid}, time.monotonic()
        self.kills.append(time.time())
        self.centre.gateway.kill()
        self.centre.start()
        until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in orphans), "each daybook-camera of the gateway that was killed is gone")
        for camera in self.cameras:
            until(lambda: self.last_listed(camera) >= camera.view.newest - 0.001, f"the footage of camera {camera.number} before the kill is listed up to {text_of(camera.view.newest)}")
        self.looks(self.cameras)
        moment = time.time()
        for camera in self.cameras:
            camera.view.becomes("online")
            camera.view.shows(moment)
        print(f"  {time.monotonic() - start:.1f} s after the kill all go on", flush=True)

    def last_listed(self, camera):
        """The time of the last picture that the list of a camera's footage has."""
        items = self.desk.get(f"/v1/cameras/{camera.id}/footage?from={text_of(self.began)}&to={text_of(time.time())}").json["items"]
        return max((seconds_of(one["lastAt"]) for one in items), default=0)

    # MARK: Looking back

    def looking_back_gives_the_pictures_of_that_time(self):
        for camera in self.steady:
            view = camera.views[0]
            moment = view.newest - 3
            hour = moment // HOUR * HOUR
            start = int((moment - hour) * 1000)
            pictures = self.media(camera, hour, start, start + 1500)
            hold(min(pictures) <= moment and min(pictures) > moment - 2 and max(pictures) >= moment + 1.4 and max(pictures) < moment + 3,
                 f"footage from {text_of(moment)} on, for 1.5 s, has pictures from {text_of(min(pictures))} to {text_of(max(pictures))}")
            hold(not self.media(camera, hour - 24 * HOUR, 0, HOUR * 1000), "there is footage of yesterday")

    def a_still_is_the_picture_of_its_moment(self):
        for camera in self.steady:
            moment = camera.views[0].newest - 2.5
            hour = moment // HOUR * HOUR
            start = int((moment - hour) * 1000)
            pictures = self.media(camera, hour, start, start)
            shown = pictures[max(one for one in pictures if one <= moment)]
            still = self.desk.get(f"/v1/cameras/{camera.id}/still?at={text_of(moment)}")
            hold(still.ok and still.headers["Content-Type"] == "image/jpeg", f"a still of {text_of(moment)}: {still}")
            numbers = numbers_of(still.body)
            hold(numbers == [shown], f"the still of {text_of(moment)} shows {numbers}, the footage {shown}")
            newest = self.desk.get(f"/v1/cameras/{camera.id}/still")
            hold(newest.ok and numbers_of(newest.body)[0] is not None, f"the newest still: {newest}")
            none = self.desk.get(f"/v1/cameras/{camera.id}/still?at={text_of(moment - 24 * HOUR)}")
            hold(none.status == 404, f"a still of yesterday: {none}")

    # MARK: What is archived

    def pictures_have_no_holes(self):
        """Each picture is one that its source sent at that time, in order; between kills none is far from the one before."""
        for camera in self.steady:
            seen = {moment for view in camera.views for moment, _ in view.pictures}
            pictures = list(self.footage(camera).items())
            made = self.made(camera, pictures)
            indexes, skews = [index for index, _, _ in made], [skew for _, skew, _ in made]
            hold(indexes == sorted(set(indexes)), f"pictures of camera {camera.number} come twice or out of order: {pictures}")
            hold(abs(statistics.median(skews)) < SKEW_MOST, f"pictures of camera {camera.number} are {statistics.median(skews):.2f} s from when they were sent")
            timely(max(map(abs, skews)) < SKEW_MOST, f"pictures of camera {camera.number} are up to {max(map(abs, skews)):.2f} s from when they were sent")
            hold(seen <= {moment for moment, _ in pictures}, f"a viewer saw pictures of camera {camera.number} that are not in its footage")
            runs = [[moment for moment, _ in pictures if start <= moment < end] for start, end in zip([0, *self.kills], [*self.kills, time.time()])]
            longest = max(later - sooner for run in runs for sooner, later in zip(run, run[1:]))
            hold(longest < HOLE_LEAST / 1000, f"camera {camera.number} has {longest:.2f} s without a picture while others failed")
            over_kills = [f"{later[0] - sooner[-1]:.1f}" for sooner, later in zip(runs, runs[1:])]
            rate = (len(pictures) - len(runs)) / sum(run[-1] - run[0] for run in runs)
            timely(rate > 0.9 * RATE, f"camera {camera.number} has {rate:.1f} pictures a second of {RATE}")
            steps = statistics.mean(later - sooner for sooner, later in zip(indexes, indexes[1:]) if later - sooner < SOURCE_RATE)
            print(f"  camera {camera.number} ({camera.settings()['source']}): {len(pictures)} pictures, {rate:.2f} a second, each {steps:.2f} of the source's after the one before; "
                  f"longest {longest:.2f} s without one, over kills {', '.join(over_kills) or 'none'} s; "
                  f"their times are {statistics.median(skews) * 1000:.0f} ms (at most {max(skews) * 1000:.0f}) after they were sent", flush=True)
        for camera in self.steady[:1] + self.steady[-1:]:
            self.tells_delay(camera)

    def tells_delay(self, camera):
        """How old a picture is when a viewer has it."""
        delays = []
        for view in camera.views:
            for start, webm in view.hours:
                pictures = [(start + milliseconds / 1000, number) for (milliseconds, _, _), number in zip(webm.blocks, numbers_of(webm.bytes))]
                offset = time.time() - time.monotonic()
                # What is older than the view was looked at late.
                delays += [came + offset - sent for (_, _, sent), (_, _, came) in list(zip(self.made(camera, pictures), webm.blocks))[2 * RATE:]]
        print(f"  camera {camera.number}: a picture is with its viewer {percentile(delays, 0.5):.2f} s after it was sent (p50), {percentile(delays, 0.99):.2f} s (p99), of {len(delays)}", flush=True)

    def what_was_altered_is_not_shown(self):
        camera = self.steady[0]
        moment = camera.views[0].newest - 3
        hour = moment // HOUR * HOUR
        path = f"/v1/cameras/{camera.id}/footage/media?hour={text_of(hour)}&from={int((moment - hour) * 1000)}&to={int((moment - hour) * 1000)}"
        shown = self.desk.get(path).body
        file = self.path(text_of(hour), camera)
        with open(file, "rb") as opened:
            # The middle of a cluster.
            at = opened.read().index(shown[-len(shown) // 2:])
        with altered(file, at):
            answer = self.desk.get(path)
            hold(not answer.ok, f"a cluster that was altered is shown: {answer}")
        hold(self.desk.get(path).body == shown, "a cluster that is as it was is not shown again")

    def path(self, hour, camera):
        return os.path.join(self.centre.folder, "media", "cameras", camera.id, hour[:10], f"{hour[11:13]}.webm")

    def minutes_are_as_logged(self):
        """What the log says of each minute is what stands in the file there, and minutes follow each other without a byte between them."""
        entries = [entry for entry in self.centre.entries() if entry["type"].startswith("camera.")]
        for camera in self.cameras:
            own = [entry for entry in entries if entry["subject"] == f"camera/{camera.id}"]
            minutes = [entry["data"] for entry in own if entry["type"] == "camera.minute_archived/1"]
            ends = {}
            for minute in minutes:
                self.is_as_logged(camera, minute, ends)
            for name, end in ends.items():
                left = os.path.getsize(os.path.join(self.centre.folder, "media", name)) - end
                hold(left == 0, f"{left} bytes of {name} are in no event after the gateway was stopped")
            hours = {int(seconds_of(minute["firstAt"])) // HOUR for minute in minutes}
            hold(len(ends) == len(hours), f"camera {camera.number} has footage of {len(hours)} hours in {sorted(ends)}")
            newest = max(view.newest for view in camera.views)
            hold(seconds_of(minutes[-1]["lastAt"]) >= newest - 0.001, f"camera {camera.number} is logged up to {minutes[-1]['lastAt']}, a viewer saw {text_of(newest)}")
            self.holes_are_told(camera, own)
        self.tells_sizes(entries)

    def is_as_logged(self, camera, minute, ends):
        with open(os.path.join(self.centre.folder, "media", minute["file"]), "rb") as file:
            file.seek(minute["offset"])
            webm = WebM()
            webm.push(file.read(minute["length"]))
        begins = ends.get(minute["file"], minute["offset"])
        hold(minute["offset"] == begins, f"camera {camera.number}: {minute} should begin at byte {begins}")
        ends[minute["file"]] = minute["offset"] + minute["length"]
        hour = seconds_of(minute["firstAt"]) // HOUR * HOUR
        spans = [(blocks[0][0], blocks[-1][0]) for _, blocks in webm.clusters]
        holes = [later[0] - sooner[1] for sooner, later in zip(spans, spans[1:])]
        found = {"clusters": len(webm.clusters), "frames": len(webm.blocks), "firstAt": text_of(hour + spans[0][0] / 1000), "lastAt": text_of(hour + spans[-1][1] / 1000),
                 "missingMilliseconds": sum(hole for hole in holes if hole >= HOLE_LEAST)}
        hold(found.items() <= minute.items(), f"camera {camera.number}: {minute} is logged, in the file are {found}")
        hold(len({(hour + first / 1000) // 60 for first, _ in spans}) == 1, f"camera {camera.number}: {minute} is of more than one minute")

    def holes_are_told(self, camera, entries):
        """Between minutes pictures are missing where the log has the camera offline, the gateway was killed, or the source was slow."""
        minutes = [entry["data"] for entry in entries if entry["type"] == "camera.minute_archived/1"]
        standings = [entry for entry in entries if entry["type"] == "camera.standing_changed/1"]
        breaks = self.kills + [seconds_of(entry["time"]) for entry in standings if entry["data"]["standing"] == "offline"]
        for sooner, later in zip(minutes, minutes[1:]):
            hole = seconds_of(sooner["lastAt"]), seconds_of(later["firstAt"])
            hold(hole[1] - hole[0] < HOLE_LEAST / 1000 or camera == self.failing[-1] or any(hole[0] <= moment <= hole[1] for moment in breaks),
                 f"camera {camera.number}: nothing tells why no picture is between {sooner['lastAt']} and {later['firstAt']}; it was {standings}")
        if camera in self.failing:
            told = [" ".join(filter(None, (entry["data"]["standing"], entry["data"].get("cause")))) for entry in standings]
            missing = sum(minute["missingMilliseconds"] for minute in minutes)
            print(f"  camera {camera.number}: {', '.join(told)}; {missing} ms are missing within minutes", flush=True)
            hold(missing > 0 or camera != self.failing[-1], "nothing tells what a slow camera did not show")

    def tells_sizes(self, entries):
        """What a counted camera costs, and a month of many."""
        ids = {f"camera/{camera.id}" for camera in self.steady}
        own = [entry for entry in entries if entry["subject"] in ids]
        minutes = [entry["data"] for entry in own if entry["type"] == "camera.minute_archived/1"]
        length = sum(seconds_of(minute["lastAt"]) - seconds_of(minute["firstAt"]) for minute in minutes) / 60
        size, count = sum(minute["length"] for minute in minutes) / length, (len(own) - len(ids)) / length
        words = statistics.mean(len(json.dumps(entry)) for entry in own)
        print(f"  a camera and minute: {size / 1000:.0f} kB ({size * 8 / 60_000:.0f} kbit/s) and {count:.2f} events of {words:.0f} bytes as exported", flush=True)
        if length > 2 * len(ids):
            # Of a shorter time, beginnings and ends would be most.
            month = MONTH_MINUTES * MONTH_CAMERAS
            print(f"  a month of {MONTH_CAMERAS} cameras: {size * month / 1e9:.0f} GB and {count * month:.0f} events, {count * month * words / 1e6:.0f} MB as exported", flush=True)

    # MARK: Damage

    def damage_is_found(self):
        camera = self.steady[0]
        minute = next(entry["data"] for entry in self.centre.entries() if entry["type"] == "camera.minute_archived/1" and entry["subject"] == f"camera/{camera.id}")
        file = os.path.join(self.centre.folder, "media", minute["file"])
        aside = os.path.join(os.path.dirname(self.centre.folder), "aside.webm")
        os.rename(file, aside)
        self.is_damaged(minute["file"], "is missing")
        os.rename(aside, file)
        with altered(file, minute["offset"] + minute["length"] // 2):
            self.is_damaged(minute["file"], "is not what was archived")
        self.centre.verify()

    def is_damaged(self, name, words):
        done = self.centre.daybook("verify", "--without", "read")
        text = (done.stdout + done.stderr).decode()
        hold(done.returncode == 1 and name in text and words in text, f"verify ended with {done.returncode}: {text[-2000:]}")


@contextlib.contextmanager
def altered(path, at):
    """One byte of a file is another one."""
    with open(path, "r+b", buffering=0) as file:
        file.seek(at)
        byte = file.read(1)[0]
        for value in (byte ^ 1, byte):
            file.seek(at)
            file.write(bytes([value]))
            if value != byte:
                yield


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--mjpeg", type=int, default=1, help="cameras of JPEG over HTTP")
    parser.add_argument("--rtsp", type=int, default=1, help="cameras of H.264 over RTSP")
    parser.add_argument("--seconds", type=float, default=20, help="to record")
    parser.add_argument("--kills", type=int, default=1, help="of the gateway in that time")
    run(main, parser.parse_args())
