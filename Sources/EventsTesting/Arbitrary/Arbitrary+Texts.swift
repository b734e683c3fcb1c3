// SPDX-License-Identifier: Apache-2.0
public import Events

extension Arbitrary {
    private static let edges = [
        "", " ", "\"", "\\", "\\\"\\", "/", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}",
        "\u{8}\t\n\u{C}\r", "null",
        "{\"sealed\":\"x.y\"}", "é", "e\u{301}", "ß", "€", "\u{FFFF}", "\u{E000}", "\u{10FFFF}",
        "😀", "👩‍👩‍👧‍👦",
        "🇷🇴", "שלום", "\u{202E}abc", "ﷺ", "\u{2028}\u{2029}", "a\u{0}b", "%00", "<script>", "'; --",
    ]

    private static let characters: [Unicode.Scalar] = Array(
        "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 .,;:-_/\\\"'\n\täöüéßșțăîâ€жшД中文字אב\u{1}😀🚑🔥\u{FB33}"
            .unicodeScalars
    )

    /// Any text up to 200 characters: empty, with control characters, beyond the basic plane, looking like JSON.
    public mutating func text() -> String {
        guard !one(in: 3) else { return element(of: Self.edges) }
        var text = String.UnicodeScalarView()
        for _ in 0..<number(0...(one(in: 10) ? 200 : 20)) {
            text.append(element(of: Self.characters))
        }
        return String(text)
    }

    /// A short word of small letters.
    public mutating func word() -> String {
        String(decoding: (0..<number(1...12)).map { _ in UInt8(number(97...122)) }, as: UTF8.self)
    }

    /// An account's id.
    public mutating func user() -> UserID {
        UserID(unchecked: "\(number(1...999_999_999))")
    }

    public mutating func organisation() -> OrganisationID {
        one(in: 2) ? .main : OrganisationID(unchecked: word())
    }

    /// A number in E.164 form.
    public mutating func phone() -> PhoneNumber {
        let digits = (0..<number(7...15)).map { _ in "\(number(0...9))" }.joined()
        guard let phone = PhoneNumber("+\(digits)") else {
            preconditionFailure("+\(digits) should be a telephone number")
        }
        return phone
    }

    public mutating func digest() -> SHA256Digest {
        SHA256Digest(bytes: (0..<32).map { _ in UInt8(number(0...255)) })
    }

    /// The name of any kind of thing.
    public mutating func id<Named>() -> Identifier<Named> {
        let time = Timestamp(microseconds: Int64(number(0...4_000_000_000_000)) * 1_000)
        return Identifier(at: time, using: &generator)
    }

    /// One of ``people``.
    public mutating func person() -> PersonID {
        element(of: people)
    }

    /// A value that is still open, about one of ``people``.
    public mutating func sealed<Value>(_ draw: (inout Arbitrary) -> Value) -> Sealed<Value> {
        .open(draw(&self), of: person())
    }

    public mutating func subject() -> Subject {
        switch number(0...4) {
        case 0: .session(id())
        case 1: .incident(id())
        case 2: .person(person())
        case 3: .user(user())
        default: .report(id())
        }
    }

    public mutating func actor() -> Actor {
        switch number(0...3) {
        case 0: .device(id())
        case 1: .policy(word())
        case 2: .ledger
        default: .user(user(), as: oneOf())
        }
    }
}
