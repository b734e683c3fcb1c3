// SPDX-License-Identifier: Apache-2.0
import { h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { limits, tooLong } from "../../../core/limits.js";
import { ask } from "../../../dom/ask.js";
import { freeOf, ownersOf } from "./order.js";
import { nameOf } from "./tile.js";

/**
 * Asks to whom a session is to go, and offers it to that colleague, who has a minute to take it; until then it stays its operator's.
 * @param {import("./sessions.js").WallSessions} sessions @param {import("./fold.js").Row} row @param {string} me
 */
export async function handOver(sessions, row, me) {
  let colleagues;
  try {
    colleagues = await sessions.colleagues();
  } catch (error) {
    return toast(error.message, "bad");
  }
  const can = freeOf(colleagues, ownersOf(sessions.rows.values()), [row.owner, me]);
  if (can.length === 0) return toast(t("session-wall.hand.nobody"), "warn");
  const groups = [[t("session-wall.hand.free"), can.filter((one) => one.sessions === 0)], [t("session-wall.hand.busy"), can.filter((one) => one.sessions > 0)]];
  const to = h("select", { name: "to", required: true }, groups.filter(([, ones]) => ones.length > 0).map(([label, ones]) => h("optgroup", { label },
    ones.map(({ user, name, sessions: count }) => h("option", { value: user }, count ? t("session-wall.hand.has", { name, count }) : name)))));
  const reason = h("input", { name: "reason", required: true, maxlength: limits.noteBytes, autocomplete: "off" });
  const asked = await ask({
    title: t("session-wall.hand.title", { name: nameOf(row) }), will: [t("session-wall.hand.will", { owner: sessions.nameOf(row.owner) })],
    fields: [h("label", {}, t("session-wall.hand.to"), to), h("label", {}, t("session-wall.hand.why"), reason)], press: t("session-wall.hand.press"),
    act: async (values) => {
      const [why, whom] = [values.reason.trim(), values.to];
      const fault = why ? tooLong(why, limits.noteBytes) : t("session-wall.hand.no-reason");
      if (fault) throw new Error(fault);
      await sessions.handOver(row.id, whom, why);
      return whom;
    },
  });
  if (asked) toast(t("session-wall.hand.asked", { name: sessions.nameOf(asked) }), "good");
}

/**
 * Makes two sessions one incident, as the operator of one of them proposed; where the other's incident has more callers, it is asked whether all of them are meant.
 * @param {import("./sessions.js").WallSessions} sessions @param {import("./fold.js").Row} row Who was asked. @param {import("./fold.js").Row} asker Whose operator proposed it.
 */
export async function unite(sessions, row, asker) {
  const count = [...sessions.rows.values()].filter(({ incident }) => incident === asker.incident).length;
  try {
    if (count === 1) await sessions.unite(row.incident, { session: asker.id });
    else if (!(await askWhich(sessions, row, asker, count))) return;
    toast(t("session-wall.united"), "good");
  } catch (error) {
    toast(error.message, "bad");
  }
}

function askWhich(sessions, row, asker, count) {
  const which = h("select", { name: "which" }, h("option", { value: "all" }, t("session-wall.unite.all", { count })), h("option", { value: "one" }, t("session-wall.unite.alone", { name: nameOf(asker) })));
  return ask({
    title: t("session-wall.unite.title", { name: nameOf(row), other: nameOf(asker) }), fields: [h("label", {}, t("session-wall.unite.which"), which)], press: t("session-wall.one"),
    act: async (values) => {
      await sessions.unite(row.incident, values.which === "one" ? { session: asker.id } : { incident: asker.incident });
      return true;
    },
  });
}
