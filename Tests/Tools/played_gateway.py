# SPDX-License-Identifier: Apache-2.0
"""What the pages' senders of video, messages and pictures do with what a gateway answers. Steps in a page's own language; the gateway is played by the page."""

from centre import hold

# A sender whose connections answer what the step says: `play()` gives it, its newest socket's frames by `sent`, and what it told.
PLAYED_GATEWAY = """async () => {
    const { Sender } = await import('/web/media/sender.js');
    // The page's clock, which a sender measures silence by: it stands, and is set on by so many seconds.
    const begun = performance.now();
    let ahead = 0;
    const play = ({ left = [] } = {}) => {
        performance.now = () => begun + ahead * 1000;
        const told = { stopped: [], faults: [], forgotten: [], ready: 0, posts: 0 }, sockets = [];
        const api = {
            socket: () => {
                const socket = { readyState: 1, bufferedAmount: 0, sent: [], isClosed: false,
                    send: (frame) => socket.sent.push(typeof frame === 'string' ? JSON.parse(frame) : { type: 'bytes', part: new DataView(frame.buffer).getUint32(0), size: frame.length - 12 }),
                    close: () => { socket.isClosed = true; }, say: (frame) => socket.onmessage({ data: JSON.stringify(frame) }),
                    of: (type) => socket.sent.filter((frame) => frame.type === type) };
                sockets.push(socket);
                return socket;
            },
            get: async () => ({ state: 'live' }), post: async () => { told.posts++; },
        };
        const kept = { add() {}, forget: (part) => told.forgotten.push(part.number), clear() {}, release() {} };
        const sender = new Sender(api, 'one', () => ({ quality: 'low' }), kept, left, {
            onReady: () => told.ready++, onStopped: (end) => told.stopped.push(end), onFault: (text, seconds) => told.faults.push(seconds),
        });
        const breaks = async () => {
            const { length } = sockets;
            sockets.at(-1).onclose();
            while (sockets.length === length) await new Promise((next) => setTimeout(next, 20));
            sockets.at(-1).onopen();
        };
        sockets[0].onopen();
        return { sender, told, sockets, breaks, get socket() { return sockets.at(-1); } };
    };
    play.later = async (seconds) => { ahead += seconds; await new Promise((next) => setTimeout(next, 1200)); };
    play.over = () => { delete performance.now; };
    play.kept = (number, size) => ({ number, startedAt: 0, pieces: [{ offset: 0, bytes: new Uint8Array(size), at: 1000 }, { offset: size, bytes: new Uint8Array(size), at: 9000 }] });
    return play;
}"""

