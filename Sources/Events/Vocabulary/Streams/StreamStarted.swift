// SPDX-License-Identifier: Apache-2.0
/// Video began to arrive and its file was created.
public struct StreamStarted: EventPayload {
    public static let kind: Kind = "stream.started/1"

    public let session: SessionID
    public let incident: IncidentID
    public let caller: PersonID
    public let transport: Transport
    public let codec: Codec
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    public let quality: Quality
    /// `front`, `rear` or what the device calls it.
    public let camera: String?
    /// Path below the media folder; the name never changes (ruling 23).
    public let file: String
    /// The site's zone in which the file is named.
    public let timeZone: String

    public init(
        session: SessionID,
        incident: IncidentID,
        caller: PersonID,
        transport: Transport,
        codec: Codec,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        quality: Quality,
        camera: String? = nil,
        file: String,
        timeZone: String
    ) {
        self.session = session
        self.incident = incident
        self.caller = caller
        self.transport = transport
        self.codec = codec
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.quality = quality
        self.camera = camera
        self.file = file
        self.timeZone = timeZone
    }

    public var links: [SubjectLink] {
        [.about(.session(session)), .about(.incident(incident)), .about(.person(caller))]
    }

    /// How the video arrives.
    public enum Transport: String, Codable, Hashable, Sendable, CaseIterable {
        case webSocket = "websocket"
        case http
    }

    /// What the frames are coded in.
    public enum Codec: String, Codable, Hashable, Sendable, CaseIterable {
        case vp9
        case vp8
    }
}
