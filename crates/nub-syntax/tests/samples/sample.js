'use strict'
import fs, { readFile as read } from 'fs'
// Sums things up.
const sum = (a, b = 1, ...rest) => a + b + rest.length
let x = { a: 1, 'b': [1, , 2], [x]: null, get c() { return this.a }, ...y };
function* gen(n) {
  for (let i = 0; i < n; i++) { yield i }
  for (const k in x) if (x[k] === undefined) continue; else break
  while (true) { do { n--; } while (n > 0); return }
}
class A extends B {
  static #p = 1
  constructor({ a, b: [c] }) { super(); this.#q = `t${a + 1}u` }
  async m() { await this.n?.(1); try { throw new Error('x') } catch (e) { } finally { } }
}
switch (x) { case 1: case 2: sum(1, 2, 3); break; default: delete x.a }
export default /ab+c/gi.test('abc') ? typeof x : void !x
