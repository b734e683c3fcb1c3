// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Walks over the `data` of an entry, value by value, whatever its kind: for whoever shows or opens all of it.
///
/// Takes canonical JSON, which the caller has checked; what is not, ends the walk early.
struct DataWalk {
    /// One value that has no values inside.
    enum Leaf {
        case text(String)
        /// A number, true, false or null, as it is spelt.
        case plain(String)
        /// A sealed field: whose, and its box.
        case sealed(person: PersonID, box: String)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private let take: (_ path: [String], Leaf) -> Void

    /// Shows every leaf with the names and numbers that lead to it.
    static func leaves(
        of data: UnsafeBufferPointer<UInt8>,
        _ take: @escaping (_ path: [String], Leaf) -> Void
    ) {
        var walk = DataWalk(bytes: data, take: take)
        walk.value([])
    }

    /// The JSON pointer (RFC 6901) of a path.
    static func pointer(_ path: [String]) -> String {
        path.reduce(into: "") { pointer, name in
            pointer += "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
        }
    }

    private init(
        bytes: UnsafeBufferPointer<UInt8>,
        take: @escaping (_ path: [String], Leaf) -> Void
    ) {
        self.bytes = bytes
        self.take = take
    }

    private mutating func value(_ path: [String]) {
        guard index < bytes.count else { return }
        switch bytes[index] {
        case UInt8(ascii: "{"): object(path)
        case UInt8(ascii: "["): array(path)
        case UInt8(ascii: "\""): take(path, .text(string()))
        default: take(path, .plain(plain()))
        }
    }

    private mutating func object(_ path: [String]) {
        if let (person, box) = sealed() {
            take(path, .sealed(person: person, box: box))
            return
        }
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "}") {
            if bytes[index] == UInt8(ascii: ",") { index += 1 }
            let start = index
            let name = string()
            index += 1  // the colon
            value(path + [name])
            guard index > start else { break }
        }
        index += 1
    }

    private mutating func array(_ path: [String]) {
        index += 1
        var number = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
            if bytes[index] == UInt8(ascii: ",") { index += 1 }
            let start = index
            value(path + [String(number)])
            number += 1
            guard index > start else { break }
        }
        index += 1
    }

    /// `{"sealed":"<person>.<box>"}`, if that is what stands here.
    private mutating func sealed() -> (PersonID, String)? {
        let prefix = Array("{\"sealed\":\"".utf8)
        guard bytes[index...].starts(with: prefix) else { return nil }
        let start = index
        index += prefix.count - 1
        let text = string()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "}"),
            let dot = text.firstIndex(of: "."), let person = PersonID(String(text[..<dot]))
        else {
            index = start
            return nil
        }
        index += 1
        return (person, String(text[text.index(after: dot)...]))
    }

    private mutating func plain() -> String {
        let start = index
        while index < bytes.count, !",]}".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// The string that begins here, without its quotes and escapes.
    private mutating func string() -> String {
        let start = index
        index += 1
        var hasEscape = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                hasEscape = true
                index += 1
            }
            index += 1
        }
        index = min(index + 1, bytes.count)
        let quoted = bytes[start..<index]
        if hasEscape,
            let text = try? JSONDecoder().decode(String.self, from: Data(quoted))
        {
            return text
        }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
}
