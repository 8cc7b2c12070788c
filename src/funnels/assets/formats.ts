/** Formats by their first bytes; what a file is called does not count. */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif'
export type VideoFormat = 'mp4' | 'webm'

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to)

export function pictureFormatOf(bytes: Uint8Array): PictureFormat | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  return /^GIF8[79]a$/.test(ascii(bytes, 0, 6)) ? 'gif' : null
}

/** The bytes that `videoFormatOf` needs. */
export const VIDEO_HEADER_BYTES = 64

/** MP4 with a brand that browsers play, or WebM. QuickTime and Matroska have the same containers and are not played. */
export function videoFormatOf(bytes: Uint8Array): VideoFormat | null {
  if (ascii(bytes, 4, 8) === 'ftyp' && MP4_BRAND.test(ascii(bytes, 8, 12))) return 'mp4'
  const isEbml = bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3
  return isEbml && ascii(bytes, 4, VIDEO_HEADER_BYTES).includes('webm') ? 'webm' : null
}

const MP4_BRAND = /^(isom|iso[2-9]|mp4[12]|avc1|av01|hvc1|dash|M4V |MSNV)$/

export const CONTENT_TYPES: Readonly<Record<PictureFormat | VideoFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  webm: 'video/webm',
}
