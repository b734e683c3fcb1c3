// SPDX-License-Identifier: Apache-2.0

/// What a path below `tile/` names: hashes or entries (C2SP tlog-tiles).
public enum TilePath: Hashable, Sendable {
    /// `tile/<L>/<N>[.p/<W>]`
    case hashes(Tile)
    /// `tile/entries/<N>[.p/<W>]`
    case entries(EntryBundle)

    /// Reads a path.
    ///
    /// - Parameter path: The path below the log's prefix, without a leading slash.
    /// - Throws: ``TileError/path(_:)`` for every spelling but the one that printing gives.
    public init(_ path: some StringProtocol) throws(TileError) {
        guard let parsed = Self.parse(path) else { throw .path(String(path)) }
        self = parsed
    }

    /// The path below the log's prefix, without a leading slash.
    public var description: String {
        switch self {
        case .hashes(let tile): tile.path
        case .entries(let bundle): bundle.path
        }
    }

    private static func parse(_ path: some StringProtocol) -> TilePath? {
        var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count >= 3, parts.removeFirst() == "tile" else { return nil }
        let kind = parts.removeFirst()
        guard let width = takeWidth(from: &parts), let index = index(of: parts) else { return nil }
        if kind == "entries" { return .entries(EntryBundle(index: index, width: width)) }
        guard let level = number(kind), level <= ProofLimits.tileLevelMax else { return nil }
        return .hashes(Tile(level: level, index: index, width: width))
    }

    /// Takes `.p/<W>` off the end; a path without it names a full tile.
    private static func takeWidth(from parts: inout [String]) -> Int? {
        guard parts.count >= 2, parts[parts.count - 2].hasSuffix(".p") else {
            return ProofLimits.tileWidth
        }
        guard let width = number(parts.removeLast()), 1..<ProofLimits.tileWidth ~= width else {
            return nil
        }
        parts[parts.count - 1].removeLast(2)
        return width
    }

    /// Joins the groups of three digits, all but the last marked with an `x`.
    private static func index(of groups: [String]) -> UInt64? {
        guard 1...6 ~= groups.count, groups.count == 1 || groups[0] != "x000" else { return nil }
        var index: UInt64 = 0
        for (place, group) in groups.enumerated() {
            let isLast = place == groups.count - 1
            guard isLast || group.hasPrefix("x") else { return nil }
            let digits = [UInt8](group.utf8.dropFirst(isLast ? 0 : 1))
            guard digits.count == 3, digits.allSatisfy(isDigit) else { return nil }
            // Six groups stay below 10^18, so this cannot overflow.
            index = digits.reduce(index) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
        }
        return index <= ProofLimits.tileIndexMax ? index : nil
    }

    /// Reads at most three decimal digits without a leading zero.
    private static func number(_ text: String) -> Int? {
        guard 1...3 ~= text.utf8.count, text.utf8.allSatisfy(isDigit) else { return nil }
        guard text == "0" || !text.hasPrefix("0") else { return nil }
        return Int(text)
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= character
    }

    /// Prints `<N>[.p/<W>]`, the index in groups of three digits.
    fileprivate static func suffix(index: UInt64, width: Int) -> String {
        var text = group(index % 1_000)
        var rest = index / 1_000
        while rest > 0 {
            text = "x\(group(rest % 1_000))/\(text)"
            rest /= 1_000
        }
        return width == ProofLimits.tileWidth ? text : "\(text).p/\(width)"
    }

    private static func group(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension TilePath: CustomStringConvertible {}

extension Tile {
    /// The path below the log's prefix, such as `tile/0/x001/x234/067.p/8`.
    public var path: String { "tile/\(level)/\(TilePath.suffix(index: index, width: width))" }
}

extension EntryBundle {
    /// The path below the log's prefix, such as `tile/entries/x001/x234/067.p/8`.
    public var path: String { "tile/entries/\(TilePath.suffix(index: index, width: width))" }
}
