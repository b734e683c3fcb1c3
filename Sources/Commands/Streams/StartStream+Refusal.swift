// SPDX-License-Identifier: Apache-2.0
import Events

extension StartStream.Refusal {
    var problemOfStarting: Problem {
        switch self {
        case .unavailable(let why): why.problem(of: "starting video")
        case .unacceptable(let fault): fault.problem
        case .exists(let stream):
            Problem(
                .conflict,
                "stream-exists",
                "starting video refused: stream \(stream) was started before; "
                    + "go on where its resume frame says, or start another",
                facts: ["stream": "\(stream)"]
            )
        case .consentRefused(let session):
            Problem(
                .forbidden,
                "consent-refused",
                "starting video refused: the caller of session \(session) did not agree to video; "
                    + "ask again and record the consent",
                facts: ["session": "\(session)", "scope": "video"]
            )
        case .tooManyStreams(let session, let max):
            Problem(
                .conflict,
                "session-streams-exhausted",
                "starting video refused: session \(session) had \(max) streams; "
                    + "resume one of them, or open a new session",
                facts: ["session": "\(session)", "max": String(max)]
            )
        case .notAsked(let session):
            Problem(
                .conflict,
                "video-not-asked",
                "starting video refused: nobody asked for it in session \(session) yet; "
                    + "put the wish, and begin when an operator has taken the session",
                facts: ["session": "\(session)"]
            )
        case .otherNumber(let session):
            Problem(
                .forbidden,
                "device-of-other-number",
                "starting video refused: session \(session) is for another number; "
                    + "use the phone with which you called",
                facts: ["session": "\(session)"]
            )
        case .deviceNotValid(let session):
            Problem(
                .forbidden,
                "device-not-valid",
                "starting video in session \(session) refused: the device is not registered; "
                    + "register it again",
                facts: ["session": "\(session)"]
            )
        }
    }
}
