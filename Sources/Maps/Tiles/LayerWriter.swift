// SPDX-License-Identifier: Apache-2.0

/// One layer of a vector tile; names and values of properties are written once each.
struct LayerWriter {
    private let name: String
    private var features: [[UInt8]] = []
    private var keys: [String] = []
    private var keyPlaces: [String: UInt32] = [:]
    private var values: [PropertyValue] = []
    private var valuePlaces: [PropertyValue: UInt32] = [:]

    init(_ name: String) {
        self.name = name
    }

    /// Adds a feature, unless nothing of it is to be seen.
    mutating func add(_ feature: Feature, _ geometry: TileGeometry) {
        guard !geometry.commands.isEmpty else { return }
        var writer = ProtobufWriter()
        writer.integer(1, feature.id)
        var tags: [UInt32] = []
        for (name, value) in feature.properties {
            tags.append(place(of: name))
            tags.append(place(of: value))
        }
        if !tags.isEmpty { writer.packed(2, tags) }
        writer.integer(3, geometry.type)
        writer.packed(4, geometry.commands)
        features.append(writer.bytes)
    }

    /// The layer; `nil` for one without features.
    var bytes: [UInt8]? {
        guard !features.isEmpty else { return nil }
        var writer = ProtobufWriter()
        writer.integer(15, 2)
        writer.text(1, name)
        for feature in features { writer.bytes(2, feature) }
        for key in keys { writer.text(3, key) }
        for value in values { writer.bytes(4, Self.bytes(of: value)) }
        writer.integer(5, UInt64(VectorTile.extent))
        return writer.bytes
    }

    private mutating func place(of key: String) -> UInt32 {
        if let place = keyPlaces[key] { return place }
        let place = UInt32(keys.count)
        keys.append(key)
        keyPlaces[key] = place
        return place
    }

    private mutating func place(of value: PropertyValue) -> UInt32 {
        if let place = valuePlaces[value] { return place }
        let place = UInt32(values.count)
        values.append(value)
        valuePlaces[value] = place
        return place
    }

    private static func bytes(of value: PropertyValue) -> [UInt8] {
        var writer = ProtobufWriter()
        switch value {
        case .text(let text): writer.text(1, text)
        case .integer(let integer): writer.integer(4, UInt64(bitPattern: Int64(integer)))
        case .boolean(let boolean): writer.integer(7, boolean ? 1 : 0)
        }
        return writer.bytes
    }
}
