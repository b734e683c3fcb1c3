// SPDX-License-Identifier: Apache-2.0
/** The three qualities of the source document, and how one of them is chosen while video runs (ruling 22). */

export const tiers = {
  low: { width: 320, height: 180, least: 400, usual: 750, most: 1000, label: "Low, 320 × 180" },
  medium: { width: 640, height: 360, least: 500, usual: 1000, most: 2000, label: "Medium, 640 × 360" },
  high: { width: 1280, height: 720, least: 1000, usual: 2500, most: 4000, label: "High, 1280 × 720" },
};
const order = ["low", "medium", "high"];
export const framesPerSecondMost = 30;

/** How much the archive may lag behind the camera before the picture is made smaller; a second is what a cluster takes. */
const lagMost = 3;
const headroomSeconds = 10;
const settleSeconds = 3;

/** Decides quality and bit rate from how well the picture gets through. */
export class QualityControl {
  /** @param {"automatic" | "low" | "medium" | "high"} choice */
  constructor(choice) {
    this.choose(choice);
  }

  choose(choice) {
    this.isAutomatic = choice === "automatic";
    this.tier = this.isAutomatic ? "medium" : choice;
    this.kilobitsPerSecond = tiers[this.tier].usual;
    this.goodSince = null;
    this.changedAt = null;
  }

  /**
   * Looks at the last second.
   * @param {number} now Seconds.
   * @param {{lag: number, isEncoderBehind: boolean}} state `lag`: how old the oldest picture is that is not archived yet.
   * @returns {null | "rate" | "tier"} What changed.
   */
  look(now, { lag, isEncoderBehind }) {
    const isBad = lag > lagMost || isEncoderBehind;
    if (isBad) {
      this.goodSince = null;
      // What was just changed needs a moment to show.
      if (this.changedAt !== null && now - this.changedAt < settleSeconds) return null;
      this.changedAt = now;
      return this.#down(isEncoderBehind);
    }
    this.goodSince ??= now;
    if (now - this.goodSince < headroomSeconds) return null;
    this.goodSince = now;
    this.changedAt = now;
    return this.#up();
  }

  #down(isEncoderBehind) {
    const tier = tiers[this.tier];
    const place = order.indexOf(this.tier);
    // A slow device gains nothing from fewer bits of the same size.
    if (!isEncoderBehind && this.kilobitsPerSecond > tier.least) {
      this.kilobitsPerSecond = Math.max(tier.least, Math.round(this.kilobitsPerSecond * 0.6));
      return "rate";
    }
    if (!this.isAutomatic || place === 0) return null;
    return this.#move(order[place - 1]);
  }

  #up() {
    const tier = tiers[this.tier];
    const place = order.indexOf(this.tier);
    if (this.kilobitsPerSecond < tier.usual) {
      this.kilobitsPerSecond = Math.min(tier.usual, Math.round(this.kilobitsPerSecond * 1.4));
      return "rate";
    }
    if (this.isAutomatic && place < order.length - 1) return this.#move(order[place + 1]);
    if (this.kilobitsPerSecond >= tier.most) return null;
    this.kilobitsPerSecond = Math.min(tier.most, Math.round(this.kilobitsPerSecond * 1.25));
    return "rate";
  }

  #move(tier) {
    this.tier = tier;
    this.kilobitsPerSecond = tiers[tier].usual;
    return "tier";
  }
}

/** The least tier that has room for a picture, upright or not; the highest for one that none has room for. */
export function tierOf(width, height) {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  return order.find((name) => long <= tiers[name].width && short <= tiers[name].height) ?? order.at(-1);
}

/** A bit rate within a tier. */
export function within(tierName, kilobitsPerSecond) {
  const { least, most } = tiers[tierName];
  return Math.min(most, Math.max(least, kilobitsPerSecond));
}

/** The largest picture of a camera's shape within a tier, in even pixels, upright or not. */
export function fitted(tierName, width, height) {
  const tier = tiers[tierName];
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(1, tier.width / long, tier.height / short);
  const even = (side) => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
