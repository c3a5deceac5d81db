// Replacements for requests and responses, which the platform can't make before the first request. They have as much of
// each as the framework uses.

const neverAborted = { aborted: false, reason: undefined, addEventListener() {}, removeEventListener() {} };

type From = string | URL | { url: string; headers: Headers };

export class StandInRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body = null;
  readonly signal = neverAborted;

  constructor(from: From, init: RequestInit = {}) {
    const isRequest = typeof from === 'object' && 'url' in from;
    this.url = isRequest ? from.url : String(from);
    this.method = init.method ?? 'GET';
    this.headers = new Headers(init.headers ?? (isRequest ? from.headers : undefined));
  }
}

export class StandInResponse {
  readonly status: number;
  readonly statusText = '';
  readonly ok: boolean;
  readonly headers: Headers;

  constructor(
    readonly body: string | null = null,
    init: ResponseInit = {},
  ) {
    this.status = init.status ?? 200;
    this.ok = this.status < 300;
    this.headers = new Headers(init.headers);
  }

  static json(data: unknown, init?: ResponseInit) {
    return new StandInResponse(JSON.stringify(data), init);
  }

  async text(): Promise<string> {
    return this.body ?? '';
  }

  async json(): Promise<unknown> {
    return JSON.parse(this.body ?? 'null');
  }
}
