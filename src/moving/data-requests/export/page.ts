import { EXPORT_FILES, type ExportFile } from '../../../base/db/personal-data'
import { toIso } from '../../../base/lib/time'
import { SECTIONS } from './sections'

/** How many rows of a file the page shows. */
export const SHOWN_ROWS = 200

/** What the page shows of a file. */
export interface ShownFile {
  /** The first `SHOWN_ROWS`. */
  rows: object[]
  /** How many there are. */
  count: number
}

export interface PageFacts {
  projectName: string
  requestId: string
  /** For which instant the data was read. */
  at: number
  files: ReadonlyMap<ExportFile, ShownFile>
}

/** A page that a person can read without any other program: no script, nothing loaded, every value escaped. */
export const toPage = (facts: PageFacts): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>Your data at ${escaped(facts.projectName)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    header(facts),
    contents(facts),
    '<main>',
    ...EXPORT_FILES.map((file) => section(file, facts.files.get(file) ?? { rows: [], count: 0 })),
    '</main>',
    `<footer><p>Request ${escaped(facts.requestId)}</p></footer>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')

const header = ({ projectName, at }: PageFacts): string => `<header>
<h1>Your data at ${escaped(projectName)}</h1>
<p>This is everything that is stored about you, as it was on ${time(toIso(at))}.</p>
<p>This page shows it for reading. The files beside it hold the same for programs: files that end in
<code>.json</code> are one JSON document, files that end in <code>.jsonl</code> have one JSON document on each line.
Tables on this page end after ${SHOWN_ROWS} rows and long texts are shortened; the files are always complete. All
times are in UTC.</p>
<p>What is stored about other people is not in it. Copies that serve technical purposes only, such as results
that are computed from the data in these files, are left out.</p>
</header>`

const contents = ({ files }: PageFacts): string => `<nav aria-label="Contents">
<ul>
${EXPORT_FILES.map((file) => `<li><a href="#${anchor(file)}">${SECTIONS[file].title}</a> ${countOf(files.get(file))}</li>`).join('\n')}
</ul>
</nav>`

const countOf = (shown: ShownFile | undefined): string =>
  shown && shown.count > 0 ? `<span class="count">(${shown.count})</span>` : '<span class="count">(nothing)</span>'

const anchor = (file: ExportFile): string => file.replace(/\.jsonl?$/, '')

function section(file: ExportFile, { rows, count }: ShownFile): string {
  const { title, about } = SECTIONS[file]
  const id = anchor(file)
  const isObject = file.endsWith('.json')
  const content = isObject ? rows.map(properties) : tables(rows, title)
  const rest = !isObject && count > rows.length ? `<p>The other ${count - rows.length} rows are in the file.</p>` : ''
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${about} File: <a href="${file}"><code>${file}</code></a></p>
${count === 0 ? '<p class="empty">Nothing is stored here.</p>' : content.join('\n')}
${rest}
</section>`
}

/** A table for each kind of row. */
function tables(rows: readonly object[], title: string): string[] {
  const kinds = Map.groupBy(rows, (row): unknown => Reflect.get(row, 'record'))
  return [...kinds].map(([kind, own]) => {
    const heading =
      typeof kind === 'string' && kinds.size > 1 ? `<h3>${escaped(KINDS[kind] ?? inWords(kind))}</h3>\n` : ''
    return heading + table(own, title)
  })
}

/** Headings of tables for the values of `record`. */
const KINDS: Readonly<Record<string, string>> = {
  purchase: 'Purchases',
  storeReport: 'Reports of the stores',
  scheduledAction: 'Planned changes',
  assignment: 'Variants',
  event: 'Reported events',
  message: 'Messages',
  refundRequest: 'Questions about refunds',
  cohort: 'Groups',
  leaderboard: 'Rankings',
  import: 'Imports',
  importedPurchase: 'Imported purchases',
  proof: 'Proofs of purchases',
}

function table(rows: readonly object[], title: string): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const isShown = (column: string) => column !== 'record' && rows.some((row) => !isNothing(Reflect.get(row, column)))
  const shown = columns.filter(isShown)
  const head = shown.map((column) => `<th scope="col">${escaped(inWords(column))}</th>`)
  const body = rows.map(
    (row) => `<tr>${shown.map((column) => `<td>${show(Reflect.get(row, column))}</td>`).join('')}</tr>`,
  )
  return `<div class="table" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`
}

function properties(value: object): string {
  const entries = Object.entries(value).filter(([, one]) => !isNothing(one))
  if (entries.length === 0) return '<span class="empty">nothing</span>'
  return `<dl>${entries.map(([name, one]) => `<div><dt>${escaped(inWords(name))}</dt><dd>${show(one)}</dd></div>`).join('')}</dl>`
}

const isNothing = (value: unknown): boolean => value === null || value === undefined

function show(value: unknown): string {
  if (isNothing(value)) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return ISO.test(value) ? time(value) : escaped(shortened(value))
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return escaped(JSON.stringify(value))
  if (!Array.isArray(value)) return properties(value)
  return value.length === 0
    ? '<span class="empty">none</span>'
    : `<ul>${value.map((one) => `<li>${show(one)}</li>`).join('')}</ul>`
}

/** Messages of stores are long and signed; a program reads them better. */
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}… (shortened)` : text)

const LONGEST = 600

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `2026-11-20T08:00:00.000Z` as "20 November 2026, 08:00:00". */
function time(iso: string): string {
  const [date = '', clock = ''] = iso.split('T')
  const [year, month, day] = date.split('-')
  const words = `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}, ${clock.slice(0, 8)}`
  return `<time datetime="${iso}">${words}</time>`
}

/** Names of members as they are in the files, with spaces: `firstSeenAt` as "first seen at". Other names stay. */
const inWords = (name: string): string =>
  /^[a-z]+([A-Z][a-z]*)*$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Also for control characters, which a page may not contain, and for those that turn the direction of the text. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (one) => ESCAPES[one] ?? one)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in the page.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')

const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--soft:#57606a;--line:#d5dae0;--ground:#fff;--raised:#f5f7f9;--link:#0a5bc4}
@media(prefers-color-scheme:dark){:root{--text:#e8ebee;--soft:#a3adb8;--line:#3a424b;--ground:#14181c;--raised:#1e242a;--link:#7db4ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.3rem;margin:2.5rem 0 .25rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
header p,section>p{max-width:46rem;margin:.5rem 0}
a{color:var(--link)}
a:focus-visible,.table:focus-visible{outline:2px solid var(--link);outline-offset:2px}
nav ul{columns:3 12rem;list-style:none;margin:1.5rem 0 0;padding:1rem 1.25rem;background:var(--raised);border-radius:.5rem}
.count,.empty,footer{color:var(--soft)}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem}
table{border-collapse:collapse;width:100%;font-size:.875rem;overflow-wrap:normal}
th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);min-width:8.5rem;max-width:28rem;overflow-wrap:anywhere}
tbody tr:last-child td{border-bottom:0}
th{background:var(--raised);font-weight:600;white-space:nowrap}
dl{margin:0;display:grid;gap:.25rem}
dl>div{display:grid;grid-template-columns:minmax(7rem,12rem) 1fr;gap:.75rem}
td dl{min-width:13rem}
td dl>div{grid-template-columns:1fr;gap:0}
dt{color:var(--soft)}
dd{margin:0}
td ul,dd ul{margin:0;padding-left:1.1rem}
time{white-space:nowrap}
@media(max-width:40rem){dl>div{grid-template-columns:1fr;gap:0}}
@media print{body{max-width:none}.table{overflow:visible}h2{break-after:avoid}tr{break-inside:avoid}}
`
