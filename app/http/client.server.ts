/** The client's address, which the edge, or the proxy of a local server, writes into the request. */
export const clientOf = (request: Request, { CLIENT_ADDRESS }: { CLIENT_ADDRESS?: string }): string =>
  CLIENT_ADDRESS ?? request.headers.get('CF-Connecting-IP') ?? 'unknown';
