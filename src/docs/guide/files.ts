import sans from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2' with { type: 'file' }
import sansLicence from '@fontsource-variable/geist/LICENSE' with { type: 'text' }
import { version } from '@fontsource-variable/geist/package.json'
import mono from '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2' with { type: 'file' }
import monoLicence from '@fontsource-variable/geist-mono/LICENSE' with { type: 'text' }
import { sha256Hex } from '../../base/lib/hash'
import guideCss from './guide.css' with { type: 'text' }
import { GUIDE } from './page'
import tokensCss from './tokens.css' with { type: 'text' }

export interface EmbeddedFile {
  type: string
  body: () => string | Blob
}

// The name of a file changes with its content, so that a browser can cache it for ever.
const SANS = `geist-${version}.woff2`
const MONO = `geist-mono-${version}.woff2`

const css = `${tokensCss}\n${guideCss}`.replaceAll('geist.woff2', SANS).replaceAll('geist-mono.woff2', MONO)
const STYLES = `guide-${sha256Hex(css).slice(0, 12)}.css`

/** The files that the pages load, by name. */
export const FILES: ReadonlyMap<string, EmbeddedFile> = new Map([
  [STYLES, { type: 'text/css; charset=utf-8', body: () => css }],
  [SANS, { type: 'font/woff2', body: () => Bun.file(sans) }],
  [MONO, { type: 'font/woff2', body: () => Bun.file(mono) }],
  ['LICENSE.txt', { type: 'text/plain; charset=utf-8', body: () => `${sansLicence}\n${monoLicence}` }],
])

export const STYLES_PATH = `${GUIDE}files/${STYLES}`
export const FONT_PATHS = [`${GUIDE}files/${SANS}`, `${GUIDE}files/${MONO}`]
