/** The client's address, which the edge, or the front of a local server, writes into the request. */
export const clientOf = (request: Request): string => request.headers.get('CF-Connecting-IP') ?? 'unknown';
