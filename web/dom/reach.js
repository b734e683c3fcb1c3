// SPDX-License-Identifier: Apache-2.0

/** How often a gateway that is not reached is asked again. */
const againMilliseconds = 3000;

/**
 * Shows on a page whether the gateway is reached: by what the page asks of it anyhow, and by a question of its own while it is not, and when somebody comes back to the page.
 * @param {import("../core/api.js").API} api
 * @param {import("../ui/connection-bar.js").ConnectionBar} bar
 * @param {() => boolean} isLive Whether its live topics are told, where it has any: what is seen is old without them.
 */
export function showReach(api, bar, isLive = () => true) {
  let timer = 0;
  const ask = () => api.get("/v1/me", { isLevel: false }).catch(() => {
    // What became of it is told by the way.
  });
  api.onReach = (isReached) => {
    bar.isLive = isReached && isLive();
    clearTimeout(timer);
    if (!isReached) timer = setTimeout(ask, againMilliseconds);
  };
  addEventListener("focus", ask);
}
