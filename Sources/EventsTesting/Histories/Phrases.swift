// SPDX-License-Identifier: Apache-2.0
import Events

/// What people in a made-up history say.
enum Phrases {
    static let caller = [
        "Hello, I need help.", "There is smoke coming from the flat below.",
        "We are two people, one is hurt.",
        "A car has hit a tree.", "Este cineva lângă mine care nu răspunde.",
        "Ich höre Sie nicht, bitte schreiben.",
        "I am on the third floor.", "She is breathing.", "Please hurry 🙏", "ok", "Yes",
        "No, only one car.",
        "I can show you with the camera.", "We are outside now.",
    ]
    static let `operator` = [
        "Emergency centre, what happened?", "Help is on its way.", "Please stay where you are.",
        "Are you safe?", "Can you start the camera?", "How many people are hurt?",
        "Rămâneți pe linie.",
        "Keep away from the smoke.", "Please tell me when they arrive.", "Thank you.",
    ]
    static let dispositions = [
        "handled", "transferred to police", "false alarm", "no answer", "advice given",
    ]
    static let species = ["swan", "hedgehog", "deer", "fox", "gull", "porpoise"]

    private static let first = [
        "Ana", "Ștefan", "Zoë", "Łukasz", "Mehmet", "Noor", "Jürgen", "Françoise", "Olu",
    ]
    private static let last = [
        "Ionescu", "Müller", "O'Neill", "Nowak", "Kaya", "de Vries", "García", "Åkesson",
    ]

    /// A person's name.
    static func name(_ arbitrary: inout Arbitrary) -> String {
        arbitrary.element(of: first) + " " + arbitrary.element(of: last)
    }
}
