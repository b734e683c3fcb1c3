// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Media

/// Takes photos of reports: checked by their heads, encrypted for the reporter, and on disk before an event names them.
struct ReportPhotos: Sendable {
    let ledger: Ledger

    struct PhotoBody: Encodable {
        let photo: SHA256Digest
        let width: Int
        let height: Int
    }

    /// Adds a photo to a report.
    ///
    /// - Parameters:
    ///   - bytes: The picture.
    ///   - report: Of which one.
    ///   - number: Its number among the reporter's own; one that is there already is not taken again.
    ///   - user: The member of staff who took it; `nil` for the reporter.
    ///   - context: Who adds it.
    /// - Returns: What it is called, and whether it was there before.
    /// - Throws: 415 and 422 for no picture; 409 for another picture under a number that is there; what the command refuses; 507 for
    ///   a full disk.
    func add(
        _ bytes: [UInt8],
        to report: ReportID,
        number: Int? = nil,
        by user: UserID? = nil,
        _ context: CommandContext
    ) async throws -> (PhotoBody, isNew: Bool) {
        let file = try PictureFile(bytes)
        let known = try ledger.handler.current(Report.self, report)
        guard let reporter = known.reporter else { throw ReportAdditionRefusal.unknown(report) }
        if let before = number.flatMap({ known.photos[$0] }) {
            try await check(bytes, is: before, of: reporter)
            return (PhotoBody(photo: before, width: file.width, height: file.height), false)
        }
        let blob = try await ledger.holdPicture(bytes, for: reporter)
        let photo = ReportPhotoAdded(
            number: number,
            by: user,
            person: reporter,
            blob: blob.digest,
            bytes: blob.bytes,
            mediaType: .init(file.format),
            width: file.width,
            height: file.height,
            origin: Fix(PictureOrigin(of: bytes)).map { .open($0, of: reporter) }
        )
        let name: SHA256Digest
        do {
            name = try await ledger.handler.handle(AddReportPhoto(photo, to: report), context)
                .outcome
        } catch {
            if PictureRoutes.isCertainlyUnwritten(error) {
                try await ledger.blobs.drop(blob.digest)
            }
            throw error
        }
        if name == blob.digest {
            try await ledger.blobs.settle(blob.digest)
            ledger.oweIfErased(reporter)
        } else {
            try await ledger.blobs.drop(blob.digest)
        }
        let body = PhotoBody(photo: name, width: file.width, height: file.height)
        return (body, name == blob.digest)
    }

    /// Refuses a picture that is not the one that was kept; of one that is erased or lost nobody knows.
    private func check(_ bytes: [UInt8], is kept: SHA256Digest, of person: PersonID) async throws {
        let known: [UInt8]?
        do {
            known = try await ledger.blobs.open(kept, of: person)
        } catch is BlobFault {
            known = nil
        }
        guard let known, known != bytes else { return }
        throw Problem(
            ProblemType("photo-taken", .conflict, "Another photo has this number"),
            detail:
                "another photo was sent under this number; send this one under a number of its own"
        )
    }
}

extension Fix {
    /// Where and when a photo was taken; `nil` where the file does not say where.
    fileprivate init?(_ origin: PictureOrigin) {
        guard let place = origin.place else { return nil }
        self.init(
            latitude: place.latitude,
            longitude: place.longitude,
            accuracyMetres: place.accuracyMetres,
            measuredAt: origin.taken?.date.map {
                Timestamp(microseconds: Int64($0.timeIntervalSince1970 * 1_000_000))
            }
        )
        guard isPlausible else { return nil }
    }
}
