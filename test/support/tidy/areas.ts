import { AREAS } from '../../../src/docs/guide/areas'

const NAMES = AREAS.map(({ name }) => name)

/** The area of a file. Null for a file directly in `src`; these files put the program together. */
export const areaOf = (name: string): string | null => (name.includes('/') ? (name.split('/')[0] ?? null) : null)

/** The position of a file's area: 0 at the bottom. Files outside of areas are above all areas. */
export function heightOf(name: string): number {
  const area = areaOf(name)
  return area === null ? NAMES.length : NAMES.indexOf(area)
}

/** The folder of the slice: `targeting/flags`. A file directly in an area counts as a slice of its own. */
export function sliceOf(name: string): string {
  const [area = '', folder = '', ...rest] = name.split('/')
  return rest.length === 0 ? name : `${area}/${folder}`
}

/** Folders that are not slices, each with the reason. */
export const NO_SLICES: readonly [folder: RegExp, why: string][] = [
  [/^core\//, 'pure code that the server and the console share'],
  [/^base\//, 'used by all slices; base/http-slice.ts and base/jobs-slice.ts are the manifests of two of them'],
  [/^stores\//, 'pure code, without a database and without routes'],
  [/^sdk\//, 'the client, which runs in apps and not in the server'],
  [/^cli\//, 'commands of the whole program'],
  [/^test-store\//, 'one slice, whose manifest is test-store/slice.ts'],
  [/^intake\/receipts$/, 'what the receipts of two stores have in common'],
]
