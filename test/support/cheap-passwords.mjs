import worker, { Hasher } from './worker.js';

/*
 * Stands before the built Worker and hashes passwords at a thousandth of what they should cost, because tests register
 * people by the hundred. It is read from here by tests only (use-server.ts): no setting of the product can do the same.
 */

class CheapHasher extends Hasher {
  cost = { ln: 4, r: 8, p: 1 };
}

export { CheapHasher as Hasher };
export default worker;
