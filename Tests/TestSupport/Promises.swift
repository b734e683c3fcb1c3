// SPDX-License-Identifier: Apache-2.0
public import Testing

/// The promises of `Documentation/Guarantees.md`, as tags of the suites that show them.
///
/// The table in `Documentation/Testing.md` is made from these tags.
extension Tag {
    @Tag public static var promise1: Self
    @Tag public static var promise2: Self
    @Tag public static var promise3: Self
    @Tag public static var promise4: Self
    @Tag public static var promise5: Self
    @Tag public static var promise6: Self
    @Tag public static var promise7: Self
    @Tag public static var promise8: Self
    @Tag public static var promise9: Self
    @Tag public static var promise10: Self
}
