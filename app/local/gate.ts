// The runtime has a port of its own, which any program and any page of this machine can ask. So a module before the
// Worker lets in only what brings the key, and that is what comes through the front.

export const keyHeader = 'CF-Front-Key';

/** The text of that module. @param next the module that it stands before, which has all that the Worker exports */
export const gate = (next: string, key: string) => `import worker from '${next}';
export * from '${next}';
export default {
  ...worker,
  fetch: (request, env, context) =>
    request.headers.get('${keyHeader}') === '${key}'
      ? worker.fetch(request, env, context)
      : new Response('Not by this port.', { status: 403 }),
};`;