# By what is promised: a step that gives `true`.
SENDING = {
    "after stop what is kept is sent, and only then the stream is stopped": """
        const one = play({ left: [play.kept(0, 10), play.kept(1, 10)] });
        one.sender.stop('enough');
        one.sender.beginPart(); one.sender.push(new Uint8Array(5));
        one.socket.say({ type: 'resume', part: 0, offset: 0 });
        const first = one.socket.of('bytes').map((f) => f.part).join() === '0,0,1,1' && one.socket.of('late').map((f) => f.part).join() === '1' && one.told.ready === 0;
        one.socket.say({ type: 'resume', part: 1, offset: 0 });
        const isSent = one.socket.of('end').map((f) => f.part).join() === '0,1' && one.socket.of('stop').length === 0;
        await play.later(17);
        const waits = one.socket.of('stop').length === 0 && one.sender.keptSeconds === 16 && one.sockets.length === 1 && !one.socket.isClosed;
        one.socket.say({ type: 'archived', part: 0, through: 20, ended: true });
        one.socket.say({ type: 'archived', part: 1, through: 20, ended: true });
        const stops = one.socket.of('stop').map((f) => f.reason).join() === 'enough' && one.told.stopped.length === 0;
        one.socket.say({ type: 'stopped' });
        return first && isSent && waits && stops && one.told.stopped.length === 1 && one.told.stopped[0].unsentSeconds === 0 && one.told.posts === 0;""",
    "what was ended on a connection that broke is asked for and ended on the next": """
        const one = play({ left: [play.kept(0, 10)] });
        one.sender.stop('enough');
        one.socket.say({ type: 'resume', part: 0, offset: 0 });
        const before = one.socket;
        await one.breaks();
        const isKept = one.sender.keptSeconds === 8 && one.told.forgotten.length === 0;
        one.socket.say({ type: 'resume', part: 4, offset: 1 });
        one.socket.say({ type: 'resume', part: 0, offset: 0 });
        const isEnded = one.socket.of('late').length === 1 && one.socket.of('bytes').length === 2 && one.socket.of('end').length === 1;
        one.socket.say({ type: 'archived', part: 0, through: 12, ended: true });
        const isDone = one.sender.keptSeconds === 0 && one.socket.of('stop').length === 1;
        one.sender.abandon();
        return before.of('end').length === 1 && isKept && isEnded && isDone;""",
    "a connection that says nothing is left: after 8 s with the picture of now on it, after 20 s with only what was kept": """
        const late = play({ left: [play.kept(0, 10)] });
        late.sender.stop('enough');
        late.socket.say({ type: 'resume', part: 0, offset: 0 });
        await play.later(17);
        const isPatient = !late.sockets[0].isClosed && late.sender.isConnected;
        await play.later(3);
        const isLeft = late.sockets[0].isClosed && !late.sender.isConnected && late.sender.keptSeconds === 8;
        late.sender.abandon();
        const live = play();
        live.socket.say({ type: 'resume', part: 0, offset: 0 });
        live.sender.beginPart(); live.sender.push(new Uint8Array(5));
        await play.later(5);
        live.sender.push(new Uint8Array(5));
        const stands = !live.sockets[0].isClosed && live.sender.isConnected;
        await play.later(3);
        live.sender.push(new Uint8Array(5));
        const isGone = live.sockets[0].isClosed && !live.sender.isConnected;
        live.sender.abandon();
        return isPatient && isLeft && stands && isGone;""",
    "a part that is refused is let go of alone; what is refused without a part is kept": """
        const one = play({ left: [play.kept(0, 10), play.kept(1, 10), play.kept(2, 10)] });
        one.socket.say({ type: 'resume', part: 0, offset: 0 });
        one.socket.say({ type: 'refused', part: 0, problem: 'urn:daybook:problem:media-refused', detail: 'no' });
        const isOne = one.sender.keptSeconds === 16 && one.told.forgotten.join() === '0' && one.told.faults.join() === '8';
        for (let time = 0; time < 9; time++) one.socket.say({ type: 'refused', problem: 'urn:daybook:problem:too-many-requests', detail: 'later' });
        const isKept = one.sender.keptSeconds === 16 && one.told.stopped.length === 0;
        one.socket.say({ type: 'refused', problem: 'urn:daybook:problem:stream-stopped', detail: 'over' });
        return isOne && isKept && one.told.stopped.length === 1 && one.told.stopped[0].unsentSeconds === 16;""",
    "what was written in a session is not sent in another one": """
        const { Chat, forgetUnsent } = await import('/web/core/chat.js'), { lostWords } = await import('/web/core/lost.js'), { ofTab } = await import('/web/core/storage.js');
        const sockets = [], unsent = [], api = { socket: () => { const s = { readyState: 1, sent: [], send: (f) => s.sent.push(JSON.parse(f)), close() {} }; sockets.push(s); return s; } };
        const open = async (session) => {
            const chat = new Chat(api, { store: 'test', storage: ofTab, written: () => session }, { onUnsent: ({ count, posted }) => unsent.push(`${count} ${posted}`) });
            await chat.connect();
            sockets.at(-1).onopen();
            return chat;
        };
        const opened = (session) => sockets.at(-1).onmessage({ data: JSON.stringify({ Type: 'session', Status: 'open', IncidentID: session }) });
        const texts = () => sockets.at(-1).sent.filter((f) => f.Type === 'message').map((f) => f.Message).join();
        const first = await open('a');
        first.send('one'); first.send('two'); first.leave();
        const again = await open('a');
        await opened('a'); await new Promise((next) => setTimeout(next, 50));
        const isSame = texts() === 'one,two' && unsent.length === 0;
        again.leave();
        const other = await open('b');
        other.send('three');
        await opened('b'); await new Promise((next) => setTimeout(next, 50));
        const isOther = texts() === 'three' && unsent.join() === '2 2';
        other.end();
        const isGone = unsent.join() === '2 2,1 1' && sessionStorage.getItem('test') === null;
        const left = await open('a'); left.send('four'); left.leave();
        return isSame && isOther && isGone && (await forgetUnsent('test', ofTab, 'a')).count === 0 && (await forgetUnsent('test', ofTab, 'b')).count === 1
            && sessionStorage.getItem('test') === null && lostWords({ count: 2, posted: 0 }, 'of your last contact') === '2 messages of your last contact were not sent.'
            && lostWords({ count: 1, posted: 1 }, 'to a caller') === '1 message to a caller may not have arrived.'
            && lostWords({ count: 3, posted: 2 }, 'to a caller') === '1 message to a caller was not sent, and 2 more may not have arrived.';""",
    "a connection is left for a message without an answer, not for one that is to be sent again": """
        const { Chat } = await import('/web/core/chat.js'), { ofTab } = await import('/web/core/storage.js');
        const sockets = [];
        // Who waits for a message goes on as soon as it is sent: what is waited for next is counted from there.
        let told = () => {};
        const api = { socket: () => { const s = { readyState: 1, sent: [], send: (f) => { s.sent.push(JSON.parse(f)); told(); }, close() { s.isClosed = true; told(); } }; sockets.push(s); return s; } };
        const real = window.setTimeout, wait = (seconds) => new Promise((next) => real(next, seconds * 50));
        // Twenty times as fast.
        window.setTimeout = (call, milliseconds) => real(call, milliseconds / 20);
        try {
            const chat = new Chat(api, { store: 'test', storage: ofTab }, {});
            await chat.connect();
            const [socket] = sockets, say = (frame) => socket.onmessage({ data: JSON.stringify(frame) }), sent = () => socket.sent.filter((f) => f.Type === 'message');
            socket.onopen();
            say({ Type: 'session', Status: 'open', IncidentID: 'a' });
            await wait(0.5);
            const { temporaryID } = chat.send('one');
            const refuse = () => say({ Type: 'message_report', Status: 'failed', TempMessageID: temporaryID, Error: 'Not now. It will be sent again.' });
            const until = async (count) => { while (sent().length < count && !socket.isClosed) await new Promise((next) => (told = next)); };
            refuse();
            for (const count of [2, 3]) { await until(count); refuse(); }
            // The third try is answered, the fourth comes eight seconds later, when the first is older than ten.
            await until(4);
            const stands = !socket.isClosed && sent().length === 4;
            await wait(7);
            const waits = !socket.isClosed;
            while (!socket.isClosed) await wait(0.2);
            chat.end();
            return stands && waits && sessionStorage.getItem('test') === null;
        } finally {
            window.setTimeout = real;
        }""",
    "a message to which a centre never answers that answers to others is given up, whole and once": """
        const { Chat } = await import('/web/core/chat.js'), { ofTab } = await import('/web/core/storage.js');
        const sockets = [], reports = [], api = { socket: () => { const s = { readyState: 1, sent: [], send: (f) => s.sent.push(JSON.parse(f)), close() { s.onclose?.(); } }; sockets.push(s); return s; } };
        const real = window.setTimeout, wait = (seconds) => new Promise((next) => real(next, seconds * 50));
        window.setTimeout = (call, milliseconds) => real(call, milliseconds / 20);
        try {
            const chat = new Chat(api, { store: 'test', storage: ofTab }, { onReport: (report) => reports.push({ ...report, connections: sockets.length }) });
            await chat.connect();
            chat.send('a\\ud83d'); chat.send('two');
            for (let turn = 0; turn < 9 && reports.filter((one) => one.state === 'failed').length === 0; turn++) {
                const socket = sockets.at(-1), say = (frame) => socket.onmessage({ data: JSON.stringify(frame) });
                socket.onopen();
                say({ Type: 'session', Status: 'open', IncidentID: 'a' });
                await wait(2);
                for (const one of socket.sent.filter((f) => f.Message === 'two')) say({ Type: 'message_report', Status: 'delivered', TempMessageID: one.TempMessageID, MessageID: 'm' });
                say({ Type: 'session', Status: 'active' });
                for (let n = 0; n < 200 && sockets.at(-1) === socket && !reports.some((one) => one.state === 'failed'); n++) await wait(0.2);
            }
            const failed = reports.filter((one) => one.state === 'failed');
            const isWhole = sockets.every((socket) => socket.sent.every((f) => !f.Message || f.Message.isWellFormed()));
            chat.end();
            return failed.length === 1 && failed[0].message.text === 'a\\ufffd' && failed[0].connections === 4 && isWhole && reports.filter((one) => one.state === 'taken').length === 1;
        } finally {
            window.setTimeout = real;
        }""",
    "pictures that wait are not sent in another session, and are forgotten with theirs": """
        const { Pictures, forgetPictures, pictureNames } = await import('/web/core/pictures.js');
        const sent = [], unsent = [], api = { upload: async (path) => { sent.push(path.split('/')[3]); return { message: 'm' }; } };
        const make = (session) => new Pictures(api, { name: 'test', isKept: true, session: () => session }, { onReport() {}, onUnsent: ({ count, posted }) => unsent.push(`${count} ${posted}`) });
        const file = new Blob([new Uint8Array(9)], { type: 'image/png' });
        const until = async (holds) => { for (let n = 0; n < 200; n++) { if (await holds()) return true; await new Promise((next) => setTimeout(next, 20)); } return false; };
        make('a').send(file);
        if (!await until(async () => (await pictureNames()).includes('test'))) return false;
        const other = make('b');
        await other.load(); other.open('b'); other.send(file);
        const isOther = await until(() => sent.length) && sent.join() === 'b' && unsent.join() === '1 0';
        if (!await until(async () => !(await pictureNames()).includes('test'))) return false;
        make('c').send(file);
        if (!await until(async () => (await pictureNames()).includes('test'))) return false;
        const gone = await forgetPictures((picture) => picture.name === 'test' && picture.session === 'c');
        return isOther && gone.length === 1 && !(await pictureNames()).includes('test');""",
    "what is kept of a stream that another tab sends is not forgotten": """
        const { KeptVideo } = await import('/web/media/kept.js');
        const piece = { offset: 0, bytes: new Uint8Array(3), at: 1 };
        const held = new KeptVideo('held'), left = new KeptVideo('left'), noted = new KeptVideo('noted'), borrowed = new KeptVideo('borrowed', { isOnDevice: false });
        await held.claim();
        for (const kept of [held, left, noted, borrowed]) kept.add({ number: 0, startedAt: 0 }, piece);
        await new KeptVideo('other').read(); await held.read();
        await KeptVideo.forgetOthers(() => ['noted']);
        const there = []; for (const name of ['held', 'left', 'noted', 'borrowed']) there.push((await new KeptVideo(name).read()).length);
        const isTaken = !(await new KeptVideo('held').claim());
        held.release();
        const isFree = await new KeptVideo('held').claim();
        await KeptVideo.forgetOthers(() => []);
        noted.clear();
        return there.join() === '1,0,1,0' && isTaken && isFree;""",
}


def sends_and_keeps(page):
    """Plays each step in a page of the gateway's."""
    for name, step in SENDING.items():
        hold(page.evaluate(f"({PLAYED_GATEWAY})().then(async (play) => {{ try {{ {step} }} finally {{ play.over(); }} }})") is True, name)
