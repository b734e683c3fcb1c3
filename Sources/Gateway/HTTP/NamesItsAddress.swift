// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import ServiceLifecycle

/// A server whose error says where it could not listen: the system's own names a call and no port.
struct NamesItsAddress<Server: Service>: Service {
    private let server: Server
    private let address: String

    init(_ server: Server, _ host: String, _ port: Int) {
        self.server = server
        address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            guard [EADDRINUSE, EADDRNOTAVAIL, EACCES].contains(error.errnoCode) else { throw error }
            let reason = String(cString: strerror(error.errnoCode))
            throw StartError.cannotListen(address, reason: reason)
        }
    }
}
