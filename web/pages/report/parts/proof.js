// SPDX-License-Identifier: Apache-2.0
import { Unreachable } from "../../../core/api.js";
import { now } from "../../../core/time.js";

/** A proof with less time left than this may be stale when it arrives. */
const leftLeastMilliseconds = 30_000;

/** @typedef {{salt: string, number: number, signature: string}} ProofOfWork As the gateway takes it; each serves one report. */

/** Gets a challenge and solves it in a worker, early, so that sending a report does not wait for it. */
export class Proof {
  #api;
  #solve;
  /** @type {Promise<{proof: ProofOfWork, expiresAt: number}> | null} */
  #made = null;

  /** @param {{get: (path: string, options?: object) => Promise<any>}} api */
  constructor(api, solve = solveInWorker) {
    [this.#api, this.#solve] = [api, solve];
  }

  /** Starts the work. A failure is no news here: `take` tries again. */
  begin() {
    this.#made ??= this.#make();
    this.#made.catch(() => (this.#made = null));
  }

  /** @returns {Promise<ProofOfWork>} One that is fresh; nobody else gets it. */
  async take() {
    for (;;) {
      this.begin();
      const { proof, expiresAt } = await this.#made;
      this.#made = null;
      if (expiresAt - now() > leftLeastMilliseconds) return proof;
    }
  }

  async #make() {
    const { salt, challenge, max, signature, expiresAt } = await this.#api.get("/v1/public/proof-of-work", { isLevel: false });
    const number = await this.#solve({ salt, challenge, max });
    const expires = Date.parse(expiresAt);
    // A challenge that is stale at once, by a clock that is wrong, is used all the same: the gateway decides.
    return { proof: { salt, number, signature }, expiresAt: expires > now() + leftLeastMilliseconds ? expires : Infinity };
  }
}

/** @param {{salt: string, challenge: string, max: number}} challenge @returns {Promise<number>} */
function solveInWorker(challenge) {
  return new Promise((resolve, reject) => {
    const worker = new Worker("/web/pages/report/solver.js");
    const end = (settle) => {
      worker.terminate();
      settle();
    };
    worker.onmessage = ({ data }) => end(() => (data.number === undefined ? reject(new Unreachable()) : resolve(data.number)));
    // The worker's file did not come.
    worker.onerror = () => end(() => reject(new Unreachable()));
    worker.postMessage(challenge);
  });
}
