// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Gateway
import Logging

/// From what was set, wherever it was, to what the gateway is told.
extension ServeCommand {
    func configuration(_ settings: Settings) throws -> GatewayConfiguration {
        guard let folder = settings.text(.data, data) else {
            throw ValidationError(
                "say which folder: --data DIR, the variable DAYBOOK_DATA, or data in the file of --config"
            )
        }
        var configuration = GatewayConfiguration(folder: URL(filePath: folder))
        configuration.origin = settings.text(.origin, origin)
        configuration.isDemo = try settings.isOn(.demo, demo)
        configuration.beginsNewOrigin = newOrigin
        configuration.adoptsAccounts = adoptAccounts
        configuration.isFirst = try first || Settings.isFirst()
        configuration.carriesOutErasures = carryOutErasures
        if let file = settings.text(.masterKey, masterKey) {
            configuration.masterKey = .file(URL(filePath: file))
        }
        try setDoor(of: &configuration, settings)
        try setPages(of: &configuration, settings)
        try setSite(of: &configuration, settings)
        try setPush(of: &configuration, settings)
        try setNumbers(of: &configuration, settings)
        _ = try log(settings)
        return configuration
    }

    /// How much the gateway logs, and as what.
    func log(_ settings: Settings) throws -> (level: Logger.Level, format: GatewayLog.Format) {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let level = settings.text(.logLevel, logLevel) ?? (isTerminal ? "warning" : "info")
        guard let level = Logger.Level(rawValue: level) else {
            throw ValidationError("--log-level is one of trace, debug, info, warning, error")
        }
        let format = settings.text(.logFormat, logFormat) ?? (isTerminal ? "text" : "json")
        guard let format = GatewayLog.Format(rawValue: format) else {
            throw ValidationError("--log-format is json or text")
        }
        return (level, format)
    }

    private func setDoor(
        of configuration: inout GatewayConfiguration,
        _ settings: Settings
    ) throws {
        let listen = try address(settings.text(.listen, listen) ?? "127.0.0.1:8080", "--listen")
        (configuration.host, configuration.port) = (listen.host, listen.port)
        configuration.tls = try tls(settings)
        configuration.isBehindProxy = try settings.isOn(.behindProxy, behindProxy)
        configuration.trustedProxies = settings.texts(.trustedProxy, trustedProxy, separator: ",")
        if let word = settings.text(.proxyHeader, proxyHeader) {
            guard let header = ProxyHeader(rawValue: word.lowercased()) else {
                throw ValidationError("--proxy-header is x-forwarded-for or forwarded")
            }
            configuration.proxyHeader = header
        }
        configuration.metricsAddress = try settings.text(.metrics, metrics)
            .map { try address($0, "--metrics") }
        configuration.telephony.plain = try settings.text(.sip, sip).map {
            try address($0, "--sip")
        }
        configuration.telephony.tls = try settings.text(.sipTLS, sipTLS)
            .map { try address($0, "--sip-tls") }
        if let networks = settings.text(.cameraNetworks, cameraNetworks) {
            configuration.cameras.networkTexts = networks.split(separator: ",").map(String.init)
        }
    }

    private func setPages(
        of configuration: inout GatewayConfiguration,
        _ settings: Settings
    ) throws {
        configuration.pages = settings.text(.web, web).map { URL(filePath: $0) }
        configuration.rereadsPages = try settings.isOn(.webReload, webReload)
        configuration.assets = settings.text(.assets, assets).map { URL(filePath: $0) }
        let maps = settings.texts(.map, map)
        if !maps.isEmpty { configuration.maps = maps.map { URL(filePath: $0) } }
    }

    private func setSite(
        of configuration: inout GatewayConfiguration,
        _ settings: Settings
    ) throws {
        configuration.site.sharesDistress = try settings.isOn(.shareDistress, shareDistress)
        configuration.site.answersCitizens = try settings.isOn(.answerCitizens, answerCitizens)
        configuration.site.publicAddress = settings.text(.publicAddress, publicAddress)
        configuration.site.name = settings.text(.siteName, siteName)
        if let number = settings.text(.emergencyNumber, emergencyNumber) {
            configuration.site.emergencyNumber = number
        }
        configuration.site.emergencySMS = settings.text(.emergencySMS, emergencySMS)
        configuration.site.country = settings.text(.country, country)
    }

    private func setPush(
        of configuration: inout GatewayConfiguration,
        _ settings: Settings
    ) throws {
        configuration.push.contact = settings.text(.pushContact, pushContact)
        configuration.push.trustRoots = settings.text(.pushRoots, pushRoots)
        guard let word = settings.text(.pushReach, pushReach) else { return }
        guard let reach = PushReach(rawValue: word) else {
            throw ValidationError("--push-reach is internet, site or machine")
        }
        configuration.push.reach = reach
    }

    /// Whether browsers know a name, too: others, such as GMT+2, mean another zone there.
    private func isOfPlace(_ name: String) -> Bool {
        ["UTC", "GMT"].contains(name) || name.contains("/")
            || TimeZone.knownTimeZoneIdentifiers.contains(name)
    }

    private func setNumbers(
        of configuration: inout GatewayConfiguration,
        _ settings: Settings
    ) throws {
        if let name = settings.text(.timeZone, timeZone) {
            guard isOfPlace(name), let zone = TimeZone(identifier: name) else {
                throw StartError.timeZoneUnknown(name)
            }
            configuration.timeZone = zone
            configuration.site.zone = zone
        }
        if let word = settings.text(.callerVideo, callerVideo) {
            guard ["asked", "anytime"].contains(word) else {
                throw ValidationError("--caller-video is asked or anytime")
            }
            configuration.policies.callersFilmAnytime = word == "anytime"
        }
        configuration.policies.textSessions = try settings.number(
            .textSessions,
            textSessions,
            in: 1...16
        )
        if let seconds = try settings.number(.assignTexts, assignTexts, in: 0...600) {
            configuration.policies.textAssignment = .seconds(seconds)
        }
        if let seconds = try settings.number(.startLimit, startLimit, in: 1...86_400) {
            configuration.policies.startLimit = .seconds(seconds)
        }
        if let mebibytes = try settings.number(.mediaReserve, mediaReserve, in: 0...1 << 30) {
            configuration.mediaReserveBytes = mebibytes << 20
        }
        configuration.volumes = settings.texts(.media, media).map {
            URL(filePath: $0).standardizedFileURL.path
        }
        if let cost = try settings.number(.passwordCost, passwordCost, in: 12...20) {
            configuration.passwordCost = cost
        }
        if let seconds = try settings.number(.readWait, readWait, in: 1...60) {
            configuration.readWait = .seconds(seconds)
        }
    }

    private func address(
        _ text: String,
        _ option: String
    ) throws -> GatewayConfiguration.Address {
        guard let colon = text.lastIndex(of: ":"),
            let port = NumberText.whole(text[text.index(after: colon)...], in: 0...65_535)
        else { throw ValidationError("\(option) is HOST:PORT, such as 127.0.0.1:8080") }
        // An IPv6 address stands in brackets.
        let host = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return .init(host: host.isEmpty ? "127.0.0.1" : host, port: port)
    }

    private func tls(_ settings: Settings) throws -> GatewayConfiguration.TLSFiles? {
        let certificate = settings.text(.tlsCertificate, tlsCertificate)
        let key = settings.text(.tlsKey, tlsKey)
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return .init(certificateChain: certificate, privateKey: key)
        default: throw ValidationError("give both --tls-certificate and --tls-key")
        }
    }
}
