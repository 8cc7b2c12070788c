/** The folders of `src` from the bottom to the top. A file imports only from its own area and from areas below it. */
export const AREAS: readonly [name: string, purpose: string][] = [
  [
    'base',
    'What every part uses: database, HTTP, jobs, command line, errors, configuration; nothing about the product.',
  ],
  [
    'stores',
    'The protocols of the app stores and the payment provider: decoding, verifying and calling, without a database.',
  ],
  [
    'projects',
    'The tenant: its settings, keys, catalog, store connections, audit log, and the checks in front of its routes.',
  ],
  [
    'operators',
    'The people who run projects: accounts and sign-in, members, mail and notices, platform administration.',
  ],
  ['people', 'The subscribers: their identity, purchases, entitlements, balances and events.'],
  [
    'intake',
    'How purchases are recorded: receipts, notifications, restoring, comparing with the store, refund requests.',
  ],
  ['commerce', 'What a project does with purchases: selling on the web, granting, refunding, scheduling.'],
  ['funnels', 'Web funnels: their documents and published versions.'],
  [
    'targeting',
    'Who is shown what: audiences, flags, experiments, offerings, placements, and the configuration of a client.',
  ],
  [
    'outward',
    "What leaves the server: webhooks, integrations, forwarded store notifications, and events on a developer's machine.",
  ],
  ['insight', 'What apps report about their use, and what is reckoned from it.'],
  ['moving', 'The project file: a whole project as text, exported and applied.'],
  ['test-store', 'Built-in test stores, which sign the same messages as the real stores.'],
  ['docs', 'The documentation that the server shows: the OpenAPI document, its page and the guide.'],
  ['cli', 'The command line, and the commands that belong to the whole program.'],
]

const NAMES = AREAS.map(([name]) => name)

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
  [/^base\//, 'used by all slices; base/http-slice.ts and base/jobs-slice.ts are the manifests of two of them'],
  [/^stores\//, 'pure code, without a database and without routes'],
  [/^cli\//, 'commands of the whole program'],
  [/^test-store\//, 'one slice, whose manifest is test-store/slice.ts'],
  [/^intake\/receipts$/, 'what the receipts of two stores have in common'],
]
