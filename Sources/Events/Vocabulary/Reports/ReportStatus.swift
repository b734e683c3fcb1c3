// SPDX-License-Identifier: Apache-2.0
/// How far a report has come (ruling 25).
public enum ReportStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case submitted, acknowledged
    case headingOut = "heading_out"
    case onScene = "on_scene"
    case rescued, released, deceased
    case notFound = "not_found"
    case stoodDown = "stood_down"
}
