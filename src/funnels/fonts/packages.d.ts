/** Google's WOFF2 as WebAssembly inside of a script. Both throw for bytes that are no font. */
declare module 'wawoff2' {
  export function compress(font: Uint8Array): Promise<Uint8Array>
  export function decompress(woff2: Uint8Array): Promise<Uint8Array>
}
