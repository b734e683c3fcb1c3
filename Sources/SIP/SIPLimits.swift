// SPDX-License-Identifier: Apache-2.0

/// Every limit of SIP, with its unit.
///
/// A message beyond one is refused with the limit's name; those of the endpoint are in ``SIPEndpoint/Configuration``.
public enum SIPLimits {
    /// Bytes of the start line and the header fields together.
    public static let headBytesMax = 64 << 10
    /// Bytes of a body; only a stream can carry so much.
    public static let bodyBytesMax = 8 << 20
    /// Bytes of one header field with its folded lines, and of a start line.
    public static let lineBytesMax = 8 << 10
    /// Header fields of a message.
    public static let fieldsMax = 256
    /// Values of one header field's name, over all its lines.
    public static let valuesMax = 256
    /// Parameters of one value.
    public static let parametersMax = 64
    /// Bytes of a request that may leave as a datagram (RFC 3261 §18.1.1).
    public static let sentDatagramBytesMax = 1300
    /// Parts of a multipart body, over all its levels.
    public static let partsMax = 16
    /// Levels of multipart bodies within each other.
    public static let multipartDepthMax = 4
    /// Bytes of a boundary (RFC 2046 §5.1.1).
    public static let boundaryBytesMax = 70
    /// Media lines of a session description.
    public static let mediaMax = 32
    /// Bytes of an XML document.
    public static let xmlBytesMax = 64 << 10
    /// Levels of an XML document.
    public static let xmlDepthMax = 32
    /// Elements of an XML document.
    public static let xmlElementsMax = 2000
    /// Namespaces of an XML document that hold at one place.
    public static let xmlNamespacesMax = 64
    /// Attributes of one XML element.
    public static let xmlAttributesMax = 32
}
