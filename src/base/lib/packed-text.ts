import { gunzipSync, gzipSync } from 'node:zlib'

/**
 * A long text as the executable contains it: gzipped, in base64. A macro packs it. The program contains each text twice,
 * in its source and in its bytecode, so it is half a megabyte less for a text of 300 KB.
 */
export const packText = (text: string): string => gzipSync(text, { level: 9 }).toString('base64')

/** The text that was packed. A megabyte takes about 3 ms. */
export const unpackText = (packed: string): string => gunzipSync(Buffer.from(packed, 'base64')).toString()
