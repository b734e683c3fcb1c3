// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix

extension PushAddress {
    /// Threads of their own, as many as there are pushes at once.
    ///
    /// Whoever subscribes names the host, and so the server that may keep a lookup waiting: it keeps no other push, and
    /// nothing else, waiting with it.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: PushLimits.deliveriesAtOnce)
        threads.start()
        return threads
    }()

    /// All addresses of a host; a name is looked up.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - limit: How long the lookup may take. A slower one ends on its thread, and nobody waits for it.
    ///   - lookUp: Asks for the addresses of a name, and blocks.
    /// - Returns: In the order of preference; none for a name without addresses.
    /// - Throws: ``PushFault/unreachable(_:)``.
    @concurrent static func all(
        of host: String,
        within limit: Duration,
        by lookUp: @escaping @Sendable (String) throws -> [PushAddress] = PushAddress.lookUp
    ) async throws -> [PushAddress] {
        if let address = PushAddress(host) { return [address] }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: [PushAddress].self)
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) {
            answer.fail(PushFault.unreachable("no address in time"))
        }
        defer { deadline.cancel() }
        threads.runIfActive(eventLoop: loop) { try lookUp(host) }.cascade(to: answer)
        return try await answer.futureResult.get()
    }

    /// Asks the system.
    @Sendable static func lookUp(_ host: String) throws(PushFault) -> [PushAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            throw .unreachable("no address: \(String(cString: gai_strerror(status)))")
        }
        var found: [PushAddress] = []
        var next = list
        while let entry = next?.pointee {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(name.count)
            if getnameinfo(entry.ai_addr, entry.ai_addrlen, &name, length, nil, 0, NI_NUMERICHOST)
                == 0
            {
                // Without the link that an address may be of: what no one may contact must not be missing here.
                let text = name.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
                let address = PushAddress(String(decoding: text.map(UInt8.init), as: UTF8.self))
                if let address { found.append(address) }
            }
            next = entry.ai_next
        }
        return found
    }
}
