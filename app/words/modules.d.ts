declare module 'virtual:messages-of-chunks' {
  /** The ids of the messages in each script that a browser loads. */
  const idsOfChunks: Record<string, string[]>;
  export default idsOfChunks;
}

declare module 'virtual:remix/server-manifest' {
  const manifest: import('@remix-run/react/dist/entry').AssetsManifest;
  export default manifest;
}
