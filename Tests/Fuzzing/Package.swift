// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The parsers under libFuzzer, which sees which branches its bytes reach: `make campaign PART=fuzz`. Links only with --sanitize fuzzer.
let package = Package(
    name: "daybook-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "daybook", path: "../..")],
    targets: [
        .executableTarget(
            name: "daybook-fuzz",
            dependencies: [
                .product(name: "EventsTesting", package: "daybook"),
                .product(name: "Media", package: "daybook"),
                .product(name: "MediaTesting", package: "daybook"),
                .product(name: "SIPTesting", package: "daybook"),
            ],
            // libFuzzer brings the program's beginning.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    ],
    swiftLanguageModes: [.v6]
)
