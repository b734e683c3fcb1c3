// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Who is connected: how many in all, how many of each holder of an address, and who of them has asked for nothing yet.
///
/// A connection that has sent no whole request is a stranger. When no more fit, the stranger that waited longest makes room;
/// whoever has asked for something is not sent away for somebody new.
final class ConnectionTable: Sendable {
    /// One connection's place.
    struct Place: Sendable, Hashable {
        fileprivate let number: UInt64
        fileprivate let holder: String
    }

    /// Why the door did not take a connection, or closed it by itself.
    enum Closing: String, Sendable, CaseIterable {
        /// As many are connected as may be, and all of them have asked for something.
        case full
        /// As many of its address are connected as may be.
        case address
        /// As many of its address as may be are connected and have asked for nothing.
        case strangersOfAddress = "strangers_of_address"
        /// It had asked for nothing, and somebody else came.
        case madeRoom = "made_room"
        /// No head came whole in time.
        case head
        /// The body of a request came too slowly.
        case body
        /// Nobody read the answer.
        case unread
        /// More of its requests waited for their answers than may.
        case waiting
        /// It began more streams of HTTP/2 at once than it may; only the stream is closed.
        case streams
    }

    fileprivate struct Holder {
        var connections = 0
        var strangers = 0
    }

    fileprivate struct State {
        var next: UInt64 = 0
        var all = 0
        var closings: [Closing: Int] = [:]
        var holders: [String: Holder] = [:]
        /// How to end each stranger.
        var strangers: [UInt64: @Sendable () -> Void] = [:]
        /// Their numbers in the order of coming, with those that are no strangers any more.
        var order: [UInt64] = []
        var oldest = 0
    }

    private let limits: ConnectionLimits
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// How many are connected, and how many of them are strangers.
    var counts: (all: Int, strangers: Int) {
        state.withLock { ($0.all, $0.strangers.count) }
    }

    /// How many were closed since the start, by reason.
    var closings: [(Closing, Int)] {
        let closings = state.withLock(\.closings)
        return Closing.allCases.map { ($0, closings[$0, default: 0]) }
    }

    /// Counts a connection that the door closes.
    func count(_ closing: Closing) {
        state.withLock { $0.closings[closing, default: 0] += 1 }
    }

    /// Somebody connects.
    ///
    /// - Parameters:
    ///   - holder: Whose address it is; `nil` for one whose connections are not counted together, such as a proxy's.
    ///   - end: Closes the connection; called when it must make room, and when the gateway ends.
    /// - Returns: `nil` when there is no room; then it must be closed.
    func enter(_ holder: String?, end: @escaping @Sendable () -> Void) -> Place? {
        let (place, evicted) = state.withLock { state -> (Place?, (@Sendable () -> Void)?) in
            let name = holder ?? ""
            let known = state.holders[name] ?? Holder()
            if holder != nil, let refusal = limits.refusal(of: known) {
                state.closings[refusal, default: 0] += 1
                return (nil, nil)
            }
            var evicted: (@Sendable () -> Void)?
            if state.all >= limits.inAll {
                evicted = state.evictOldest()
                state.closings[evicted == nil ? .full : .madeRoom, default: 0] += 1
                guard evicted != nil else { return (nil, nil) }
            }
            let place = Place(number: state.next, holder: name)
            state.next += 1
            state.all += 1
            state.holders[name, default: Holder()].connections += 1
            state.holders[name, default: Holder()].strangers += 1
            state.strangers[place.number] = end
            state.order.append(place.number)
            state.compact()
            return (place, evicted)
        }
        evicted?()
        return place
    }

    /// The first whole request has come.
    func asked(_ place: Place) {
        state.withLock { state in
            guard state.strangers.removeValue(forKey: place.number) != nil else { return }
            state.holders[place.holder]?.strangers -= 1
        }
    }

    /// Closes the connections of all who have asked for nothing: they have nothing to finish.
    func endStrangers() {
        let strangers = state.withLock { Array($0.strangers.values) }
        for end in strangers { end() }
    }

    /// The connection is closed.
    func leave(_ place: Place) {
        state.withLock { state in
            let wasStranger = state.strangers.removeValue(forKey: place.number) != nil
            state.all -= 1
            guard var holder = state.holders[place.holder] else { return }
            holder.connections -= 1
            if wasStranger { holder.strangers -= 1 }
            state.holders[place.holder] = holder.connections == 0 ? nil : holder
        }
    }
}

extension ConnectionLimits {
    /// Why no further connection of an address is taken; `nil` if one may come.
    fileprivate func refusal(of known: ConnectionTable.Holder) -> ConnectionTable.Closing? {
        if known.connections >= ofAddress { return .address }
        return known.strangers >= strangersOfAddress ? .strangersOfAddress : nil
    }
}

extension ConnectionTable.State {
    /// Forgets in the order who is no stranger any more, once these are most of it.
    fileprivate mutating func compact() {
        guard order.count > 1_024, order.count > 2 * strangers.count else { return }
        order = order[oldest...].filter { strangers[$0] != nil }
        oldest = 0
    }

    /// Takes the stranger that waited longest out of the order; it leaves when its connection has closed.
    fileprivate mutating func evictOldest() -> (@Sendable () -> Void)? {
        while oldest < order.count {
            let number = order[oldest]
            oldest += 1
            if let end = strangers[number] {
                // Still counted until it is closed, but it makes room once only.
                strangers[number] = {}
                return end
            }
        }
        order.removeAll()
        oldest = 0
        return nil
    }
}
