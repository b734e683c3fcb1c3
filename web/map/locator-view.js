// SPDX-License-Identifier: Apache-2.0
import { distance } from "./geo.js";
import { locator, metresShown } from "./locator.js";

/** A place in a grid of degrees, where there is no Leaflet. */
export class LocatorView {
  #ground;
  #fix = null;
  #trail = [];
  /** Other places, in an overview. */
  #others = [];
  /** Doublings of what is seen. */
  #steps = 0;
  #sizes = new ResizeObserver(() => this.redraw());

  constructor(ground) {
    this.#ground = ground;
    this.#sizes.observe(ground);
  }

  get canPan() {
    return false;
  }

  show(fix, trail, others = [], onOpen = null) {
    [this.#fix, this.#trail, this.#others] = [fix, trail, onOpen ? others : []];
    this.redraw();
  }

  home() {
    this.#steps = 0;
    this.redraw();
  }

  pan() {}

  zoom(steps) {
    this.#steps = Math.max(-4, Math.min(14, this.#steps - steps));
    this.redraw();
  }

  redraw() {
    if (!this.#fix) return;
    const size = { width: this.#ground.clientWidth, height: this.#ground.clientHeight };
    if (!size.width || !size.height) return;
    const farthest = Math.max(0, ...this.#others.map(({ fix }) => distance(this.#fix, fix)));
    const least = Math.max(metresShown(size, this.#fix), 2.4 * farthest * Math.max(1, size.width / size.height));
    const across = Math.min(2e7, least * 2 ** this.#steps);
    this.#ground.replaceChildren(locator(size, this.#fix, this.#trail, across, this.#others));
  }

  remove() {
    this.#sizes.disconnect();
    this.#ground.replaceChildren();
  }
}
