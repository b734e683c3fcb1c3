// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Synchronization

/// The paths that are WebSockets, as the program's routers were given them: what a client says of its request is no proof.
enum SocketRoutes {
    private static let patterns = Mutex<Set<String>>([])

    /// Takes the path of a socket.
    static func add(_ path: RouterPath) {
        let pattern = path.description
        patterns.withLock { _ = $0.insert(pattern) }
    }

    /// Whether there is a socket at an endpoint.
    static func have(_ endpoint: String?) -> Bool {
        guard let endpoint else { return false }
        return patterns.withLock { $0.contains(endpoint) }
    }
}
