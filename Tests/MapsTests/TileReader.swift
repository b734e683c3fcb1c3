// SPDX-License-Identifier: Apache-2.0
import CZlib

@testable import Maps

/// Reads vector tiles back: another way in than the writer's.
struct TileReader {
    struct Feature {
        var id: UInt64 = 0
        var type: UInt64 = 0
        var properties: [String: String] = [:]
        var parts: [[TilePoint]] = []
    }

    /// The features of each layer, by its name.
    let layers: [String: [Feature]]

    init(compressed: [UInt8]) throws {
        try self.init(Self.inflated(compressed))
    }

    init(_ bytes: [UInt8]) throws {
        var layers: [String: [Feature]] = [:]
        for (field, value) in try Self.fields(bytes) where field == 3 {
            let (name, features) = try Self.layer(value.bytes)
            layers[name] = features
        }
        self.layers = layers
    }

    struct Torn: Error {}

    private struct Value {
        var number: UInt64 = 0
        var bytes: [UInt8] = []
    }

    private static func layer(_ bytes: [UInt8]) throws -> (String, [Feature]) {
        var name = ""
        var raw: [[UInt8]] = []
        var keys: [String] = []
        var values: [String] = []
        for (field, value) in try fields(bytes) {
            switch field {
            case 1: name = String(decoding: value.bytes, as: UTF8.self)
            case 2: raw.append(value.bytes)
            case 3: keys.append(String(decoding: value.bytes, as: UTF8.self))
            case 4: values.append(try property(value.bytes))
            default: break
            }
        }
        return (name, try raw.map { try feature($0, keys, values) })
    }

    private static func property(_ bytes: [UInt8]) throws -> String {
        guard let (field, value) = try fields(bytes).first else { throw Torn() }
        return field == 1 ? String(decoding: value.bytes, as: UTF8.self) : String(value.number)
    }

    private static func feature(_ bytes: [UInt8], _ keys: [String], _ values: [String]) throws
        -> Feature
    {
        var feature = Feature()
        for (field, value) in try fields(bytes) {
            switch field {
            case 1: feature.id = value.number
            case 2:
                let tags = try integers(value.bytes)
                for pair in stride(from: 0, to: tags.count, by: 2) {
                    feature.properties[keys[Int(tags[pair])]] = values[Int(tags[pair + 1])]
                }
            case 3: feature.type = value.number
            case 4: feature.parts = parts(try integers(value.bytes))
            default: break
            }
        }
        return feature
    }

    private static func parts(_ commands: [UInt64]) -> [[TilePoint]] {
        var parts: [[TilePoint]] = []
        var (x, y, place) = (0, 0, 0)
        while place < commands.count {
            let (kind, count) = (commands[place] & 7, Int(commands[place] >> 3))
            place += 1
            guard kind != 7 else { continue }
            for _ in 0..<count {
                if kind == 1 { parts.append([]) }
                x += unzigzag(commands[place])
                y += unzigzag(commands[place + 1])
                place += 2
                parts[parts.count - 1].append(TilePoint(x: x, y: y))
            }
        }
        return parts
    }

    private static func unzigzag(_ value: UInt64) -> Int {
        Int(value >> 1) ^ -Int(value & 1)
    }

    private static func integers(_ bytes: [UInt8]) throws -> [UInt64] {
        var rest = bytes[...]
        var found: [UInt64] = []
        while !rest.isEmpty { found.append(try varint(&rest)) }
        return found
    }

    private static func fields(_ bytes: [UInt8]) throws -> [(UInt64, Value)] {
        var rest = bytes[...]
        var found: [(UInt64, Value)] = []
        while !rest.isEmpty {
            let key = try varint(&rest)
            if key & 7 == 0 {
                found.append((key >> 3, Value(number: try varint(&rest))))
            } else {
                let length = Int(try varint(&rest))
                guard key & 7 == 2, length <= rest.count else { throw Torn() }
                found.append((key >> 3, Value(bytes: Array(rest.prefix(length)))))
                rest = rest.dropFirst(length)
            }
        }
        return found
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw Torn()
    }

    /// By zlib itself, as gzip or not.
    static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        guard
            inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
                == Z_OK
        else { throw Torn() }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: 1 << 20)
        let ended = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard ended == Z_STREAM_END else { throw Torn() }
        return Array(output.prefix(output.count - Int(stream.avail_out)))
    }
}
