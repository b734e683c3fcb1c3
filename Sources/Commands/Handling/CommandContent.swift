// SPDX-License-Identifier: Apache-2.0
import Events

/// What a command asks, hashed: its name, and the names and values of its members.
///
/// Members without a value are left out, so that a later version may have more of them.
enum CommandContent {
    static func digest<C: Command>(of command: C) -> SHA256Digest {
        var bytes: [UInt8] = []
        add(leaf: C.name, to: &bytes)
        add(command, to: &bytes)
        return SHA256Digest(of: bytes)
    }

    private static func add(_ value: Any, to bytes: inout [UInt8]) {
        if let data = value as? [UInt8] { return add(data, to: &bytes) }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .set, .dictionary:
            // Their order is chance.
            let parts = mirror.children.map { child in
                var part: [UInt8] = []
                add(child.value, to: &part)
                return part
            }
            for part in parts.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                add(part, to: &bytes)
            }
            add(leaf: "\(parts.count)", to: &bytes)
        case _ where mirror.children.isEmpty:
            add(leaf: String(describing: value), to: &bytes)
        default:
            for child in mirror.children where !isMissing(child.value) {
                add(leaf: child.label ?? "", to: &bytes)
                add(child.value, to: &bytes)
            }
            // Closes the list: no label is empty but those of lists, and none has this one.
            add(leaf: ")", to: &bytes)
        }
    }

    private static func isMissing(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }

    private static func add(leaf text: String, to bytes: inout [UInt8]) {
        add(Array(text.utf8), to: &bytes)
    }

    /// Each part with its length, so that no two run together.
    private static func add(_ part: [UInt8], to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: part)
    }
}
