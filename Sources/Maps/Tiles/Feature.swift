// SPDX-License-Identifier: Apache-2.0

/// What a property of a feature is.
enum PropertyValue: Sendable, Hashable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
}

/// One thing on a map: where it lies, and what is told of it.
struct Feature: Sendable {
    let id: UInt64
    let layer: MapLayer
    /// The coarsest zoom that shows it.
    let zoomLeast: Int
    let properties: [(name: String, value: PropertyValue)]
    /// A polygon's holes follow their outer ring.
    var outlines: [Outline]

    /// The same thing, with what lies in a box alone; `nil` when nothing does.
    func clipped(to box: SquareBounds) -> Feature? {
        var copy = self
        copy.outlines = outlines.flatMap { Clipper.clip($0, to: box) }
        return copy.outlines.isEmpty ? nil : copy
    }
}

/// The layers of the world map, in the order in which they are drawn.
enum MapLayer: String, Sendable, CaseIterable {
    case land
    case river
    case state
    case border
    case place
}
