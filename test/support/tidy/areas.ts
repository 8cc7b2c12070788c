/** The folders of `src` from the bottom to the top. Imports only go down; the files beside them lie above all. */
export const AREAS: readonly [name: string, purpose: string][] = [
  [
    'base',
    'What every part stands on: database, HTTP, jobs, command line, errors, configuration; nothing of the product.',
  ],
  [
    'stores',
    'What the app stores and the payment provider send and take: reading, checking and calling, without a database.',
  ],
  [
    'projects',
    'The tenant: its settings, keys, catalog, store connections, audit log, and the checks in front of its routes.',
  ],
  [
    'people',
    'The subscribers: who they are, what they bought, what they may use, what they own, what happened to them.',
  ],
  [
    'intake',
    'How purchases come in: receipts, notifications, restoring, comparing with the store, answering about refunds.',
  ],
  ['commerce', 'What a project does about a purchase: selling on the web, granting, refunding, scheduling.'],
  ['funnels', 'Web funnels: their documents and what is published of them.'],
  [
    'targeting',
    'Who is shown what: audiences, flags, experiments, offerings, placements, and the configuration of a client.',
  ],
  ['moving', 'The project file: a whole project as text, exported and applied.'],
  ['test-store', 'Stores of our own for trying things out, which sign what the real ones would.'],
  ['docs', 'What the server tells of itself: the description of its interface and the pages that show it.'],
  ['cli', 'The command line, and the commands that belong to the whole program.'],
]

const NAMES = AREAS.map(([name]) => name)

/** The area of a file; null for those beside the areas, which put the program together. */
export const areaOf = (name: string): string | null => (name.includes('/') ? (name.split('/')[0] ?? null) : null)

/** How high it lies: 0 at the bottom. What is in no area lies above all. */
export function heightOf(name: string): number {
  const area = areaOf(name)
  return area === null ? NAMES.length : NAMES.indexOf(area)
}

/** `targeting/flags`: the folder of a slice. A file that lies directly in an area counts by itself. */
export function sliceOf(name: string): string {
  const [area = '', folder = '', ...rest] = name.split('/')
  return rest.length === 0 ? name : `${area}/${folder}`
}

/** Folders that are no slices, each with its reason. */
export const NO_SLICES: readonly [folder: RegExp, why: string][] = [
  [/^base\//, 'what slices stand on; base/http-slice.ts and base/jobs-slice.ts are the manifests of two of them'],
  [/^stores\//, 'pure code, without a database and without routes'],
  [/^cli\//, 'commands of the whole program'],
  [/^test-store\//, 'one slice, whose manifest is test-store/slice.ts'],
  [/^intake\/receipts$/, 'what the receipts of two stores have in common'],
]
