// SPDX-License-Identifier: Apache-2.0
/// What an event says, with the version of its shape: `session.created/1`.
///
/// Written once, never reused.
public struct Kind: NameText {
    public let text: String

    public init(unchecked text: String) {
        self.text = text
    }
}

extension Kind: ExpressibleByStringLiteral {
    /// Names a kind in the source; a misspelt literal is a mistake of ours and stops the program.
    public init(stringLiteral text: String) {
        precondition(isName(text), "\(text) is no kind such as session.created/1")
        self.init(unchecked: text)
    }
}
