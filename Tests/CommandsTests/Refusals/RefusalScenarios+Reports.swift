// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

extension RefusalScenario {
    static let reports = [
        RefusalScenario("SubmitReport.personErased") { ledger in
            try ledger.run(ledger.submission(by: try ledger.erasedPerson()))
        },
        RefusalScenario("SubmitReport.unacceptable") { ledger in
            let photos = [SHA256Digest](repeating: .sample(), count: 17)
            try ledger.run(ledger.submission(photos: photos))
        },
        RefusalScenario("ChangeReportStatus.unknown") { ledger in
            try ledger.run(ChangeReportStatus(of: ledger.id(), to: .acknowledged, by: .sam))
        },
        RefusalScenario("ChangeReportStatus.notAllowed") { ledger in
            try ledger.run(ChangeReportStatus(of: try ledger.report(), to: .rescued, by: .sam))
        },
        RefusalScenario("ChangeReportStatus.unacceptable") { ledger in
            let note = String(repeating: "x", count: 5_000)
            try ledger.run(
                ChangeReportStatus(of: ledger.id(), to: .acknowledged, by: .sam, note: note)
            )
        },
        RefusalScenario("ChangeReportStatus.joined") { ledger in
            let report = try ledger.report()
            try ledger.run(JoinReport(report, to: try ledger.report(), by: .sam))
            try ledger.run(ChangeReportStatus(of: report, to: .acknowledged, by: .sam))
        },
        RefusalScenario("ChangeReportStatus.reporterErased") { ledger in
            let report = try ledger.reportOfErased()
            try ledger.run(
                ChangeReportStatus(of: report, to: .acknowledged, by: .sam, note: "soon")
            )
        },
        RefusalScenario("JoinReport.unknown") { ledger in
            try ledger.run(JoinReport(try ledger.report(), to: ledger.id(), by: .sam))
        },
        RefusalScenario("JoinReport.itself") { ledger in
            let report = try ledger.report()
            try ledger.run(JoinReport(report, to: report, by: .sam))
        },
        RefusalScenario("JoinReport.otherJoined") { ledger in
            let (one, two) = (try ledger.report(), try ledger.report())
            try ledger.run(JoinReport(one, to: two, by: .sam))
            try ledger.run(JoinReport(two, to: one, by: .sam))
        },
        RefusalScenario("AttachReport.unknown") { ledger in
            try ledger.run(AttachReport(ledger.id(), to: ledger.id(), by: .sam))
        },
        RefusalScenario("AttachReport.incidentUnknown") { ledger in
            try ledger.run(AttachReport(try ledger.report(), to: ledger.id(), by: .sam))
        },
        RefusalScenario("AttachReport.incidentMerged") { ledger in
            let (whole, part) = (try ledger.incident(), try ledger.incident())
            try ledger.run(MergeIncidents(part, into: whole, reason: "same fire"))
            try ledger.run(AttachReport(try ledger.report(), to: part, by: .sam))
        },
        RefusalScenario("SetReportVisibility.unknown") { ledger in
            let hidden = ReportVisibilitySet(of: .report, isPublic: false, by: .sam)
            try ledger.run(SetReportVisibility(of: ledger.id(), hidden))
        },
        RefusalScenario("SetReportVisibility.unknownPhoto") { ledger in
            let shown = ReportVisibilitySet(of: .photo, photo: .sample(), isPublic: true, by: .sam)
            try ledger.run(SetReportVisibility(of: try ledger.report(), shown))
        },
        RefusalScenario("SetReportVisibility.notAgreed") { ledger in
            let report = try ledger.report()
            let photo = ReportPhotoAdded.sample(of: ledger.person(), number: 1)
            try ledger.run(AddReportPhoto(photo, to: report))
            let shown = ReportVisibilitySet(
                of: .photo,
                photo: photo.blob,
                isPublic: true,
                by: .sam
            )
            try ledger.run(SetReportVisibility(of: report, shown))
        },
        RefusalScenario("AssignReport.unknown") { ledger in
            try ledger.run(AssignReport(ledger.id(), .to(try ledger.agency())))
        },
        RefusalScenario("AssignReport.over") { ledger in
            let report = try ledger.report()
            try ledger.run(ChangeReportStatus(of: report, to: .stoodDown, by: .sam))
            try ledger.run(AssignReport(report, .to(try ledger.agency())))
        },
        RefusalScenario("AssignReport.overtaken") { ledger in
            let (report, first) = (try ledger.report(), try ledger.agency())
            try ledger.run(AssignReport(report, .to(first)))
            try ledger.run(ChangeReportStatus(of: report, to: .acknowledged, by: .sam))
            try ledger.run(AssignReport(report, .to(try ledger.agency()), instead: first))
        },
        RefusalScenario("AssignReport.unknownAgency") { ledger in
            let agency = try ledger.agency()
            try ledger.run(DefineAgency(agency, as: AgencyDefined(name: "A", isRetired: true)))
            try ledger.run(AssignReport(try ledger.report(), .to(agency)))
        },
        RefusalScenario("AssignReport.unacceptable") { ledger in
            let report = try ledger.report()
            let reason = String(repeating: "x", count: CommandLimits.noteBytesMax + 1)
            let words = Sealed.open(reason, of: ledger.person())
            try ledger.run(AssignReport(report, .to(try ledger.agency(), because: words)))
        },
        RefusalScenario("ReportAdditionRefusal.unknown") { ledger in
            try ledger.run(AddReportUpdate("there", by: .sam, to: ledger.id()))
        },
        RefusalScenario("ReportAdditionRefusal.reporterErased") { ledger in
            try ledger.run(AddReportUpdate("there", by: .sam, to: try ledger.reportOfErased()))
        },
        RefusalScenario("ReportAdditionRefusal.full") { ledger in
            let report = try ledger.report()
            for _ in 0...CommandLimits.photosOfReportMax {
                try ledger.run(AddReportPhoto(.sample(of: ledger.person()), to: report))
            }
        },
        RefusalScenario("ReportAdditionRefusal.unacceptable") { ledger in
            try ledger.run(
                AddReportPhoto(.sample(of: ledger.person(), number: 17), to: try ledger.report())
            )
        },
        RefusalScenario("AgencyRefusal.unknown") { ledger in
            try ledger.run(SetAgencyMembers(of: ledger.id(), to: []))
        },
        RefusalScenario("AgencyRefusal.notOfStaff") { ledger in
            try ledger.run(SetAgencyMembers(of: try ledger.agency(), to: [.sam]))
        },
        RefusalScenario("AgencyRefusal.notAMember") { ledger in
            let place = ShareAgencyPlace(
                .birmingham,
                of: try ledger.agency(),
                by: .sam,
                person: ledger.person()
            )
            try ledger.run(place)
        },
        RefusalScenario("AgencyRefusal.offDuty") { ledger in
            let (agency, user) = (try ledger.agency(), UserID(unchecked: "78"))
            try ledger.user(user, as: .rescuer)
            try ledger.run(SetAgencyMembers(of: agency, to: [user]))
            let until = ledger.now + .seconds(60)
            try ledger.run(
                SetReach(of: user, phone: nil, email: nil, language: "en", offDutyUntil: until)
            )
            let place = ShareAgencyPlace(
                .birmingham,
                of: agency,
                by: user,
                person: ledger.person()
            )
            try ledger.run(place)
        },
        RefusalScenario("AgencyRefusal.areaUnacceptable") { ledger in
            let area = Area(polygons: [[[0, 0, 1, 1, 1, 0, 0, 1, 0, 0]]])
            try ledger.run(DefineAgency(ledger.id(), as: AgencyDefined(name: "A", area: area)))
        },
        RefusalScenario("AgencyRefusal.unacceptable") { ledger in
            let agency = AgencyDefined(name: "A", donationLink: "javascript:alert(1)")
            try ledger.run(DefineAgency(ledger.id(), as: agency))
        },
    ]
}

extension MemoryLedger {
    /// A report whose reporter was erased.
    func reportOfErased() throws -> ReportID {
        let report = try report()
        let reporter = try #require(try state(Report.self, report).reporter)
        try run(ErasePerson(reporter, reason: "asked for it"))
        return report
    }

    /// An agency without area.
    func agency() throws -> AgencyID {
        let agency: AgencyID = id()
        try run(DefineAgency(agency, as: AgencyDefined(name: "Harbour Rescue")))
        return agency
    }
}

extension ReportAssigned {
    static func to(_ agency: AgencyID, because reason: Sealed<String>? = nil) -> ReportAssigned {
        ReportAssigned(
            agency: agency,
            rule: .manual,
            cell: "52.5,-1.9",
            by: .sam,
            reason: reason
        )
    }
}

extension ReportPhotoAdded {
    static func sample(of person: PersonID, number: Int? = nil) -> ReportPhotoAdded {
        ReportPhotoAdded(
            number: number,
            by: nil,
            person: person,
            blob: .sample(),
            bytes: 100,
            mediaType: .jpeg,
            width: 10,
            height: 10
        )
    }
}
