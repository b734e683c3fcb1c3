// SPDX-License-Identifier: Apache-2.0
import Testing

/// What anyone can show of a running gateway from outside; here in small, in full by the programs' own options.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A gateway seen from outside` {
    @Test
    func `appends through HTTP what export, tile and signed root agree on (promises 2 and 5)`()
        async throws
    {
        try await OutsideProgram(name: "append_proof").holds("--messages", "20")
    }

    @Test func `loses and doubles nothing under kill -9 (promises 1 and 3)`() async throws {
        try await OutsideProgram(name: "kill_rounds").holds("--rounds", "5")
    }

    @Test func `writes no receipt before its commit is synced (promises 1 and 9)`() async throws {
        try await OutsideProgram(name: "sync_order").holds("--messages", "40")
    }

    @Test func `gives a session to one of many who claim it at once (promise 4)`() async throws {
        try await OutsideProgram(name: "claims").holds("--operators", "8")
    }

    @Test func `refuses bad input in words and stores nothing else (promise 10)`() async throws {
        try await OutsideProgram(name: "bad_input").holds()
    }

    @Test func `ends at no number, wherever it comes from (promise 10)`() async throws {
        try await OutsideProgram(name: "edges").holds()
    }

    @Test func `takes no longer for a text than for its length (promise 10)`() async throws {
        try await OutsideProgram(name: "dear_text").holds("--few")
    }

    @Test func `ends at no request that chance makes (promise 10)`() async throws {
        try await OutsideProgram(name: "request_fuzz").holds("--requests", "3000", "--people", "2")
    }

    @Test func `keeps a claimed session from every other operator and caller (promise 10)`()
        async throws
    {
        try await OutsideProgram(name: "private_session").holds()
    }

    @Test func `lets in who is declared to be, and nobody else (promise 10)`() async throws {
        try await OutsideProgram(name: "reach").holds("--few")
    }

    @Test func `falls silent when a right has ended (promise 10)`() async throws {
        try await OutsideProgram(name: "endings").holds("--few")
    }

    @Test func `gives nothing for a body that was held back until a right had ended (promise 10)`()
        async throws
    {
        try await OutsideProgram(name: "held_body").holds()
    }

    @Test func `erases nothing that a court holds, whoever asks (promise 10)`() async throws {
        try await OutsideProgram(name: "holds").holds()
    }

    @Test func `gets its read models back equal (promise 6)`() async throws {
        try await OutsideProgram(name: "read_models").holds("--messages", "120")
    }

    @Test func `mends a read model that was damaged while the others go on (promises 6 and 10)`()
        async throws
    {
        try await OutsideProgram(name: "damaged_models").holds("--models", "conversations")
    }

    @Test func `builds read models in linear time (promise 6)`() async throws {
        let history = try OutsideProgram.product("daybook-history")
        try await OutsideProgram(name: "doubling").holds(
            "--history",
            history,
            "--events",
            "4000",
            "--doublings",
            "1",
            "--ratio",
            "2.8"
        )
    }

    @Test func `can be replayed and proved on a read-only copy without keys (promises 5 and 7)`()
        async throws
    {
        try await OutsideProgram(name: "read_only_copy").holds()
    }

    @Test func `names each kind of damage and signs nothing forged (promise 5)`() async throws {
        try await OutsideProgram(name: "damage").holds("--few")
    }

    @Test func `archives every picture in its place, over kill -9 and parts (promise 9)`()
        async throws
    {
        let media = try OutsideProgram.product("daybook-media")
        try await OutsideProgram(name: "bar_codes").holds("--media", media)
    }

    @Test func `looks at six streams while all are live (promise 9)`() async throws {
        // On a machine that does other things besides; alone it takes two seconds.
        try await OutsideProgram(name: "many_streams").holds(
            "--streams",
            "6",
            "--seconds",
            "15",
            "--within",
            "5",
            "--recorded",
            "browser-320x180"
        )
    }

    @Test func `bounds the memory of pictures that are never finished (promise 10)`() async throws {
        try await OutsideProgram(name: "media_flood").holds()
    }

    @Test func `reads certificates on SIGHUP and bounds peers of HTTP/2 (promise 10)`()
        async throws
    {
        try await OutsideProgram(name: "door").holds()
    }

    @Test func `tells whoever runs it how it is`() async throws {
        try await OutsideProgram(name: "operations").holds()
    }

    @Test func `goes on, or refuses to start, and says so where somebody looks (promise 10)`()
        async throws
    {
        try await OutsideProgram(name: "unheard").holds()
    }

    @Test func `waits for a disk that is not mounted, and a file that stays (promises 9, 10)`()
        async throws
    {
        try await OutsideProgram(name: "disks").holds()
    }

    @Test func `writes nothing into a folder that is not its ledger's any more (promises 1, 5)`()
        async throws
    {
        try await OutsideProgram(name: "moved_folder").holds()
    }

    @Test func `keeps desks and stays in service with little room (promise 10)`() async throws {
        try await OutsideProgram(name: "little_room").holds()
    }

    @Test func `answers the source's chat frames as its files have them`() async throws {
        try await OutsideProgram(name: "chat_frames").holds()
    }

    @Test func `goes on with a chat after kill -9 (promise 3)`() async throws {
        try await OutsideProgram(name: "restart_chat").holds()
    }

    @Test func `tells a phone by Web Push what it must, once, over kill -9 (promise 8)`()
        async throws
    {
        try await OutsideProgram(name: "push").holds("--rounds", "4")
    }

    @Test func `records, alerts and limits by right time while its clock is wrong (promise 2)`()
        async throws
    {
        try await OutsideProgram(name: "clock_steps").holds()
    }

    @Test func `tells of the past what the pages' model makes of the timeline`() async throws {
        try await OutsideProgram(name: "replay_model").holds("--acts", "120")
    }

    @Test func `counts what a reader of the export counts`() async throws {
        let history = try OutsideProgram.product("daybook-history")
        try await OutsideProgram(name: "trends_check").holds(
            "--history",
            history,
            "--events",
            "5000"
        )
    }
}
