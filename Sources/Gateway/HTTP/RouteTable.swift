// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Synchronization

/// Which methods each path has, for telling 405 from 404.
///
/// Filled once, when all routes are there; consulted only when no route was found.
final class RouteTable: Sendable {
    private struct Route: Sendable {
        let pattern: [Substring]
        let method: String
    }

    private let routes = Mutex<[Route]>([])

    /// Takes the routes of a router.
    func fill(from router: Router<GatewayContext>) {
        let filled = router.routes.map { route in
            Route(pattern: Self.segments(of: route.path.description), method: route.method.rawValue)
        }
        routes.withLock { $0 = filled }
    }

    /// The methods that a path has, sorted; empty for an unknown path.
    func methods(of path: String) -> [String] {
        let segments = Self.segments(of: path)
        let found = routes.withLock { routes in
            routes.filter { Self.matches($0.pattern, segments) }.map(\.method)
        }
        return Set(found).sorted()
    }

    private static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: true)
    }

    private static func matches(_ pattern: [Substring], _ segments: [Substring]) -> Bool {
        if let rest = pattern.firstIndex(of: "**") {
            return segments.count >= rest
                && matches(Array(pattern[..<rest]), Array(segments[..<rest]))
        }
        return pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { matches($0, $1) }
    }

    private static func matches(_ pattern: Substring, _ segment: Substring) -> Bool {
        if pattern == "*" || pattern.first == ":" { return true }
        guard let open = pattern.firstIndex(of: "{"), let close = pattern.lastIndex(of: "}") else {
            return pattern == segment
        }
        return segment.hasPrefix(pattern[..<open])
            && segment.hasSuffix(pattern[pattern.index(after: close)...])
    }
}
