// To log in, and to ask for a new password, one or two fields are typed and sent, which needs no script. The scripts of these pages
// come when somebody touches them. A tab in which a page of ours was before has them in the browser's cache, and maybe a draft to
// find again: there they start at once, as everywhere else.

/**
 * A script of the page's head, which starts those that wait. Markup would escape other quotes, and arrows. `sessionStorage` throws
 * where a browser forbids it: there no draft was kept, and a touch starts the others.
 */
export const startOnTouch = `{const touches=[\`pointerdown\`,\`keydown\`,\`focusin\`];
function start(){
if(document.readyState==\`loading\`)return addEventListener(\`DOMContentLoaded\`,start);
for(const touch of touches)removeEventListener(touch,start);
for(const link of document.querySelectorAll(\`link[rel=dns-prefetch]\`))link.rel=\`modulepreload\`;
const waiting=document.querySelector(\`script[type^=text]\`),script=document.createElement(\`script\`);
script.type=\`module\`;script.nonce=waiting.nonce;script.text=waiting.text;waiting.replaceWith(script)}
for(const touch of touches)addEventListener(touch,start);
try{if(sessionStorage.length)start()}catch{}}`.replaceAll('\n', '');

const moduleScript = /<script nonce="([^"]*)" type="module" async="">/;

/** Lets the scripts of a page wait that has `startOnTouch` in its head, by tags that are valid and load nothing. */
export const waitingForTouch = (page: string): string =>
  page.includes(startOnTouch)
    ? page
        .replaceAll('<link rel="modulepreload" ', '<link rel="dns-prefetch" ')
        .replace(moduleScript, '<script nonce="$1" type="text/plain">')
    : page;
