// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Synchronization

/// Which methods each path has, for telling 405 from 404, and who may use each route.
///
/// Filled while the door is made; read by every request.
final class RouteTable: Sendable {
    private struct Known: Sendable {
        let pattern: [Substring]
        let method: String
    }

    /// What Hummingbird calls the endpoint of a path that is none.
    static let none = "NotFound"

    private let routes = Mutex<[Known]>([])
    private let declared = Mutex<[String: Route]>([:])

    /// Takes a route.
    func declare(_ route: Route) {
        declared.withLock { $0["\(route.method) \(route.path)"] = route }
    }

    /// A route; `nil` for what is none, or was not declared.
    ///
    /// - Parameters:
    ///   - method: `HEAD` counts as the `GET` that it follows from.
    ///   - endpoint: The pattern of its path.
    subscript(method: HTTPRequest.Method, endpoint: String?) -> Route? {
        guard let endpoint else { return nil }
        return declared.withLock { $0["\(method == .head ? .get : method) \(endpoint)"] }
    }

    /// Whether strangers may come there, so that an old cookie is nobody's; a path that is no route is nobody's to refuse.
    func areForStrangers(_ method: HTTPRequest.Method, _ endpoint: String?) -> Bool {
        guard let endpoint, endpoint != Self.none else { return true }
        return self[method, endpoint]?.askers.areStrangersToo ?? false
    }

    /// Takes the routes of a router.
    func fill(from router: Router<GatewayContext>) {
        let filled = router.routes.map { route in
            Known(pattern: Self.segments(of: route.path.description), method: route.method.rawValue)
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
