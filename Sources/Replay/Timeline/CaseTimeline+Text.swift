// SPDX-License-Identifier: Apache-2.0
public import Events

extension CaseTimeline {
    /// The timeline for people: an entry on a line, with its file range on another if it has one.
    public func text(_ style: TextStyle = .plain) -> String {
        var lines = [
            "\(style.bold(root))  \(entries.count) entries of \(subjects.count) subjects, ledger at \(size)"
        ]
        let width = entries.map(\.subject.shortSubject.count).max() ?? 0
        for entry in entries { lines += entry.lines(subjectWidth: width, style) }
        lines += UnreadableEntries.lines(leftOut ?? [], style)
        if let fault { lines.append(style.red("another end") + "  \(fault.printable)") }
        return lines.joined(separator: "\n")
    }
}

extension UnreadableEntries {
    /// What was left out, for people.
    static func lines(_ leftOut: [UnreadableEntries], _ style: TextStyle) -> [String] {
        let told = leftOut.prefix(ReplayLimits.findingsPerCheckMax).map {
            style.red("left out") + "  \($0.place): \($0.reason.printable)"
        }
        let more = leftOut.count - told.count
        return told + (more > 0 ? ["  … and \(more) more"] : [])
    }

    /// The same in one line, to be said beside what was shown.
    public static func words(_ leftOut: [UnreadableEntries]) -> String {
        let places = leftOut.prefix(5).map(\.place).joined(separator: ", ")
        return "left out what cannot be read: \(leftOut.count > 5 ? "\(places), …" : places)"
    }
}

extension CaseEntry {
    fileprivate func lines(subjectWidth: Int, _ style: TextStyle) -> [String] {
        let words = kind.prefix { $0 != "/" }.replacing("_", with: " ").replacing(".", with: " ")
        var line = "\(String(position).leading(8))  \(style.dim(time))  "
        line += "\(subject.shortSubject.padded(to: subjectWidth))  \(style.bold(String(words)))"
        line += "  \(style.dim(actor))"
        let indent = String(repeating: " ", count: 10)
        if isEarlier == true { line += "  " + style.dim("(before it came here)") }
        var lines = [line]
        if let occurredAt, let skewMilliseconds {
            lines.append(indent + style.dim("device \(occurredAt), \(skew(skewMilliseconds))"))
        }
        if let file { lines.append(indent + style.cyan(file.words)) }
        let said = says.filter { file == nil || !Self.fileMembers.contains($0.name) }
        if !said.isEmpty {
            lines.append(indent + said.map { $0.words(style) }.joined(separator: "  "))
        }
        return lines
    }

    /// What the line about the file says already.
    private static let fileMembers: Set<String> = [
        "file", "offset", "length", "firstMilliseconds", "lastMilliseconds", "sha256",
    ]

    private func skew(_ milliseconds: Int64) -> String {
        milliseconds < 0
            ? "\(-milliseconds) ms ahead of the server" : "recorded \(milliseconds) ms later"
    }
}

extension CaseFile {
    fileprivate var words: String {
        var words = name.printable
        if let offset, let length { words += "  bytes \(offset)..<\(offset + length)" }
        if let firstMilliseconds, let lastMilliseconds {
            words += "  \(Self.seconds(firstMilliseconds))–\(Self.seconds(lastMilliseconds)) s"
        }
        return words
    }

    private static func seconds(_ milliseconds: Int) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

extension CaseValue {
    fileprivate func words(_ style: TextStyle) -> String {
        switch state {
        case .plain: "\(style.dim(name.printable))=\((value ?? "").quoted)"
        case .opened: "\(style.dim(name.printable))=\(style.cyan((value ?? "").quoted))"
        case .sealed: "\(style.dim(name.printable))=\(style.yellow("sealed"))"
        case .erased: "\(style.dim(name.printable))=\(style.red("erased"))"
        }
    }
}

extension String {
    /// `session/…1f2e`: enough to tell subjects apart on a line.
    fileprivate var shortSubject: String {
        guard let slash = firstIndex(of: "/"), count > 24 else { return self }
        return "\(self[..<slash])/…\(suffix(6))"
    }

    fileprivate func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
