// SPDX-License-Identifier: Apache-2.0
/*
 * A worker that finds the number of a proof of work: the n in 0...max for which SHA-256(salt + n) is the challenge. It answers `{number}`, or `{}` where there is none.
 * No module: browsers of four years ago run no modules in workers.
 */
(function () {
  var constants = new Int32Array(64);
  var initial = new Int32Array(8);
  var words = new Int32Array(64);

  /** FIPS 180-4 §4.2.2, §5.3.3: the first 32 bits of the fractional parts of roots of the first primes. */
  function fraction(root) {
    return ((root - Math.floor(root)) * 4294967296) | 0;
  }
  for (var prime = 2, count = 0; count < 64; prime++) {
    var isPrime = true;
    for (var divisor = 2; divisor * divisor <= prime; divisor++) isPrime = isPrime && prime % divisor !== 0;
    if (!isPrime) continue;
    if (count < 8) initial[count] = fraction(Math.sqrt(prime));
    constants[count++] = fraction(Math.cbrt(prime));
  }

  /** Takes one block of 64 bytes into a state (FIPS 180-4 §6.2.2). */
  function compress(state, bytes, at) {
    var index, one, two;
    for (index = 0; index < 16; index++, at += 4) words[index] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    for (; index < 64; index++) {
      one = words[index - 15];
      two = words[index - 2];
      words[index] = (((one >>> 7) | (one << 25)) ^ ((one >>> 18) | (one << 14)) ^ (one >>> 3)) + words[index - 7] +
        (((two >>> 17) | (two << 15)) ^ ((two >>> 19) | (two << 13)) ^ (two >>> 10)) + words[index - 16];
    }
    var a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (index = 0; index < 64; index++) {
      one = (h + (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + ((e & f) ^ (~e & g)) + constants[index] + words[index]) | 0;
      two = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }

  /** @param {string} salt @param {string} challenge 64 hexadecimal digits. @param {number} max @returns {number} -1 where no number fits. */
  function solve(salt, challenge, max) {
    var text = unescape(encodeURIComponent(salt));
    var wanted = new Int32Array(8);
    for (var index = 0; index < 8; index++) wanted[index] = parseInt(challenge.slice(8 * index, 8 * index + 8), 16) | 0;
    // Whole blocks of the salt are the same for every number.
    var whole = text.length - (text.length % 64);
    var middle = initial.slice();
    var bytes = new Uint8Array(128);
    for (var from = 0; from < whole; from += 64) {
      for (index = 0; index < 64; index++) bytes[index] = text.charCodeAt(from + index);
      compress(middle, bytes, 0);
    }
    var rest = text.length - whole;
    var state = new Int32Array(8);
    for (var number = 0; number <= max; number++) {
      var digits = String(number);
      var length = rest + digits.length;
      var end = length + 9 > 64 ? 128 : 64;
      bytes.fill(0);
      for (index = 0; index < rest; index++) bytes[index] = text.charCodeAt(whole + index);
      for (index = 0; index < digits.length; index++) bytes[rest + index] = digits.charCodeAt(index);
      bytes[length] = 0x80;
      var bits = 8 * (whole + length);
      bytes[end - 3] = bits >>> 16;
      bytes[end - 2] = bits >>> 8;
      bytes[end - 1] = bits;
      state.set(middle);
      compress(state, bytes, 0);
      if (end > 64) compress(state, bytes, 64);
      for (index = 0; index < 8 && state[index] === wanted[index]; index++);
      if (index === 8) return number;
    }
    return -1;
  }

  self.onmessage = function (event) {
    var found = solve(event.data.salt, event.data.challenge, event.data.max);
    self.postMessage(found < 0 ? {} : { number: found });
  };
})();
