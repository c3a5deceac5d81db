// What a provider or a shop pastes into a page of their own site.

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The whole booking in a frame. @param title says what it is, for people who don't see it */
export const frameCode = (title: string, address: string) =>
  `<iframe src="${escaped(address)}" title="${escaped(title)}" loading="lazy" style="width:100%;height:620px;border:0"></iframe>`;

export const linkCode = (words: string, address: string) => `<a href="${escaped(address)}">${escaped(words)}</a>`;

export const buttonCode = (words: string, address: string) =>
  `<a href="${escaped(address)}" style="display:inline-block;padding:.75em 1.5em;border-radius:2em;background:#1c2233;color:#fff;font-weight:600;text-decoration:none">${escaped(words)}</a>`;

export const pictureCode = (title: string, { path, size }: { path: string; size: number }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="176" role="img" shape-rendering="crispEdges"><title>${escaped(title)}</title><path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${path}"/></svg>`;
