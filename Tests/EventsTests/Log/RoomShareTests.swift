// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Events

@Suite struct `The room of a kind` {
    @Test func `is judged for every kind that is written, and for no other`() {
        let written = Set(EventCatalog.current.written)
        let judged = Set(RoomShare.judged.keys)
        #expect(written.subtracting(judged).isEmpty, "judge them in RoomShare")
        #expect(judged.subtracting(written).isEmpty)
    }

    @Test(arguments: [
        SessionResumed.kind, SessionOffered.kind, SessionOfferDeclined.kind,
        SessionTransferred.kind, SessionReleased.kind, SessionExpired.kind, StreamInterrupted.kind,
        UserLoggedOut.kind,
    ])
    func `lets whoever is at a desk stay there, and ends what is over`(kind: Kind) {
        #expect(RoomShare.of(kind) == .short)
    }
}
