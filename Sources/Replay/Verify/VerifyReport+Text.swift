// SPDX-License-Identifier: Apache-2.0
extension VerifyReport {
    /// The report for people.
    ///
    /// - Parameter style: Colours, or none.
    /// - Returns: The lines, without a line end behind the last.
    public func text(_ style: TextStyle = .plain) -> String {
        var lines = ["\(style.bold(subject))\(origin.map { "  \($0.printable)" } ?? "")"]
        let width = checks.map(\.name.count).max() ?? 0
        for check in checks {
            let name = check.name.padded(to: width)
            lines.append(
                "  \(name)  \(check.summary.printable)  \(style.dim(Self.seconds(check.seconds)))"
            )
        }
        if let root { lines.append("  \("root".padded(to: width))  \(root)") }
        if let key {
            lines.append(
                "  \("key".padded(to: width))  \(key.vkey)  \(style.dim("believed from \(key.source)"))"
            )
        }
        if !erased.isEmpty { lines += erasedLines(width) }
        if !findings.isEmpty { lines.append("") }
        for finding in findings { lines += Self.lines(finding, style) }
        let hidden =
            damageCount + repairableCount
            - findings.count { $0.severity == .damage || $0.severity == .repairable }
        if hidden > 0 { lines.append("  … and \(hidden) more") }
        lines += ["", verdictLine(style)]
        return lines.joined(separator: "\n")
    }

    private func erasedLines(_ width: Int) -> [String] {
        erased.prefix(20).map { one in
            "  \("erased".padded(to: width))  person \(one.person) by position \(one.position)"
        } + (erased.count > 20 ? ["  … and \(erased.count - 20) more people"] : [])
    }

    private static func lines(_ finding: Finding, _ style: TextStyle) -> [String] {
        let mark =
            switch finding.severity {
            case .damage: style.red("DAMAGE    ")
            case .repairable: style.yellow("REPAIRABLE")
            case .missing: style.yellow("MISSING   ")
            case .note: style.dim("note      ")
            }
        var lines = ["  \(mark)  \(finding.place.printable): \(finding.fact.printable)"]
        if !finding.advice.isEmpty {
            lines.append("              \(style.dim(finding.advice.printable))")
        }
        return lines
    }

    private func verdictLine(_ style: TextStyle) -> String {
        let proof = key.flatMap { key in
            provedSize.map { proved in
                " \(proved) of them proved by a checkpoint signed with \(key.id)."
                    + (proved < sealedSize ?? 0
                        ? " The others are sealed under the master key." : "")
            }
        }
        let rest =
            notLookedAt.isEmpty ? "" : " Not looked at: \(notLookedAt.joined(separator: "; "))."
        guard isOfLog || verdict == .damage else {
            // Whoever compared read models with a log has not looked at the log.
            return style.green("\(readModelsCompared) read models equal the log.") + rest
        }
        switch verdict {
        case .sound: return style.green("Sound: \(size) entries.\(proof ?? "")")
        case .soundAsFarAsLookedAt:
            return style.green("Sound as far as looked at: \(size) entries.\(proof ?? "")") + rest
        case .unproved:
            let why =
                isKeptOut
                ? "what they name is there and cannot be read here, so that nothing is said of it; look as a user who may"
                : "no signature that was checked covers any of them"
            return style.yellow("Unproved: \(size) entries, and \(why).") + rest
        case .damage: return style.red("Not sound: \(damageWords).") + rest
        }
    }

    private var damageWords: String {
        let first = findings.compactMap(\.position).min().map { ", the first at position \($0)" }
        let parts = [
            damageCount > 0 ? "\(damageCount) damaged" : nil,
            repairableCount > 0 ? "\(repairableCount) repairable" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
        return "\(parts)\(damageCount > 0 ? first ?? "" : "")"
    }

    private static func seconds(_ seconds: Double) -> String {
        let tenths = Int((seconds * 100).rounded())
        return "\(tenths / 100).\(tenths / 10 % 10)\(tenths % 10) s"
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
