import worker, { Hasher } from './worker.js';

export * from './worker.js';

/*
 * Stands before the built Worker. A request's headers let its hashing fail so often, or have too many waiting.
 */

export { Hasher };

export default {
  fetch(request, env, context) {
    const given = request.headers.get('x-hashing');
    if (!given) return worker.fetch(request, env, context);
    let failures = Number(given);
    const failing =
      (name) =>
      async (...words) => {
        if (given === 'full') return null;
        if (failures-- > 0) throw new Error('The object was reset.');
        return env.HASHERS.get('any')[name](...words);
      };
    const HASHERS = { idFromName: (name) => name, get: () => ({ hash: failing('hash'), verify: failing('verify') }) };
    return worker.fetch(request, { ...env, HASHERS }, context);
  },
};
