// SPDX-License-Identifier: Apache-2.0

/// Ports at which a push service may listen.
enum PushPort {
    /// Where the ports begin that any program may open; below are the services that every machine knows by number.
    private static let firstFree = 1_024
    /// Of the others, those that belong to another protocol, and where no browser contacts anybody (Fetch, "bad port").
    private static let ofOthers: Set<Int> = [
        1_719, 1_720, 1_723, 2_049, 3_659, 4_045, 4_190, 5_060, 5_061, 6_000, 6_566, 6_665, 6_666,
        6_667, 6_668, 6_669, 6_679, 6_697, 10_080,
    ]

    /// Whether a push may go to a port: the scheme's own, or a free one.
    ///
    /// Numbers that are no port at all go nowhere: the network library ends the process at one above 65,535.
    ///
    /// - Parameters:
    ///   - port: `nil` where the URL names none.
    ///   - scheme: `https`, or `http`.
    /// - Returns: Whether it is one of them.
    static func admits(_ port: Int?, of scheme: String) -> Bool {
        guard let port, port != (scheme == "https" ? 443 : 80) else { return true }
        return (firstFree...Int(UInt16.max)).contains(port) && !ofOthers.contains(port)
    }
}
