// SPDX-License-Identifier: Apache-2.0
import { read } from "./event.js";

/**
 * A report of an animal as it stood, by its timeline.
 *
 * @typedef {{id: string, status: string | null, species: string, sizeClass: string, condition: string, fix?: any, notes?: string, contact?: string, submittedAt: string | null, changedAt: string | null,
 *   agency: string | null, pictures: {id: string, width: number, height: number, at: string, by: string | null, isPublic?: boolean}[], updates: {text?: string, by: string, at: string}[], sameAs: string | null,
 *   incident: string | null, isHidden: boolean, publishesPhotos: boolean, isErased: boolean}} ReportThen `status` is `null` before it came; `sameAs` is the report that it was joined to.
 */

/** @returns {ReportThen} */
export function emptyReport(id) {
  return { id, status: null, species: "", sizeClass: "", condition: "", submittedAt: null, changedAt: null, agency: null, pictures: [], updates: [], sameAs: null, incident: null, isHidden: false, publishesPhotos: false, isErased: false };
}

/** What a report is after an event: another one, or the same where the event changes nothing. @param {ReportThen} report @param {import("./event.js").ModelEvent} event @returns {ReportThen} */
export function applyToReport(report, { kind, subject, says, erased, time }) {
  if (subject !== report.id) return report;
  switch (kind) {
    case "report.submitted": return { ...report, ...submitted(says), status: "submitted", submittedAt: time, changedAt: time, isErased: erased?.includes("fix") ?? false };
    case "report.status_changed": return { ...report, status: says.to, changedAt: time };
    case "report.assigned": return { ...report, agency: says.agency };
    case "report.photo_added": return { ...report, pictures: [...report.pictures, { id: says.blob, width: Number(says.width), height: Number(says.height), at: time, by: says.by ?? null }] };
    case "report.update_added": return { ...report, updates: [...report.updates, { text: says.text, by: says.by, at: time }] };
    case "report.joined": return { ...report, sameAs: says.into };
    case "report.separated": return { ...report, sameAs: null };
    case "report.visibility_set": return withVisibility(report, says);
    case "report.attached": return { ...report, incident: says.incident };
    case "report.detached": return { ...report, incident: null };
    default: return report;
  }
}

function submitted({ species, sizeClass, condition, fix, notes, contact }) {
  return { species, sizeClass, condition, fix: read(fix), notes, contact };
}

function withVisibility(report, { of, photo, isPublic }) {
  const may = isPublic === "true";
  if (of === "report") return { ...report, isHidden: !may };
  if (of === "reporter_photos") return { ...report, publishesPhotos: may };
  return { ...report, pictures: report.pictures.map((one) => (one.id === photo ? { ...one, isPublic: may } : one)) };
}

/** Whether the public may see a photo: the reporter's where the reporter agreed and nobody hid it, one by staff where somebody published it. */
export function isPublished({ isHidden, publishesPhotos }, { by, isPublic }) {
  return !isHidden && (by === null ? publishesPhotos && isPublic !== false : isPublic === true);
}
