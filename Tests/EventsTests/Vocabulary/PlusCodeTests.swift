// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `A Plus Code` {
    @Test(arguments: [
        (47.0000625, 8.0000625, "8FVC2222+22"), (-41.2730625, 174.7859375, "4VCPPQGP+Q9"),
        (20.3700625, 2.7821875, "7FG49QCJ+2V"), (47.365590, 8.524997, "8FVC9G8F+6X"),
    ])
    func `is that of the specification's examples`(
        latitude: Double,
        longitude: Double,
        code: String
    ) {
        #expect(PlusCode.text(latitude: latitude, longitude: longitude) == code)
    }

    @Test func `is there at the poles and at the date line`() {
        for latitude in [-90.0, -89.99999, 89.99999, 90] {
            for longitude in [-180.0, 179.99999, 180, 540] {
                let code = PlusCode.text(latitude: latitude, longitude: longitude)
                #expect(code.count == 11 && code.dropFirst(8).first == "+")
            }
        }
    }
}
