// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The pages as people use them: a real Chromium with a camera that is none, driven from outside.
@Suite(.tags(.promise9), .serialized, .timeLimit(.minutes(10))) struct `The pages in a real browser` {
    @Test
    func `carry an emergency from signing in to closing, over kill -9 and reloads (promise 9)`()
        async throws
    {
        let media = try OutsideProgram.product("daybook-media")
        try await OutsideProgram(name: "browser_emergency").holds("--media", media)
    }

    @Test
    func `tell who claimed first, end a call that nobody answers, and open without a network`()
        async throws
    {
        try await OutsideProgram(name: "browser_calls").holds()
    }

    @Test func `catch up after a sleep, and show another's claim without asking`() async throws {
        try await OutsideProgram(name: "browser_asleep").holds("--asleep", "8", "--claims", "10")
    }

    @Test func `lose no picture that was encoded when the caller's page dies (promise 9)`()
        async throws
    {
        let media = try OutsideProgram.product("daybook-media")
        try await OutsideProgram(name: "browser_crash").holds("--media", media)
    }

    @Test func `are worked by the keyboard alone, with the focus seen at every stop`() async throws
    {
        try await OutsideProgram(name: "browser_walk").holds()
    }

    @Test func `let a caller in by a one-use link, in a browser that was never registered`()
        async throws
    {
        try await OutsideProgram(name: "browser_link").holds()
    }

    @Test
    func `serve a caller without network, camera, storage or a right clock, and say so`()
        async throws
    {
        try await OutsideProgram(name: "browser_caller").holds()
    }

    @Test
    func `hold where the gateway is frozen, a file is missing, a browser old, or a chat long`()
        async throws
    {
        try await OutsideProgram(name: "browser_frame").holds()
    }

    @Test func `serve a phone of four years ago, by what its browser has`() async throws {
        try await OutsideProgram(name: "browser_old").holds()
    }

    @Test func `tell what is true of the camera: which one, its light, size and pictures a second`()
        async throws
    {
        try await OutsideProgram(name: "browser_film").holds()
    }

    @Test func `keep a conversation by text alone going, until it is ended and said to be`()
        async throws
    {
        try await OutsideProgram(name: "browser_conversation").holds()
    }

    @Test func `serve operators also with a browser or a device that is not as it should be`()
        async throws
    {
        try await OutsideProgram(name: "browser_console").holds()
    }

    @Test func `tell whose operator had to leave, who has whose number, and what waits to be sent`()
        async throws
    {
        try await OutsideProgram(name: "browser_told").holds()
    }

    @Test func `tell the caller of a push in time, and not of one that comes too late`()
        async throws
    {
        try await OutsideProgram(name: "browser_push").holds()
    }

    @Test func `send pictures from both sides, and keep what could not be sent over a reload`()
        async throws
    {
        try await OutsideProgram(name: "browser_pictures").holds()
    }

    @Test
    func `send the rest of a video that was stopped without a network, and say what was lost`()
        async throws
    {
        try await OutsideProgram(name: "browser_kept").holds()
    }

    @Test func `give a picture the room, upright or wide, and keep the last one when it ends`()
        async throws
    {
        try await OutsideProgram(name: "browser_stage").holds()
    }

    @Test func `make nothing old look new when a caller's network goes and comes back`()
        async throws
    {
        try await OutsideProgram(name: "browser_outage").holds()
    }

    @Test func `show the videos of two callers of one event side by side`() async throws {
        try await OutsideProgram(name: "browser_incident").holds()
    }

    @Test(arguments: ["chromium", "firefox"])
    func `carry a caller from a link to the closing, with a look back and a killed gateway`(
        browser: String
    ) async throws {
        let media = try OutsideProgram.product("daybook-media")
        try await OutsideProgram(name: "browser_whole")
            .holds("--media", media, "--browser", browser)
    }

    @Test func `show the console's live video and recordings in WebKit, over TLS`() async throws {
        try await OutsideProgram(name: "browser_webkit").holds()
    }

    @Test func `play an incident back, with everything as it stood at each moment`() async throws {
        try await OutsideProgram(name: "browser_replay").holds()
    }

    @Test func `ask an administrator before what cannot be taken back, and tell what was done`()
        async throws
    {
        try await OutsideProgram(name: "browser_admin").holds()
    }

    @Test func `show on a map where a caller is, also without the parts of others`() async throws {
        try await OutsideProgram(name: "browser_map").holds()
    }
}
