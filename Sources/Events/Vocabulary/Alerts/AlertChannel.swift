// SPDX-License-Identifier: Apache-2.0
/// By which way one part of an alert goes.
public enum AlertChannel: String, Codable, Hashable, Sendable, CaseIterable {
    case sms, email, push
}
